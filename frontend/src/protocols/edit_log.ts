/* The editing of a translation: as timed steps that can be replayed anywhere; and, beside the answers, when an editor
   was opened, and keys not yet counted. */

import { type Answer, type Item, withSlot } from "../workbench/api";
import { commonEnds } from "./word_difference";

export interface PostEdit {
  readonly text: string;
  readonly keystrokes: number;
  readonly steps: readonly EditStep[];
}

export function shownText(item: Item, slot: string): string {
  return item.slots.find((shown) => shown.slot === slot)?.text ?? "";
}

export function postEditOf(answer: Answer | null, slot: string): PostEdit | null {
  const values = answer?.slots[slot];
  return typeof values?.text === "string"
    ? { keystrokes: 0, steps: [], ...(values as Partial<PostEdit>), text: values.text }
    : null;
}

/** The text before the last step, if that was a reset: edits that can be put back. */
export function beforeReset(item: Item, answer: Answer, slot: string): string | null {
  const steps = postEditOf(answer, slot)?.steps ?? [];
  return steps.at(-1)?.[4] === "reset" ? replay(shownText(item, slot), steps.slice(0, -1)) : null;
}

export class EditLog {
  private readonly opened = new Map<string, number>();
  private readonly keys = new Map<string, number>();

  /** The clock of an item's steps starts here; on a later visit it continues from the last step. */
  open(item: Item, answer: Answer, slot: string): void {
    const key = `${item.id}:${slot}`;
    const before = postEditOf(answer, slot)?.steps.at(-1)?.[0] ?? 0;
    if (!this.opened.has(key)) this.opened.set(key, Date.now() - before);
  }

  press(item: Item, slot: string): void {
    const key = `${item.id}:${slot}`;
    this.keys.set(key, (this.keys.get(key) ?? 0) + 1);
  }

  /** The answer once the text of a slot is this; keys pressed since the last change count with it. */
  write(item: Item, answer: Answer, slot: string, written: string, mark: Mark, selected?: Selected): Answer {
    this.open(item, answer, slot);
    const key = `${item.id}:${slot}`;
    const shown = shownText(item, slot);
    const old = postEditOf(answer, slot) ?? { text: shown, keystrokes: 0, steps: [] };
    const text = written === asEdited(shown) ? shown : written;
    const at = Math.max(Date.now() - (this.opened.get(key) ?? 0), old.steps.at(-1)?.[0] ?? 0);
    const step = stepBetween(old.text, text, Math.round(at), mark, selected);
    const keystrokes = old.keystrokes + (this.keys.get(key) ?? 0);
    this.keys.delete(key);
    return withSlot(answer, slot, { text, keystrokes, steps: step ? withStep(shown, old.steps, step) : old.steps });
  }
}

/** An editor has only one kind of line end. */
export function asEdited(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

// --- timed edit steps: how a text became another, in code points -----------------------------------

export type Mark = "" | "pasted" | "reset" | "restored";
export type EditStep =
  | readonly [milliseconds: number, position: number, removed: number, inserted: string]
  | readonly [milliseconds: number, position: number, removed: number, inserted: string, mark: Exclude<Mark, "">];

const MOST_STEPS = 2000;
const MOST_INSERTED = 200_000;
const MERGE_MS = 1000;

/** A selection in a text field, as its browser counts. */
export type Selected = readonly [start: number, end: number];

/**
 * The one replacement that leads from one text to the other; null when they are the same. `selected` is what was
 * replaced, where that is known; else the replacement is as short as can be.
 */
export function stepBetween(
  before: string,
  after: string,
  milliseconds: number,
  mark: Mark = "",
  selected?: Selected,
): EditStep | null {
  if (before === after) return null;
  if (selected) {
    const [head, tail] = [before.slice(0, selected[0]), before.slice(selected[1])];
    if (after.length >= head.length + tail.length && after.startsWith(head) && after.endsWith(tail)) {
      const inserted = after.slice(head.length, after.length - tail.length);
      return editStep(milliseconds, [...head].length, [...before.slice(...selected)].length, inserted, mark);
    }
  }
  const [old, young] = [[...before], [...after]];
  const { start, end } = commonEnds(old, young);
  const inserted = young.slice(start, young.length - end).join("");
  return editStep(milliseconds, start, old.length - start - end, inserted, mark);
}

export function replay(text: string, steps: readonly EditStep[]): string {
  const points = [...text];
  for (const [, position, removed, inserted] of steps) points.splice(position, removed, ...inserted);
  return points.join("");
}

/** The steps and one more; typing within a word is one step, and their number and size are limited. */
export function withStep(shown: string, steps: readonly EditStep[], step: EditStep): readonly EditStep[] {
  const last = steps.at(-1);
  const joined = last && join(last, step);
  if (joined) return [...steps.slice(0, -1), joined];
  const longer = [...steps, step];
  if (longer.reduce((sum, [, , , inserted]) => sum + inserted.length, 0) > MOST_INSERTED)
    return summed(shown, longer, 0);
  return longer.length > MOST_STEPS ? summed(shown, longer, MOST_STEPS - 1) : longer;
}

function join(last: EditStep, step: EditStep): EditStep | null {
  const [began, position, removed, inserted, mark] = last;
  const [at, nextPosition, nextRemoved, nextInserted, nextMark] = step;
  if (mark || nextMark || at - began >= MERGE_MS) return null;
  const isTypedOn = !nextRemoved && nextPosition === position + [...inserted].length && !/\s$/.test(inserted);
  if (isTypedOn && inserted) return editStep(began, position, removed, inserted + nextInserted);
  const isRubbedOut = !inserted && !nextInserted && nextPosition + nextRemoved === position;
  return isRubbedOut ? editStep(began, nextPosition, removed + nextRemoved, "") : null;
}

/** Everything after the first `count` steps as one. */
function summed(shown: string, steps: readonly EditStep[], count: number): readonly EditStep[] {
  const first = steps.slice(0, count);
  const rest = stepBetween(replay(shown, first), replay(shown, steps), steps.at(-1)?.[0] ?? 0);
  return rest ? [...first, rest] : first;
}

function editStep(at: number, position: number, removed: number, inserted: string, mark: Mark = ""): EditStep {
  return mark ? [at, position, removed, inserted, mark] : [at, position, removed, inserted];
}
