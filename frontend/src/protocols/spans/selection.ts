/* The cursor in a text and the selection: moved and stretched by words or by letters. Pure. */

import type { Cell, TextUnits } from "./text_units";

/** From its first cell to its last, in either direction. */
export interface Stretch {
  readonly anchor: Cell;
  readonly head: Cell;
}

export type Way = 1 | -1;

export function boundsOf({ anchor, head }: Stretch): Cell {
  return { start: Math.min(anchor.start, head.start), end: Math.max(anchor.end, head.end) };
}

export function cellsOf(units: TextUnits, byLetters: boolean): readonly Cell[] {
  return byLetters
    ? units.letters.filter(({ start }) => units.words.some((word) => start >= word.start && start < word.end))
    : units.words;
}

/** The cell at a place; between cells the one that follows, after the last one the last. */
export function cellAt(cells: readonly Cell[], place: number): Cell | null {
  return cells.find(({ end }) => place < end) ?? cells.at(-1) ?? null;
}

/** The neighbour of a cell; at the ends of the text the same again. */
export function step(cells: readonly Cell[], from: Cell, way: Way): Cell {
  const next =
    way > 0 ? cells.find(({ start }) => start >= from.end) : cells.filter(({ end }) => end <= from.start).at(-1);
  return next ?? cellAt(cells, from.start) ?? from;
}

export function stretch(cells: readonly Cell[], { anchor, head }: Stretch, way: Way): Stretch {
  return { anchor, head: step(cells, head, way) };
}

/** One end of a span moved to the next place where a cell ends or begins; a span never becomes empty or turns over. */
export function moveEdge(cells: readonly Cell[], span: Cell, edge: "start" | "end", way: Way): Cell {
  if (span.start === span.end) return movePoint(cells, span, way);
  const places = cells.map((cell) => cell[edge]);
  const next =
    way > 0 ? places.find((place) => place > span[edge]) : places.filter((place) => place < span[edge]).at(-1);
  if (next === undefined) return span;
  const moved = { start: span.start, end: span.end, [edge]: next };
  return moved.start < moved.end ? moved : span;
}

/** Missing content moves from one gap between cells to the next. */
function movePoint(cells: readonly Cell[], { start }: Cell, way: Way): Cell {
  const gaps = [...cells.map((cell) => cell.start), cells.at(-1)?.end ?? 0];
  const next = (way > 0 ? gaps.find((gap) => gap > start) : gaps.filter((gap) => gap < start).at(-1)) ?? start;
  return { start: next, end: next };
}

/** A second click moves the nearer end there, both outside and within the span. */
export function stretchTo(span: Cell, cell: Cell): Cell {
  const isNearStart = cell.start - span.start < span.end - cell.end;
  if (cell.start < span.start || (cell.end <= span.end && isNearStart)) return { start: cell.start, end: span.end };
  return { start: span.start, end: cell.end };
}
