/* Where the translations of a row are: equal ones share a cell, and the same column is the same system in every row.
   Pure. */

import type { Item } from "../../workbench/api";
import { tn, t } from "../../workbench/words";

/** One translation, with the columns that it fills, counted from 1. */
export interface Cell {
  readonly slot: string;
  readonly text: string | null;
  readonly columns: readonly number[];
}

/** By their first column. A page without columns (a preview, practice) has a slot in each. */
export function cellsOf(item: Item): Cell[] {
  return item.slots
    .map(({ slot, text, columns }, place) => ({
      slot,
      text: text ?? null,
      columns: columns?.length ? [...columns].sort((one, other) => one - other) : [place + 1],
    }))
    .sort((one, other) => one.columns[0]! - other.columns[0]!);
}

export function columnCount(items: readonly Item[]): number {
  return Math.max(1, ...items.flatMap((item) => cellsOf(item).flatMap(({ columns }) => columns)));
}

/** The cell of a column; in a row that has none there, the last one before it. */
export function cellAt(cells: readonly Cell[], column: number): Cell | undefined {
  return (
    cells.find(({ columns }) => columns.includes(column)) ??
    [...cells].reverse().find(({ columns }) => columns[0]! < column) ??
    cells[0]
  );
}

/** What is drawn from left to right: a cell, a later column that shows the same, a column without a translation. */
export type Drawn =
  | { readonly kind: "cell"; readonly cell: Cell; readonly column: number; readonly span: number }
  | { readonly kind: "same"; readonly cell: Cell; readonly column: number }
  | { readonly kind: "none"; readonly column: number };

export function drawnCells(item: Item, count: number): Drawn[] {
  const cells = cellsOf(item);
  const drawn: Drawn[] = [];
  for (let column = 1; column <= count; column += 1) {
    const cell = cells.find(({ columns }) => columns.includes(column));
    if (!cell) drawn.push({ kind: "none", column });
    else if (cell.columns[0] !== column) drawn.push({ kind: "same", cell, column });
    else {
      let span = 1;
      while (cell.columns.includes(column + span)) span += 1;
      drawn.push({ kind: "cell", cell, column, span });
      column += span - 1;
    }
  }
  return drawn;
}

export function letterOf(column: number): string {
  return String.fromCharCode(64 + column);
}

/** "B", or "A and C". */
export function cellName({ columns }: Cell): string {
  const letters = columns.map(letterOf);
  if (letters.length < 2) return letters.join("");
  return t("{some} and {last}", { some: letters.slice(0, -1).join(", "), last: letters.at(-1) ?? "" });
}

/** "A and C are the same"; "" of a translation that stands alone. */
export function sameWords(cell: Cell): string {
  const n = cell.columns.length;
  return n < 2 ? "" : tn("{names} is the same", "{names} are the same", n, { names: cellName(cell) });
}
