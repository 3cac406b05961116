/* [data-live=URL]: a piece that the server renders anew, requested with its ETag until it says that it is settled.
   [data-live-time] shows when it was last known to be true.

   form[data-ask=MS]: the page requests newer numbers by itself, at once and from time to time. The server decides
   whether any are due; when it says so, the line before the form becomes live.

   A page in the background requests nothing; seen again, it does at once. */

import { bindEach, fetchFragment, replaceContent, type Rebind } from "./fragments";
import { headersOf, sortRows } from "./sorting";

const SLOWEST_MS = 30_000;

export function bindLive(root: ParentNode, rebind: Rebind): void {
  bindEach(root, "[data-live]", (element) => poll(element, rebind));
  bindEach<HTMLFormElement>(root, "form[data-ask]", (form) => requestNewNumbers(form, rebind));
}

function poll(element: HTMLElement, rebind: Rebind): void {
  const usual = Number(element.dataset.every ?? "2000");
  let wait = usual;
  let etag = "";
  let timer = 0;
  const refresh = async (): Promise<void> => {
    window.clearTimeout(timer);
    if (!element.isConnected) return document.removeEventListener("visibilitychange", whenSeen);
    if (document.hidden) return later();
    try {
      const fragment = await fetchFragment(element.dataset.live ?? "", etag);
      etag = fragment.etag;
      wait = usual;
      if (fragment.html !== null && !replaceParts(element, fragment.html, rebind))
        replaceContent(element, fragment.html, rebind);
      showTime(true);
      if (element.querySelector("[data-reload]")) return window.location.reload();
      if (element.querySelector("[data-settled]"))
        return void element.dispatchEvent(new Event("assay:settled", { bubbles: true }));
    } catch {
      wait = Math.min(wait * 2, SLOWEST_MS);
      showTime(false);
    }
    later();
  };
  const later = (): void => {
    timer = window.setTimeout(() => void refresh(), wait);
  };
  const whenSeen = (): void => {
    if (!document.hidden && element.isConnected && !element.querySelector("[data-settled]")) void refresh();
  };
  document.addEventListener("visibilitychange", whenSeen);
  showTime(true);
  later();
}

let lastKnown = "";

function showTime(isLive: boolean): void {
  const place = document.querySelector<HTMLElement>("[data-live-time]");
  if (!place) return;
  const language = document.documentElement.lang || "en";
  if (isLive) lastKnown = new Date().toLocaleTimeString(language, { hourCycle: "h23", timeStyle: "medium" });
  place.dataset.state = isLive ? "live" : "lost";
  const words = isLive ? place.dataset.says : place.dataset.lost;
  if (words && lastKnown) place.textContent = words.replace("%s", lastKnown);
}

function requestNewNumbers(form: HTMLFormElement, rebind: Rebind): void {
  const request = async (): Promise<void> => {
    if (!form.isConnected) return;
    if (document.hidden) return later();
    try {
      const response = await fetch(form.action, { method: "POST", body: new FormData(form) });
      if (response.status === 202) return follow(form, rebind);
    } catch {
      // without a connection: try again next time
    }
    later();
  };
  const later = (): void => void window.setTimeout(() => void request(), Number(form.dataset.ask));
  void request();
}

function follow(form: HTMLFormElement, rebind: Rebind): void {
  const line = form.previousElementSibling;
  if (!(line instanceof HTMLElement) || !line.dataset.state) return;
  line.dataset.live = line.dataset.state;
  rebind(document);
}

// --- [data-part=NAME] inside a live element: renewed one by one, and only when they changed -----------------
//
// A part that has the focus is left alone until the focus leaves it. What the reader did to a part stays: how its
// tables are sorted and scrolled, and which details are open.

const shown = new WeakMap<Element, string>();
const waiting = new WeakMap<Element, Element>();

/** False when the element has no such parts, or not the same ones. */
export function replaceParts(element: HTMLElement, html: string, rebind: Rebind): boolean {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const fresh = partsOf(parsed.body);
  const names = (parts: Map<string, HTMLElement>): string => [...parts.keys()].sort().join();
  const old = partsOf(element);
  if (!fresh.size || names(fresh) !== names(old)) return false;
  for (const [name, part] of fresh) {
    const place = old.get(name);
    if (place) offer(place, part, rebind);
  }
  return true;
}

function partsOf(root: ParentNode): Map<string, HTMLElement> {
  return new Map([...root.querySelectorAll<HTMLElement>("[data-part]")].map((part) => [part.dataset.part ?? "", part]));
}

function offer(place: HTMLElement, part: HTMLElement, rebind: Rebind): void {
  if (shown.get(place) === part.innerHTML) {
    waiting.delete(place);
  } else if (place.contains(document.activeElement)) {
    if (!waiting.has(place)) place.addEventListener("focusout", () => afterwards(place, rebind), { once: true });
    waiting.set(place, part);
  } else {
    renew(place, part, rebind);
  }
}

/** The focus may only have moved within the part; where it went is known a moment later. */
function afterwards(place: HTMLElement, rebind: Rebind): void {
  window.setTimeout(() => {
    const part = waiting.get(place);
    waiting.delete(place);
    if (part instanceof HTMLElement && place.isConnected) offer(place, part, rebind);
  });
}

function renew(place: HTMLElement, part: HTMLElement, rebind: Rebind): void {
  shown.set(place, part.innerHTML);
  const restore = [...tablesOf(place), ...scrollsOf(place), ...detailsOf(place)];
  place.replaceChildren(...part.childNodes);
  rebind(place);
  for (const each of restore) each();
}

function tablesOf(place: HTMLElement): (() => void)[] {
  return [...place.querySelectorAll<HTMLTableElement>("table[data-sortable]")].map((table, number) => {
    const headers = headersOf(table);
    const column = headers.findIndex((header) => header.hasAttribute("aria-sort"));
    const direction = headers[column]?.getAttribute("aria-sort");
    return () => {
      const renewed = place.querySelectorAll<HTMLTableElement>("table[data-sortable]")[number];
      if (renewed && (direction === "ascending" || direction === "descending")) sortRows(renewed, column, direction);
    };
  });
}

function scrollsOf(place: HTMLElement): (() => void)[] {
  return [...place.querySelectorAll(".scroll")].map((region, number) => {
    const { scrollLeft, scrollTop } = region;
    return () => place.querySelectorAll(".scroll")[number]?.scrollTo(scrollLeft, scrollTop);
  });
}

function detailsOf(place: HTMLElement): (() => void)[] {
  return [...place.querySelectorAll("details[open][id]")].map(
    (details) => () => place.querySelector(`#${CSS.escape(details.id)}`)?.setAttribute("open", ""),
  );
}
