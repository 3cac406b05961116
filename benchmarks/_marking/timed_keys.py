"""From an event on the page to the picture that shows what it did."""

from playwright.sync_api import Page

# From the event to the task after the picture that shows it. Waiting for the picture counts: up to 17 ms.
TIMED = """([what, key, init]) => new Promise((resolve) => {
  const on = what === "document" ? document.body : document.querySelector(what) ?? document.activeElement;
  if (what.includes("option")) on.focus();
  const begun = performance.now();
  if (key === "click") on.click();
  else on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.now() - begun);
    channel.port2.postMessage(0);
  });
})"""


def timed(page: Page, what: str, key: str, **held: bool) -> float:
    return float(page.evaluate(TIMED, [what, key, held]))
