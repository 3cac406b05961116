/* form[data-ask=MS]: the page asks by itself for newer numbers, at once and from time to time while it is seen.

   The server decides whether any are due. When it says so, the line before the form becomes live. */

import type { Rebind } from "./fragments";

export function bindAsking(root: ParentNode, rebind: Rebind): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-ask]")) {
    if (form.dataset.bound) continue;
    form.dataset.bound = "asking";
    ask(form, rebind);
  }
}

function ask(form: HTMLFormElement, rebind: Rebind): void {
  let timer = 0;
  const later = (): void => {
    timer = window.setTimeout(() => void now(), Number(form.dataset.ask));
  };
  const now = async (): Promise<void> => {
    window.clearTimeout(timer);
    if (!form.isConnected) return;
    if (document.hidden) return later();
    try {
      const response = await fetch(form.action, {
        method: "POST",
        body: new FormData(form),
        credentials: "same-origin",
      });
      if (response.status === 202) return follow(form, rebind);
    } catch {
      // without a connection the next time will do
    }
    later();
  };
  void now();
}

function follow(form: HTMLFormElement, rebind: Rebind): void {
  const line = form.previousElementSibling;
  if (!(line instanceof HTMLElement) || !line.dataset.state) return;
  line.dataset.live = line.dataset.state;
  rebind(document);
}
