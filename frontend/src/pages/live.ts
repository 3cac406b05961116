/* [data-live=URL]: a piece that the server renders anew, asked for with its ETag until it says that it is settled. */

import { fetchFragment, replaceContent, type Rebind } from "./fragments";

const SLOWEST_MS = 30_000;

export function bindLive(root: ParentNode, rebind: Rebind): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-live]")) {
    if (!element.dataset.bound) {
      element.dataset.bound = "live";
      poll(element, rebind);
    }
  }
}

function poll(element: HTMLElement, rebind: Rebind): void {
  const usual = Number(element.dataset.every ?? "2000");
  let wait = usual;
  let etag = "";
  const ask = async (): Promise<void> => {
    if (!element.isConnected) return;
    if (document.hidden) return later();
    try {
      const fragment = await fetchFragment(element.dataset.live ?? "", etag);
      etag = fragment.etag;
      wait = usual;
      if (fragment.html !== null) replaceContent(element, fragment.html, rebind);
      if (element.querySelector("[data-reload]")) return window.location.reload();
      if (element.querySelector("[data-settled]")) return void element.dispatchEvent(new Event("assay:settled", { bubbles: true }));
    } catch {
      wait = Math.min(wait * 2, SLOWEST_MS);
    }
    later();
  };
  const later = (): void => void window.setTimeout(() => void ask(), wait);
  later();
}
