/* The state of the page, as one immutable object, and what can be derived from it. Nothing here touches the DOM. */

import { type Answer, type ContextSegment, EMPTY_ANSWER, type Feedback, type Item } from "./api";
import { t } from "./words";

/** What has been done on one item, here or earlier. */
export interface Work {
  /** What the controls show. */
  readonly entered: Answer;
  /** The newest answer submitted, whether the server has it already or it is stored for sending; null before the
      first. */
  readonly submitted: Answer | null;
  /** The newest known revision of the server; the base of the next one. */
  readonly revision: number;
}

/** One step that can be undone. A submission is a step too: undoing it leads back to its item. */
export type Step =
  | {
      readonly kind: "change";
      readonly item: string;
      readonly before: Answer;
      readonly after: Answer;
      readonly merge: string;
      readonly at: number;
    }
  | { readonly kind: "submission"; readonly item: string; readonly next: string };

/** Digits typed so far; they expire after a pause. */
export interface Typed {
  readonly text: string;
  readonly slot: string;
  readonly at: number;
}

/**
 * loading: the first texts are on their way. judging: a text is shown. sending: all is answered, not all is sent.
 * stranded: what was loaded is answered, more cannot be reached. done: the server has everything. nothing: there was
 * nothing to judge. broken: the first texts could not be loaded. ended: the task is no longer this annotator's.
 */
export type Phase = "loading" | "judging" | "sending" | "stranded" | "done" | "nothing" | "broken" | "ended";

export type Dialog =
  "" | "guidelines" | "keys" | "place" | "report" | "reason" | "comment" | "conflict" | "feedback" | "signed_out";

export const INITIAL = {
  phase: "loading" as Phase,
  items: [] as readonly Item[],
  context: [] as readonly ContextSegment[],
  works: {} as Readonly<Record<string, Work>>,
  /** The id of the item being judged; "" while there is none. */
  current: "",
  /** As the server counts: judged items, all items. */
  done: 0,
  total: 0,
  completionCode: "",
  /** The same in screens, where the server counts them. */
  screens: null as { readonly done: number; readonly total: number } | null,
  /** The server has no items after the last one loaded. */
  exhausted: false,
  /** The server has no items before the first one loaded. */
  fromStart: false,
  /** Answers are reviewed one by one, answered or not. */
  review: false,
  /** What was not judged was assigned to others, or has to be done again. */
  withdrawn: false,
  /** The organiser has paused the campaign: answers are stored all the same. */
  isPaused: false,
  past: [] as readonly Step[],
  future: [] as readonly Step[],
  typed: null as Typed | null,
  /** What is missing, shown after an attempt to go on; "" when nothing is. */
  complaint: "",
  /** The item whose answer was questioned once. */
  doubted: "",
  /** For the live region. */
  announcement: "",
  dialog: "" as Dialog,
  /** On a narrow screen: the whole text is shown. */
  unfolded: false,
  /** Covered, and the clock stands: no input for long, or a break. */
  idle: "" as "" | "away" | "break",
  /** The text before has just been finished. */
  turned: false,
  /** Feedback on the newest answer to a practice item. */
  feedback: null as (Feedback & { readonly item: string }) | null,
  /** Feedback that comes after it: of the other rows of a screen. */
  nextFeedback: [] as readonly (Feedback & { readonly item: string })[],
  /** A short message: something was done and needs no action. */
  toast: "",
};

export type State = Readonly<typeof INITIAL>;

const UNTOUCHED: Work = { entered: EMPTY_ANSWER, submitted: null, revision: 0 };

export function itemOf(state: State, id: string): Item | undefined {
  return state.items.find((item) => item.id === id);
}

export function workOf(state: State, id: string): Work {
  return state.works[id] ?? UNTOUCHED;
}

export function isAnswered(state: State, id: string): boolean {
  return workOf(state, id).submitted !== null;
}

/** The items shown together with this one as one text: the run of neighbours of the same document. */
export function textOf(state: State, id: string): readonly Item[] {
  const { items } = state;
  const place = items.findIndex((item) => item.id === id);
  const item = items[place];
  if (!item) return [];
  let first = place;
  let last = place;
  while (items[first - 1]?.document === item.document) first -= 1;
  while (items[last + 1]?.document === item.document) last += 1;
  return items.slice(first, last + 1);
}

/** The heading of a text; its number where titles are hidden (beside control items). */
export function headingOf({ title, document }: Item): string {
  return title || t("Document {number}", { number: document });
}

/** One row of the parallel text: an item, or a segment that is only context. */
export type Row =
  | {
      readonly kind: "item";
      readonly number: number;
      readonly item: Item;
      readonly work: Work;
      readonly isCurrent: boolean;
    }
  | { readonly kind: "context"; readonly number: number; readonly segment: ContextSegment };

export function rowsOf(state: State): Row[] {
  const text = textOf(state, state.current);
  const document = text[0]?.document;
  const context = state.context.filter((segment) => segment.document === document);
  const places = [
    // the question about a whole document comes after its segments
    ...text.map((item) => ({ item, segment: null, position: item.level === "document" ? Infinity : item.position })),
    ...context.map((segment) => ({ item: null, segment, position: segment.position })),
  ].sort((a, b) => (a.position < b.position ? -1 : Number(a.position > b.position)));
  return places.map(({ item, segment }, index) =>
    item
      ? { kind: "item", number: index + 1, item, work: workOf(state, item.id), isCurrent: item.id === state.current }
      : { kind: "context", number: index + 1, segment },
  );
}

/** "Segment 4 of 6": the place of the current item among the segments of its text. */
export function placeOf(state: State): { number: number; of: number; isDocument: boolean } {
  const rows = rowsOf(state);
  const segments = rows.filter((row) => row.kind === "context" || row.item.level !== "document");
  const current = rows.find((row) => row.kind === "item" && row.isCurrent);
  const isDocument = current?.kind === "item" && current.item.level === "document";
  return { number: current?.number ?? 0, of: segments.length, isDocument };
}

/** Where to go after this item: the rest of its text, what was left out before it, later texts, earlier ones. */
export function nextUnanswered(state: State, id: string): Item | undefined {
  const open = (item: Item) => item.id !== id && !isAnswered(state, item.id);
  const text = textOf(state, id);
  const at = text.findIndex((item) => item.id === id);
  const here = state.items.findIndex((item) => item.id === id);
  return (
    text.slice(at + 1).find(open) ??
    text.slice(0, Math.max(at, 0)).find(open) ??
    state.items.slice(here + 1).find(open) ??
    state.items.find(open)
  );
}

export function neighbour(state: State, step: 1 | -1): Item | undefined {
  const here = state.items.findIndex((item) => item.id === state.current);
  return here < 0 ? undefined : state.items[here + step];
}

/** How many texts are loaded after the current one. */
export function textsAhead(state: State): number {
  const text = textOf(state, state.current);
  const last = text.at(-1);
  const rest = last ? state.items.slice(state.items.indexOf(last) + 1) : state.items;
  return rest.filter((item, index) => item.document !== rest[index - 1]?.document).length;
}

/** Two texts are always loaded ahead, without a wait. */
const TEXTS_AHEAD = 2;

/** The item after which further texts are wanted; "" where there are enough, or no more. */
export function wantedAfter(state: State): string {
  const { phase, exhausted, items } = state;
  const isShort = phase === "stranded" || (phase === "judging" && textsAhead(state) < TEXTS_AHEAD);
  return (isShort && !exhausted && items.at(-1)?.id) || "";
}
