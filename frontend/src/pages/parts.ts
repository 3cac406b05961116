/* [data-part=NAME] inside a live element: pieces that are renewed one by one, and only when they changed.

   A piece that holds the focus is left alone until the focus leaves it. What the reader did to a piece stays: how its
   tables are sorted and scrolled, and which details stand open. */

import type { Rebind } from "./fragments";
import { headersOf, sortRows } from "./sorting";

const shown = new WeakMap<Element, string>();
const waiting = new WeakMap<Element, Element>();

/* False when the element has no such pieces, or not the same ones. */
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

/* The focus may only have moved within the piece; where it went is known a moment later. */
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
