/* What every protocol module fills: how it asks, what it makes of input, what it still misses. */

import type { ComponentChildren } from "preact";

import type { Answer, ContextSegment, Item } from "../workbench/api";
import type { PageData } from "../workbench/page";
import type { Typed } from "../workbench/state";

/** A key as a protocol sees it: `key` normalised (digits of any script, letters of any layout), with where it fell. */
export interface Stroke {
  readonly key: string;
  readonly shift: boolean;
  /** The slot of the widget in focus, null outside of one. */
  readonly slot: string | null;
  /** Which of several questions about the slot, where the widget in focus says it by `data-part`. */
  readonly part?: string | null;
  readonly at: number;
}

/** A new answer. Changes with the same non-empty `merge` in quick succession are undone together. */
export interface Change {
  readonly answer: Answer;
  readonly merge: string;
  readonly typed: Typed | null;
  /** The id of what takes the focus then; `submit` is the main button. Without it the focus stays. */
  readonly focus?: string;
}

export interface Shown {
  readonly item: Item;
  readonly answer: Answer;
  readonly typed: Typed | null;
}

export interface KeyHint {
  readonly keys: readonly string[];
  readonly does: string;
}

export interface ControlProps {
  readonly item: Item;
  readonly answer: Answer;
  readonly change: (change: Change) => void;
  readonly page?: PageData;
  /** The time worked on the item so far, in this visit; idle stretches do not count. */
  readonly activeMs?: () => number;
  /** Undo and redo, for hands without a keyboard. */
  readonly travel?: (way: "undo" | "redo") => void;
}

/** `answer` is what is entered just now; `submitted` whether the item has been answered before. */
export interface TextsProps extends ControlProps {
  readonly page: PageData;
  readonly isCurrent: boolean;
  readonly submitted: Answer | null;
}

/** A document that is asked about as a whole; `lines` are its segments in order, none where the item has the text. */
export interface WholeTextProps {
  readonly item: Item;
  readonly answer: Answer;
  readonly lines: readonly ContextSegment[];
  readonly page: PageData;
}

export interface AnswerTextProps {
  readonly item: Item;
  readonly answer: Answer;
  readonly page: PageData;
}

/** A protocol as one campaign configures it. */
export interface Protocol {
  /** Which text stands beside the translation. */
  readonly beside: "source" | "reference" | "both";
  /** The heading over the column of what was given. */
  readonly answerHeading: string;
  /** The line of keys in the dock; `keys` are those of the dialog. */
  readonly hints: readonly KeyHint[];
  readonly keys: readonly KeyHint[];
  /** What is still missing, in words for the annotator; "" when the answer is whole. */
  missing(item: Item, answer: Answer): string;
  /** The id of what is missing: after an attempt to go on it takes the focus. Without it the first control does, after
      a click. */
  missingAt?(item: Item, answer: Answer): string;
  /** What looks like a slip though the answer is whole: said once for an item, the next attempt goes on. */
  doubt?(item: Item, answer: Answer): string;
  /** The answer in a word or a number, for the row of the text. */
  summary(item: Item, answer: Answer): string;
  /** The answer word for word, where its summary is too little to tell two apart. */
  quote?(item: Item, answer: Answer): string;
  /** That answer to be read, where it is not only words of the translation's language. */
  AnswerText?(props: AnswerTextProps): ComponentChildren;
  /** What a key does to the answer; null when it does nothing. */
  press(stroke: Stroke, shown: Shown): Change | null;
  /** The question and its control, in the dock. Its first control, here or in `Texts`, bears `data-first`. */
  Control(props: ControlProps): ComponentChildren;
  /** The texts of an item's row, where they stand differently; without it what was given stands beside the
      translation. */
  Texts?(props: TextsProps): ComponentChildren;
  /** `rows`: what was given stands above the translations, without columns. */
  readonly layout?: "columns" | "rows";
  /** The heading over the column of the translation, where it is not just the translation. */
  translationHeading?(language: string): string;
  /** What a key held with Alt does, from within a text field, too; null when it does nothing. */
  pressWithAlt?(stroke: Stroke, shown: Shown): Change | null;
  /** The keys told on the main button, where Enter has other work to do. */
  readonly submitKeys?: readonly string[];
  /** Words in place of source and reference while they are held back; "" once they may be seen. */
  withholds?(item: Item, answer: Answer): string;
  /** What a key does to how things are shown, not to the answer; true when it did something. */
  look?(stroke: Stroke, shown?: Shown): boolean;
  /** A document in one piece, in place of the rows, where nothing is asked of its segments. */
  WholeText?(props: WholeTextProps): ComponentChildren;
}

/** Made from the options of a campaign, which the server sends complete. */
export type ProtocolModule = (options: never) => Protocol;
