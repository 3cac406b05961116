/* Answers as values: made, compared, read. */

import type { Answer } from "./api";

export const EMPTY_ANSWER: Answer = Object.freeze({ slots: {}, comment: "", cannot_judge: null });

export function withSlot(answer: Answer, slot: string, values: Record<string, unknown>): Answer {
  return { ...answer, cannot_judge: null, slots: { ...answer.slots, [slot]: values } };
}

/** A reason stands in place of an answer: what had been entered in the slots goes. */
export function withReason(answer: Answer, reason: string): Answer {
  return { ...answer, slots: {}, cannot_judge: reason };
}

export function sameAnswer(one: Answer | null, other: Answer | null): boolean {
  return one === other || canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
