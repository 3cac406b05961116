/* What is known of the editing on this page beside the answers: when an editor was opened, keys not yet counted. */

import { withSlot } from "../workbench/answers";
import type { Answer, Item } from "../workbench/api";
import { type EditStep, type Mark, replay, type Selected, stepBetween, withStep } from "./edit_steps";

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

  /** The clock of an item's steps runs from here; after a visit before, it goes on from the last step. */
  open(item: Item, answer: Answer, slot: string, now: number): void {
    const key = `${item.id}:${slot}`;
    const before = postEditOf(answer, slot)?.steps.at(-1)?.[0] ?? 0;
    if (!this.opened.has(key)) this.opened.set(key, now - before);
  }

  press(item: Item, slot: string): void {
    const key = `${item.id}:${slot}`;
    this.keys.set(key, (this.keys.get(key) ?? 0) + 1);
  }

  /** The answer once the text of a slot is this; keys pressed since the last change count with it. */
  write(
    item: Item,
    answer: Answer,
    slot: string,
    written: string,
    mark: Mark,
    now: number,
    selected?: Selected,
  ): Answer {
    this.open(item, answer, slot, now);
    const key = `${item.id}:${slot}`;
    const shown = shownText(item, slot);
    const old = postEditOf(answer, slot) ?? { text: shown, keystrokes: 0, steps: [] };
    const text = written === asEdited(shown) ? shown : written;
    const at = Math.max(now - (this.opened.get(key) ?? now), old.steps.at(-1)?.[0] ?? 0);
    const step = stepBetween(old.text, text, Math.round(at), mark, selected);
    const keystrokes = old.keystrokes + (this.keys.get(key) ?? 0);
    this.keys.delete(key);
    return withSlot(answer, slot, { text, keystrokes, steps: step ? withStep(shown, old.steps, step) : old.steps });
  }
}

/** An editor knows only one kind of line end. */
export function asEdited(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
