/* a[data-load-more] at the end of a [data-found] list: the next page of the list is fetched and its rows are added in
   place. Without this script, or when the fetch fails, the link leads to that page. */

import { bindEach } from "./fragments";

export function bindLoadMore(root: ParentNode): void {
  bindEach<HTMLElement>(root, "[data-found]", (list) => {
    list.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("[data-load-more]") : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void load(list, link);
    });
  });
}

async function load(list: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  if (link.getAttribute("aria-busy") === "true") return;
  link.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(link.href, { headers: { Accept: "text/html" } });
    if (!response.ok) throw new Error(`${response.status}`);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const rows = page.querySelectorAll<HTMLElement>("[data-found] > ol > li");
    if (!rows.length) throw new Error("no rows");
    append(list, link, page, rows);
  } catch {
    window.location.assign(link.href);
  }
}

function append(list: HTMLElement, link: HTMLAnchorElement, page: Document, rows: NodeListOf<HTMLElement>): void {
  // the fetched page shows its own first row in full; here another one stays the current
  for (const row of rows) row.querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.querySelector(":scope > ol")?.append(...rows);
  const count = page.querySelector("[data-found-count]");
  if (count) list.querySelector("[data-found-count]")?.replaceChildren(...count.childNodes);
  const next = page.querySelector<HTMLAnchorElement>("[data-load-more]");
  if (next) {
    link.href = next.getAttribute("href") ?? "";
    link.removeAttribute("aria-busy");
  } else {
    link.parentElement?.remove();
  }
  rows[0]?.querySelector("a")?.focus();
}
