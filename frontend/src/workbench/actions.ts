/* Everything that can happen to the state, each as a function from one state to the next. */

import type { Change, Protocol } from "../protocols/protocol";
import {
  type Answer,
  EMPTY_ANSWER,
  type Feedback,
  type Item,
  type ItemsPage,
  type Newer,
  readItems,
  type Receipt,
  sameAnswer,
} from "./api";
import { itemOf, neighbour, nextUnanswered, placeOf, type State, type Step, textOf, type Work, workOf } from "./state";
import type { Unsent, UnsentJudgment } from "./storage";
import { t, tn } from "./words";

const MERGE_MS = 1500; // changes of one control in quick succession are one step

export function load(state: State, page: ItemsPage, unsent: readonly Unsent[]): State {
  const { loaded, fresh } = take(state, page, unsent);
  const isWhole = state.items.length === 0 && page.done === 0; // nothing is answered: what comes first is the first
  return {
    ...loaded,
    items: [...state.items, ...fresh],
    exhausted: fresh.length === 0 && !page.has_more,
    fromStart: state.fromStart || isWhole,
  };
}

/** Texts before those loaded. */
export function loadEarlier(state: State, page: ItemsPage, unsent: readonly Unsent[]): State {
  const { loaded, fresh } = take(state, page, unsent);
  const { done, screens } = state;
  return { ...loaded, done, screens, items: [...fresh, ...state.items], fromStart: fresh.length === 0 };
}

function take(state: State, page: ItemsPage, unsent: readonly Unsent[]): { loaded: State; fresh: readonly Item[] } {
  const known = new Set(state.items.map((item) => item.id));
  const fresh = page.items.filter((item) => !known.has(item.id));
  const works: Record<string, Work> = { ...state.works };
  for (const item of page.items)
    works[item.id] = overlay(merge(works[item.id], item), item.id, unsent, known.has(item.id));
  const texts = new Set(fresh.map((item) => item.document));
  const context = page.context.filter((segment) => texts.has(segment.document));
  return { loaded: { ...counted(state, page), context: [...state.context, ...context], works }, fresh };
}

/** Further texts. Their page counts what was stored when it was made, while answers come and go: receipts know
    better. */
export function extend(state: State, page: NonNullable<Receipt["next"]>, unsent: readonly Unsent[]): State {
  const { done, completionCode, screens } = state;
  const loaded = { ...load(state, readItems(page), unsent), done, completionCode, screens };
  return loaded.phase === "stranded" ? begin(loaded) : loaded;
}

/** The server's state of an item loaded before: older (the answer is on its way) or newer. */
function merge(work: Work | undefined, item: Item): Work {
  if (!work)
    return { entered: item.draft ?? item.answer ?? EMPTY_ANSWER, submitted: item.answer, revision: item.revision };
  return item.revision >= work.revision ? { ...work, submitted: item.answer, revision: item.revision } : work;
}

/** Answers stored on this device are newer than those of the server; what is on the screen stays. */
function overlay(work: Work, item: string, unsent: readonly Unsent[], isShown: boolean): Work {
  let newest = work;
  for (const entry of unsent) {
    if (entry.item !== item) continue;
    if (entry.kind === "judgment") newest = { ...newest, submitted: entry.answer };
    const isNewer = entry.kind === "judgment" || entry.base_revision >= work.revision;
    if (isNewer && !isShown) newest = { ...newest, entered: entry.answer };
  }
  return newest;
}

type Counts = Pick<ItemsPage, "done" | "total" | "completion_code"> &
  Partial<Pick<ItemsPage, "screens_done" | "screens_total">>;

function counted(state: State, { done, total, completion_code, screens_done, screens_total }: Counts): State {
  const screens =
    screens_done === undefined || screens_total === undefined
      ? state.screens
      : { done: screens_done, total: screens_total };
  return { ...state, done, total, screens, completionCode: completion_code || state.completionCode };
}

/** Shows the first open item, or the phase that follows when there is none. */
export function begin(state: State): State {
  const first = state.review ? state.items[0] : state.items.find((item) => workOf(state, item.id).submitted === null);
  if (first) return enter({ ...state, phase: "judging" }, first.id);
  const isAll = state.exhausted || state.done >= state.total;
  return { ...state, current: "", phase: state.total === 0 ? "nothing" : isAll ? "sending" : "stranded" };
}

export function enter(state: State, id: string): State {
  const item = itemOf(state, id);
  if (!item || state.current === id) return state;
  const sameText = textOf(state, id).some((other) => other.id === state.current);
  const moved = { ...state, current: id, typed: null, complaint: "", turned: false };
  const fresh = sameText ? moved : { ...moved, past: [], future: [], unfolded: false };
  return { ...fresh, announcement: whereabouts(fresh) };
}

export function whereabouts(state: State): string {
  const { number, of, isDocument } = placeOf(state);
  return isDocument ? t("The whole document") : t("Segment {number} of {of}", { number, of });
}

export function change(state: State, { answer, merge = "", typed = null }: Change, at: number): State {
  const item = state.current;
  const work = workOf(state, item);
  const next = { ...state, typed, complaint: "" };
  if (!item || sameAnswer(work.entered, answer)) return next;
  const changed = { ...next, works: { ...next.works, [item]: { ...work, entered: answer } } };
  return remember(changed, { kind: "change", item, before: work.entered, after: answer, merge, at });
}

/** A reason replaces an answer: what was entered in the slots is removed. */
export function chooseReason(state: State, reason: string, at: number): State {
  const { entered } = workOf(state, state.current);
  return { ...change(state, { answer: { ...entered, slots: {}, cannot_judge: reason } }, at), dialog: "" };
}

export function dropReason(state: State, at: number): State {
  const { entered } = workOf(state, state.current);
  return change(state, { answer: { ...entered, cannot_judge: null } }, at);
}

export function comment(state: State, text: string, at: number): State {
  const { entered } = workOf(state, state.current);
  return change(state, { answer: { ...entered, comment: text }, merge: "comment" }, at);
}

/** What the current item still needs before it can be submitted; "" when nothing. */
export function missing(state: State, protocol: Protocol): string {
  const item = itemOf(state, state.current);
  if (!item) return "";
  const { entered } = workOf(state, item.id);
  if (entered.cannot_judge === null) return protocol.missing(item, entered);
  return entered.cannot_judge === "other" && !entered.comment.trim() ? t("Give the reason in the comment.") : "";
}

export interface Submitted {
  readonly state: State;
  /** The answer to send; null when nothing new was entered, or something is missing. */
  readonly answer: Answer | null;
}

export function submit(state: State, protocol: Protocol): Submitted {
  const item = itemOf(state, state.current);
  if (!item) return { state, answer: null };
  const complaint = missing(state, protocol);
  if (complaint) return { state: { ...state, complaint }, answer: null };
  const work = settledWork(state, item, protocol);
  const doubt =
    state.doubted === item.id || work.entered.cannot_judge !== null ? "" : protocol.doubt?.(item, work.entered);
  if (doubt) return { state: { ...state, complaint: doubt, doubted: item.id }, answer: null };
  const isNew = !sameAnswer(work.entered, work.submitted);
  const submitted = { ...state, works: { ...state.works, [item.id]: { ...work, submitted: work.entered } } };
  return { state: goOn(submitted, item.id), answer: isNew ? work.entered : null };
}

export interface SubmittedScreen {
  readonly state: State;
  /** The rows whose answers are new; none if something is missing. */
  readonly rows: readonly { readonly item: Item; readonly answer: Answer }[];
}

/** All rows of the current text as one; what is missing first is entered, and says so. */
export function submitScreen(state: State, protocol: Protocol): SubmittedScreen {
  const text = textOf(state, state.current);
  for (const [place, item] of text.entries()) {
    const what = missing({ ...state, current: item.id }, protocol);
    const complaint = t("Segment {number}. {what}", { number: place + 1, what });
    if (what) return { state: { ...enter(state, item.id), complaint }, rows: [] };
  }
  const works = { ...state.works };
  const rows = text.flatMap((item) => {
    const work = workOf(state, item.id);
    works[item.id] = { ...work, submitted: work.entered };
    return sameAnswer(work.entered, work.submitted) ? [] : [{ item, answer: work.entered }];
  });
  const last = text.at(-1)?.id ?? "";
  return { state: goOn({ ...state, works, current: last }, last), rows };
}

/** What is submitted is what is shown from then on. */
function settledWork(state: State, item: Item, { settled }: Protocol): Work {
  const work = workOf(state, item.id);
  const isJudged = settled && work.entered.cannot_judge === null;
  return isJudged ? { ...work, entered: settled(item, work.entered) } : work;
}

function goOn(state: State, from: string): State {
  const next = state.review ? neighbour(state, 1) : nextUnanswered(state, from);
  if (!next && state.review && !state.exhausted) return { ...state, announcement: t("Loading the next document.") };
  if (!next) {
    const phase = state.exhausted ? "sending" : "stranded";
    return { ...state, current: "", past: [], future: [], complaint: "", phase };
  }
  const isSameText = textOf(state, from).includes(next);
  if (isSameText) return enter(remember(state, { kind: "submission", item: from, next: next.id }), next.id);
  const turned = enter(state, next.id);
  const size = placeOf(turned).of;
  const news = tn("Document finished. Next: {n} segment.", "Document finished. Next: {n} segments.", size);
  return { ...turned, turned: true, announcement: `${news} ${turned.announcement}` };
}

/** The server has a judgment: its revision is the base of the next one. */
export function settle(state: State, id: string, receipt: Receipt): State {
  const work = workOf(state, id);
  const revision = Math.max(work.revision, receipt.revision);
  const settled = { ...counted(state, receipt), works: { ...state.works, [id]: { ...work, revision } } };
  const isStored = (of: State) => textOf(of, id).every((item) => workOf(of, item.id).revision > 0);
  if (!settled.screens || isStored(state) || !isStored(settled)) return settled;
  return { ...settled, screens: { ...settled.screens, done: settled.screens.done + 1 } };
}

/** How a practice item was answered is shown before anything else. */
export function learn(state: State, item: string, feedback: Feedback): State {
  const lesson = { ...feedback, item };
  if (state.dialog === "feedback") return { ...state, nextFeedback: [...state.nextFeedback, lesson] };
  return { ...state, feedback: lesson, dialog: "feedback" };
}

/** After a dialog was closed: the feedback on the next row of the screen, if there is more. */
export function closeDialog(state: State): State {
  const [feedback, ...nextFeedback] = state.nextFeedback;
  if (state.dialog === "feedback" && feedback) return { ...state, feedback, nextFeedback };
  return { ...state, dialog: "" };
}

/** Others judge the rest, or the task was reset: there is nothing more to do here. */
export function withdraw(state: State): State {
  return state.review ? state : { ...state, current: "", dialog: "", phase: "ended", withdrawn: true };
}

/** The annotator chose the other answer, or both were the same. */
export function takeTheirs(state: State, unsent: UnsentJudgment, newer: Newer): State {
  const work = workOf(state, unsent.item);
  const entered = sameAnswer(work.entered, work.submitted) ? (newer.answer ?? EMPTY_ANSWER) : work.entered;
  const theirs: Work = {
    entered,
    submitted: newer.answer ?? work.submitted,
    revision: Math.max(work.revision, newer.revision),
  };
  return { ...state, works: { ...state.works, [unsent.item]: theirs } };
}

/** A refused answer: its item is asked again, and shown at once unless something else was begun. */
export function reopen(state: State, id: string): State {
  const work = workOf(state, id);
  const open = { ...state, works: { ...state.works, [id]: { ...work, submitted: null } } };
  if (!itemOf(open, id)) return open.current ? open : begin(open);
  const isBegun = textOf(state, state.current).some((item) => {
    const { entered, submitted } = workOf(state, item.id);
    return !sameAnswer(entered, submitted ?? EMPTY_ANSWER);
  });
  return isBegun || state.dialog || state.idle ? open : enter({ ...open, phase: "judging" }, id);
}

// --- undo and redo: over changes, and over submissions within one text -----------------------------

/** Changes of one control in quick succession are one step: 7 and then 74, or a slider being dragged. */
function remember(state: State, step: Step): State {
  const last = state.past.at(-1);
  const isContinuation =
    last?.kind === "change" &&
    step.kind === "change" &&
    last.item === step.item &&
    last.merge === step.merge &&
    step.merge !== "" &&
    step.at - last.at < MERGE_MS;
  const past = isContinuation ? [...state.past.slice(0, -1), { ...step, before: last.before }] : [...state.past, step];
  return { ...state, past, future: [] };
}

export function undo(state: State): State {
  const step = state.past.at(-1) ?? submittedBefore(state);
  if (!step) return state;
  const moved = { ...state, past: state.past.slice(0, -1), future: [step, ...state.future] };
  return step.kind === "change" ? put(moved, step.item, step.before) : show(moved, step.item);
}

/** After a reload no step is known; the item submitted before this one can still be opened again. */
function submittedBefore(state: State): Step | undefined {
  const before = neighbour(state, -1);
  const isOfText = before !== undefined && textOf(state, state.current).includes(before);
  return isOfText && workOf(state, before.id).submitted
    ? { kind: "submission", item: before.id, next: state.current }
    : undefined;
}

export function redo(state: State): State {
  const [step, ...future] = state.future;
  if (!step) return state;
  const moved = { ...state, past: [...state.past, step], future };
  return step.kind === "change" ? put(moved, step.item, step.after) : show(moved, step.next);
}

/** A submission is not taken back by undoing: the item is open again, and what is submitted next is its next
    revision. */
function show(state: State, item: string): State {
  return { ...state, current: item, typed: null, complaint: "" };
}

function put(state: State, item: string, entered: Answer): State {
  const work = { ...workOf(state, item), entered };
  return { ...show(state, item), works: { ...state.works, [item]: work } };
}
