/* Undo and redo: over changes, and over submissions within one text. */

import type { Answer } from "./api";
import { type State, type Step, workOf } from "./state";

const MERGE_MS = 1500;

/** Changes of one control in quick succession are one step: 7 and then 74, or a slider being dragged. */
export function remember(state: State, step: Step): State {
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
  const step = state.past.at(-1);
  if (!step) return state;
  const moved = { ...state, past: state.past.slice(0, -1), future: [step, ...state.future] };
  return step.kind === "change" ? put(moved, step.item, step.before) : show(moved, step.item);
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

export function canUndo(state: State): boolean {
  return state.past.length > 0;
}
