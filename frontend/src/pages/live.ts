/* [data-live=URL]: a piece that the server renders anew, asked for with its ETag until it says that it is settled.

   [data-live-time] tells when it was last known to be true. A page in the background does not ask; seen again, it asks
   at once. */

import { fetchFragment, replaceContent, type Rebind } from "./fragments";
import { replaceParts } from "./parts";

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
  let timer = 0;
  const ask = async (): Promise<void> => {
    window.clearTimeout(timer);
    if (!element.isConnected) return document.removeEventListener("visibilitychange", whenSeen);
    if (document.hidden) return later();
    try {
      const fragment = await fetchFragment(element.dataset.live ?? "", etag);
      etag = fragment.etag;
      wait = usual;
      if (fragment.html !== null && !replaceParts(element, fragment.html, rebind))
        replaceContent(element, fragment.html, rebind);
      tellTime(true);
      if (element.querySelector("[data-reload]")) return window.location.reload();
      if (element.querySelector("[data-settled]"))
        return void element.dispatchEvent(new Event("assay:settled", { bubbles: true }));
    } catch {
      wait = Math.min(wait * 2, SLOWEST_MS);
      tellTime(false);
    }
    later();
  };
  const later = (): void => {
    timer = window.setTimeout(() => void ask(), wait);
  };
  const whenSeen = (): void => {
    if (!document.hidden && element.isConnected && !element.querySelector("[data-settled]")) void ask();
  };
  document.addEventListener("visibilitychange", whenSeen);
  tellTime(true);
  later();
}

let lastKnown = "";

function tellTime(isLive: boolean): void {
  const place = document.querySelector<HTMLElement>("[data-live-time]");
  if (!place) return;
  if (isLive)
    lastKnown = new Date().toLocaleTimeString(document.documentElement.lang || "en", {
      hourCycle: "h23",
      timeStyle: "medium",
    });
  place.dataset.state = isLive ? "live" : "lost";
  const words = isLive ? place.dataset.says : place.dataset.lost;
  if (words && lastKnown) place.textContent = words.replace("%s", lastKnown);
}
