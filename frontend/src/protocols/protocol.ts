/* The interface of every protocol module: its question, its answers to input, what is still missing. */

import type { ComponentChildren } from "preact";

import type { Answer, ContextSegment, Item, LoggedAction } from "../workbench/api";
import type { PageData } from "../workbench/page";
import type { Typed } from "../workbench/state";
import type { Workbench } from "../workbench/workbench";

/** A key as a protocol sees it: `key` normalised (digits of any script, letters of any layout), with where it fell. */
export interface Stroke {
  readonly key: string;
  readonly shift: boolean;
  /** The slot of the widget in focus, null outside of one. */
  readonly slot: string | null;
  /** Which of several questions about the slot, if the widget in focus has a `data-part`. */
  readonly part?: string | null;
  readonly at: number;
}

/** A new answer. Changes with the same non-empty `merge` in quick succession are undone together. */
export interface Change {
  readonly answer: Answer;
  readonly merge?: string;
  readonly typed?: Typed | null;
  /** The id of the next focus; `submit` is the main button. Without it the focus stays. */
  readonly focus?: string | undefined;
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

/** What is entered just now on an item, to be read. */
export interface AnswerTextProps {
  readonly item: Item;
  readonly answer: Answer;
  readonly page: PageData;
}

/** The same, to be changed. */
export interface AnswerProps extends AnswerTextProps {
  readonly change: (change: Change) => void;
}

export interface ControlProps extends AnswerProps {
  /** The time worked on the item so far, in this visit; idle stretches do not count. */
  readonly activeMs: () => number;
  /** Undo and redo, for people without a keyboard. */
  readonly travel: (way: "undo" | "redo") => void;
}

export interface TextsProps extends AnswerProps {
  readonly isCurrent: boolean;
}

/** A document judged as a whole; `lines` are its segments in order, none if the item has the text. */
export interface WholeTextProps extends AnswerTextProps {
  readonly lines: readonly ContextSegment[];
}

/** The text and the dock. */
export interface ScreenParts {
  readonly Texts: (props: { readonly workbench: Workbench }) => ComponentChildren;
  readonly Dock: (props: { readonly workbench: Workbench }) => ComponentChildren;
}

/** A protocol as one campaign configures it. */
export interface Protocol {
  /** Which text is shown beside the translation. */
  readonly beside: "source" | "reference" | "both";
  /** The heading of the column of answers. */
  readonly answerHeading: string;
  /** The line of keys in the dock, those that mean something at this item now; `keys` are those of the dialog. */
  hints(item: Item): readonly KeyHint[];
  readonly keys: readonly KeyHint[];
  /** What is still missing, in words for the annotator; "" when the answer is whole. */
  missing(item: Item, answer: Answer): string;
  /** The id of what is missing: after an attempt to go on it takes the focus. Without it the first control does, after
      a click. */
  missingAt?(item: Item, answer: Answer): string;
  /** A complete answer as it is submitted, if that is not as it was entered. */
  settled?(item: Item, answer: Answer): Answer;
  /** Why a complete answer looks like a mistake: shown once for an item, the next attempt submits it. */
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
  /** The second button, beside the main one: that there is nothing to mark or to change. */
  Second?(props: ControlProps): ComponentChildren;
  /** Buttons that are rarely needed; where the window is small they are behind "More". */
  Tools?(props: ControlProps): ComponentChildren;
  /** The texts of an item's row, if they are arranged differently; by default the source is beside the translation. */
  Texts?(props: TextsProps): ComponentChildren;
  /** `rows`: the source is shown above the translations, without columns. */
  readonly layout?: "columns" | "rows";
  /** The heading over the column of the translation, where it is not just the translation. */
  translationHeading?(language: string): string;
  /** What a key with Alt does, also within a text field; null when it does nothing. */
  pressWithAlt?(stroke: Stroke, shown: Shown): Change | null;
  /** The keys shown on the main button, where Enter does something else. */
  readonly submitKeys?: readonly string[];
  /** Words in place of source and reference while they are hidden; "" once they may be seen. */
  withholds?(item: Item, answer: Answer): string;
  /** What a key does to how things are shown, not to the answer; true when it did something. */
  look?(stroke: Stroke, shown: Shown): boolean;
  /** What the page consists of: `ROWS` where one item after the other is answered. */
  readonly parts: ScreenParts;
  /** All items of a text are answered in any order and submitted as one. */
  readonly submitsTexts?: boolean;
  /** Undo or redo changed the current item: what of it is in focus now. */
  travelled?(before: Answer, after: Answer, way: "undo" | "redo"): void;
  /** What was done on the text of this item since it was submitted last, with its submission now. */
  actionsOn?(item: Item): readonly LoggedAction[];
  /** A document in one piece, in place of the rows, if its segments are not judged. */
  WholeText?(props: WholeTextProps): ComponentChildren;
}

/** Made from the options of a campaign, which the server sends complete. */
export type ProtocolModule = (options: never) => Protocol;
