/* What is selected and described while errors are marked, by name. */

import type { Stretch } from "./selection";
import type { Severity, Side } from "./span";

/** A text on the screen: the source as read for one translation, or that translation. */
export interface Place {
  readonly slot: string;
  readonly side: Side;
}

/** `of`: the error whose words these are; null while it is yet to be marked. */
export interface Selection extends Place, Stretch {
  readonly of: number | null;
}

/** An error being described; it becomes one when nothing lacks. */
export interface Described {
  readonly severity: Severity | "";
  readonly category: string;
  readonly note: string;
  readonly lacks: "" | "category" | "severity" | "note";
}

export const UNDESCRIBED: Described = { severity: "", category: "", note: "", lacks: "" };

export interface Marking {
  /** All of this is about one item. */
  readonly item: string;
  /** The translation the source is read for. */
  readonly slot: string;
  readonly cursor: (Place & { readonly at: number }) | null;
  readonly selection: Selection | null;
  /** Null while no dialog is open. */
  readonly described: Described | null;
  readonly byLetters: boolean;
  /** For the live region. */
  readonly said: string;
  /** Why something cannot be done. */
  readonly notice: string;
}

export function freshMarking(item: string, slot: string, byLetters: boolean): Marking {
  return { item, slot, cursor: null, selection: null, described: null, byLetters, said: "", notice: "" };
}

/** The id of a word on the page. */
export function wordId({ slot, side }: Place, start: number): string {
  return `word-${slot}-${side}-${start}`;
}
