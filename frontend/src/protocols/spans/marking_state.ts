/* The cursor, the selection and the error being described; how a selection is moved and stretched; unfinished
   errors. */

import { storedInTab, storeInTab } from "../../workbench/storage";
import type { CategoryField } from "./category_field";
import type { Rules, Severity, Side } from "./span";
import type { Cell, TextUnits } from "./text_units";

/** What differs between protocols that mark errors. */
export interface Marks extends Rules {
  readonly severities: readonly Severity[];
  readonly marksSource: boolean;
  readonly marksMissing: boolean;
  /** Where errors have a category. */
  readonly CategoryField?: typeof CategoryField;
}

/** A text on the screen: the source as read for one translation, or that translation. */
export interface Place {
  readonly slot: string;
  readonly side: Side;
}

export function isSamePlace(one: Place | null | undefined, other: Place): boolean {
  return one?.slot === other.slot && one.side === other.side;
}

/** From its first cell to its last, in either direction. */
export interface Stretch {
  readonly anchor: Cell;
  readonly head: Cell;
}

/** `error`: the marked error whose words these are; null while it is not marked yet. */
export interface Selection extends Place, Stretch {
  readonly error: number | null;
}

/** An error being described; it becomes one when nothing is missing. */
export interface Described {
  readonly severity: Severity | "";
  readonly category: string;
  readonly note: string;
  readonly missing: "" | "category" | "severity" | "note";
}

export const UNDESCRIBED: Described = { severity: "", category: "", note: "", missing: "" };

/** Whether there is text that no click on another word may discard. */
export function isWritten(described: Described | null): boolean {
  return described !== null && described.note.trim() !== "";
}

export interface Marking {
  /** The item of all this. */
  readonly item: string;
  /** The translation the source is read for. */
  readonly slot: string;
  readonly cursor: (Place & { readonly at: number }) | null;
  readonly selection: Selection | null;
  /** Null while no dialog is open. */
  readonly described: Described | null;
  readonly byLetters: boolean;
  /** For the live region. */
  readonly announcement: string;
  /** Why an action is refused. */
  readonly notice: string;
}

export function newMarking(item: string, slot: string, byLetters: boolean): Marking {
  return { item, slot, cursor: null, selection: null, described: null, byLetters, announcement: "", notice: "" };
}

/** The id of a word on the page. */
export function wordId({ slot, side }: Place, start: number): string {
  return `word-${slot}-${side}-${start}`;
}

type Stored = Pick<Marking, "selection" | "described" | "slot">;

const KEY = "assay-begun";

/** Unfinished errors, stored by the tab: neither a reload nor a look at another text loses them. */
export class UnfinishedErrors {
  private readonly byItem = storedInTab<Stored>(KEY);

  of(item: string): Partial<Stored> {
    return this.byItem.get(item) ?? {};
  }

  store({ item, selection, described, slot }: Marking): void {
    if (!item || (!described && !this.byItem.has(item))) return;
    if (described) this.byItem.set(item, { selection, described, slot });
    else this.byItem.delete(item);
    storeInTab(KEY, this.byItem);
  }
}

// --- moved and stretched by words or by letters --------------------------------------------------------

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
