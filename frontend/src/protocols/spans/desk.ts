/* What the page keeps beside the answer while errors are marked: the cursor, what is selected, the error being described. */

import { type Signal, signal } from "@preact/signals";

import type { Answer, Item } from "../../workbench/api";
import { tabStorage } from "../../workbench/tab_storage";
import type { Change } from "../protocol";
import type { Rules } from "./actions";
import { Begun } from "./begun";
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

export interface Shown {
  readonly item: Item;
  readonly answer: Answer;
  readonly change: (change: Change) => void;
}

/** What differs between protocols that mark errors. */
export interface Marks extends Rules {
  readonly severities: readonly Severity[];
  readonly marksSource: boolean;
  readonly marksMissing: boolean;
}

export class Desk {
  readonly marking: Signal<Marking> = signal(freshMarking("", "", false));
  /** The item that is asked just now, as drawn last. */
  shown: Shown | null = null;

  constructor(readonly marks: Marks, private readonly begun = new Begun(tabStorage())) {}

  /** Another item begins with nothing selected, or with the error that was begun there. */
  of(item: Item): Marking {
    const now = this.marking.value;
    if (now.item === item.id) return now;
    return { ...freshMarking(item.id, item.slots[0]?.slot ?? "", now.byLetters), ...this.begun.of(item.id) };
  }

  set(item: Item, part: Partial<Marking>): void {
    this.marking.value = { ...this.of(item), ...part, item: item.id };
    this.begun.keep(this.marking.value);
  }

  /** Nothing selected any more; what is said stays said. */
  drop(item: Item, part: Partial<Marking> = {}): void {
    this.set(item, { selection: null, described: null, notice: "", ...part });
  }
}

function freshMarking(item: string, slot: string, byLetters: boolean): Marking {
  return { item, slot, cursor: null, selection: null, described: null, byLetters, said: "", notice: "" };
}

/** The id of a word on the page. */
export function wordId({ slot, side }: Place, start: number): string {
  return `word-${slot}-${side}-${start}`;
}
