/* Keys of a 0–100 slider: typed digits, steps by arrows. Pure. */

import type { Typed } from "../workbench/state";
import type { Stroke } from "./protocol";

export const LOWEST = 0;
export const HIGHEST = 100;

const TYPING_PAUSE_MS = 1500;
/** Before the first answer there is no value to step from; steps begin in the middle, where no thumb was shown. */
const STEPS_BEGIN_AT = 50;

export interface Keyed {
  readonly score: number;
  readonly typed: Typed | null;
  readonly merge: "typed" | "stepped";
}

export function keyScore(stroke: Stroke, slot: string, score: number | null, typed: Typed | null): Keyed | null {
  if (/^\d$/.test(stroke.key)) return typeDigit(stroke, slot, typed);
  const next = stepped(stroke, score ?? STEPS_BEGIN_AT);
  return next === null ? null : { score: Math.min(HIGHEST, Math.max(LOWEST, next)), typed: null, merge: "stepped" };
}

function typeDigit({ key, at }: Stroke, slot: string, typed: Typed | null): Keyed {
  const goesOn = typed !== null && typed.slot === slot && at - typed.at < TYPING_PAUSE_MS;
  const longer = goesOn ? typed.text + key : key;
  const text = Number(longer) <= HIGHEST && longer.length <= 3 ? longer : key;
  return { score: Number(text), typed: { text, slot, at }, merge: "typed" };
}

function stepped({ key, shift }: Stroke, from: number): number | null {
  const by = shift ? 10 : 1;
  switch (key) {
    case "ArrowRight":
      return from + by;
    case "ArrowLeft":
      return from - by;
    case "PageUp":
      return from + 10;
    case "PageDown":
      return from - 10;
    case "Home":
      return LOWEST;
    case "End":
      return HIGHEST;
    default:
      return null;
  }
}
