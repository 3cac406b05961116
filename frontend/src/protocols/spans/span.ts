/* Errors as an answer keeps them, read from it and written into it. Pure. */

import { withSlot } from "../../workbench/answers";
import type { Answer, Item } from "../../workbench/api";
import { lengthOf } from "./text_units";

export type Side = "source" | "target";
export const SEVERITIES = ["neutral", "minor", "major", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Offsets in code points; where `start` is `end`, something is missing. `category` is not asked everywhere. */
export interface Span {
  readonly side: Side;
  readonly start: number;
  readonly end: number;
  readonly category?: string;
  readonly severity: Severity;
  readonly note: string;
  /** The number of the suggested error it began as. */
  readonly suggestion?: number;
}

/** Those of an answer, else those suggested; null while nothing was said about the translation. */
export function spansOf(item: Item, answer: Answer, slot: string): readonly Span[] | null {
  const spans = answer.slots[slot]?.spans;
  if (Array.isArray(spans)) return spans as Span[];
  const suggested = item.suggested.filter((mark) => mark.slot === slot);
  return suggested.length ? suggested.map((mark) => fromSuggestion(mark as unknown as Span)) : null;
}

function fromSuggestion({ side, start, end, severity, suggestion = 0 }: Span): Span {
  return { side, start, end, severity, note: "", suggestion };
}

export function withSpans(answer: Answer, slot: string, spans: readonly Span[]): Answer {
  return withSlot(answer, slot, { ...answer.slots[slot], spans });
}

/** As if the translation had not been looked at. */
export function withoutSpans(answer: Answer, slot: string): Answer {
  const { spans: _, ...rest } = answer.slots[slot] ?? {};
  return withSlot(answer, slot, rest);
}

export function textOf(item: Item, slot: string, side: Side): string {
  return (side === "source" ? item.source : item.slots.find((shown) => shown.slot === slot)?.text) ?? "";
}

export function rankOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

export function isMissing({ start, end }: Pick<Span, "start" | "end">): boolean {
  return start === end;
}

/** The whole of the translation. */
export function wholeOf(item: Item, slot: string): Pick<Span, "side" | "start" | "end"> {
  return { side: "target", start: 0, end: lengthOf(textOf(item, slot, "target")) };
}
