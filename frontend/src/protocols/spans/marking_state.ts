/* The selection and the error being described, and unfinished errors. */

import type { Rules, Severity, Side } from "./span";
import type { Stretch } from "./selection";

/** What differs between protocols that mark errors. */
export interface Marks extends Rules {
  readonly severities: readonly Severity[];
  readonly marksSource: boolean;
  readonly marksMissing: boolean;
}

/** A text on the screen: the source as read for one translation, or that translation. */
export interface Place {
  readonly slot: string;
  readonly side: Side;
}

export function isSamePlace(one: Place | null | undefined, other: Place): boolean {
  return one?.slot === other.slot && one.side === other.side;
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
  private readonly byItem: Map<string, Stored>;

  constructor(private readonly tab: Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem"> | null) {
    try {
      this.byItem = new Map(Object.entries(JSON.parse(tab?.getItem(KEY) ?? "{}") as Record<string, Stored>));
    } catch {
      this.byItem = new Map();
    }
  }

  of(item: string): Partial<Stored> {
    return this.byItem.get(item) ?? {};
  }

  store({ item, selection, described, slot }: Marking): void {
    if (!item || (!described && !this.byItem.has(item))) return;
    if (described) this.byItem.set(item, { selection, described, slot });
    else this.byItem.delete(item);
    try {
      if (this.byItem.size > 0) this.tab?.setItem(KEY, JSON.stringify(Object.fromEntries(this.byItem)));
      else this.tab?.removeItem(KEY);
    } catch {
      return; // a tab that may store nothing: unfinished errors live as long as the page
    }
  }
}
