/* What the page keeps beside the answer while errors are marked: the cursor, what is selected, the error being
   described. */

import { type Signal, signal } from "@preact/signals";

import type { Answer, Item } from "../../workbench/api";
import { tabStorage } from "../../workbench/storage";
import type { Change } from "../protocol";
import type { Rules } from "./actions";
import { Begun } from "./begun";
import { freshMarking, type Marking } from "./marking_state";
import type { Severity } from "./span";

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

  constructor(
    readonly marks: Marks,
    private readonly begun = new Begun(tabStorage()),
  ) {}

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
