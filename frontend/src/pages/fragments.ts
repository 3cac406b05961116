/* Pieces of pages: bound once, and rendered anew by the server, fetched with their ETag and put in place. */

export type Rebind = (root: ParentNode) => void;

const bound = new WeakMap<Element, Set<string>>();

/** Calls `bind` for each element that fits, once however often its page is bound. */
export function bindEach<E extends HTMLElement>(root: ParentNode, selector: string, bind: (element: E) => void): void {
  for (const element of root.querySelectorAll<E>(selector)) {
    const selectors = bound.get(element) ?? new Set();
    if (selectors.has(selector)) continue;
    bound.set(element, selectors.add(selector));
    bind(element);
  }
}

/** `later` calls `act` once there was no other call for a while. */
export function afterPause(pauseMs: number, act: () => void): { later: () => void; cancel: () => void } {
  let timer = 0;
  const cancel = (): void => window.clearTimeout(timer);
  const later = (): void => {
    cancel();
    timer = window.setTimeout(act, pauseMs);
  };
  return { later, cancel };
}

/** Also called when a fetched piece of the form has arrived. */
export function onFormInput(form: HTMLFormElement, later: () => void): void {
  form.addEventListener("input", later);
  form.addEventListener("assay:settled", later);
}

export interface Fragment {
  html: string | null; // null: unchanged
  etag: string;
}

export async function fetchFragment(url: string, etag: string): Promise<Fragment> {
  const headers: Record<string, string> = { Accept: "text/html", "X-Requested-With": "fragment" };
  if (etag) headers["If-None-Match"] = etag;
  const response = await fetch(url, { headers });
  if (response.status === 304) return { html: null, etag };
  if (!response.ok) throw new Error(`${response.status}`);
  return { html: await response.text(), etag: response.headers.get("ETag") ?? "" };
}

/** Replaces the content, keeping the focus on the control of the same id. */
export function replaceContent(element: HTMLElement, html: string, rebind: Rebind): void {
  const focused = element.contains(document.activeElement) ? document.activeElement?.id : "";
  const parsed = new DOMParser().parseFromString(html, "text/html");
  element.replaceChildren(...parsed.body.childNodes);
  rebind(element);
  if (focused) document.getElementById(focused)?.focus();
}
