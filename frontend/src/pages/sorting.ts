/* table[data-sortable]: buttons in the header sort the rows by the cell's data-value, else by its text. */

import { bindEach } from "./fragments";

export function bindSorting(root: ParentNode): void {
  bindEach<HTMLTableElement>(root, "table[data-sortable]", (table) =>
    headersOf(table).forEach((header, index) => {
      header.querySelector("button")?.addEventListener("click", () => sortBy(table, header, index));
    }),
  );
}

function sortBy(table: HTMLTableElement, header: HTMLElement, index: number): void {
  const first = header.dataset.first === "descending" ? "descending" : "ascending";
  const other = first === "ascending" ? "descending" : "ascending";
  sortRows(table, index, header.getAttribute("aria-sort") === first ? other : first);
}

export function sortRows(table: HTMLTableElement, index: number, direction: "ascending" | "descending"): void {
  const headers = headersOf(table);
  const header = headers[index];
  if (!header) return;
  headers.forEach((cell) => cell.removeAttribute("aria-sort"));
  header.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const value = ({ cells }: HTMLTableRowElement): string =>
    cells[index]?.dataset.value ?? cells[index]?.textContent?.trim() ?? "";
  const body = table.querySelector("tbody");
  body?.append(...[...body.querySelectorAll("tr")].sort((left, right) => sign * compare(value(left), value(right))));
}

export function headersOf(table: HTMLTableElement): HTMLElement[] {
  return Array.from(table.querySelectorAll<HTMLElement>("thead tr:first-child > *"));
}

function compare(left: string, right: string): number {
  const [a, b] = [Number(left), Number(right)];
  if (left !== "" && right !== "" && Number.isFinite(a) && Number.isFinite(b)) return a - b;
  return left.localeCompare(right, document.documentElement.lang || "en", { numeric: true });
}
