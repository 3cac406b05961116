/* table[data-sortable]: buttons in the header sort the rows by the cell's data-value, else by its text. */

export function bindSorting(root: ParentNode): void {
  for (const table of root.querySelectorAll<HTMLTableElement>("table[data-sortable]")) {
    const headers = Array.from(table.tHead?.rows[0]?.cells ?? []);
    headers.forEach((header, index) => {
      header.querySelector("button")?.addEventListener("click", () => sortBy(table, header, index, headers));
    });
  }
}

function sortBy(table: HTMLTableElement, header: HTMLTableCellElement, index: number, headers: HTMLTableCellElement[]): void {
  const first = header.dataset.first === "descending" ? "descending" : "ascending";
  const other = first === "ascending" ? "descending" : "ascending";
  const direction = header.getAttribute("aria-sort") === first ? other : first;
  headers.forEach((cell) => cell.removeAttribute("aria-sort"));
  header.setAttribute("aria-sort", direction);
  const body = table.tBodies[0];
  if (!body) return;
  body.append(...sortedRows(Array.from(body.rows), index, direction === "ascending" ? 1 : -1));
  // A line under a cluster says something only in the order of rank.
  table.classList.toggle("no-cuts", header.dataset.rank === undefined);
}

export function sortedRows(rows: HTMLTableRowElement[], index: number, sign: number): HTMLTableRowElement[] {
  const pinned = rows.filter((row) => row.dataset.pinned !== undefined);
  const free = rows.filter((row) => row.dataset.pinned === undefined);
  const value = (row: HTMLTableRowElement): string => row.cells[index]?.dataset.value ?? row.cells[index]?.textContent?.trim() ?? "";
  free.sort((left, right) => sign * compare(value(left), value(right)));
  return [...free, ...pinned];
}

function compare(left: string, right: string): number {
  const [a, b] = [Number(left), Number(right)];
  if (left !== "" && right !== "" && Number.isFinite(a) && Number.isFinite(b)) return a - b;
  return left.localeCompare(right, document.documentElement.lang || "en", { numeric: true });
}
