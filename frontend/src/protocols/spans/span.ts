/* The errors of a translation: read from an answer, and each change to them as a function from one answer to the next.
   Pure. */

import { type Answer, type Item, withSlot } from "../../workbench/api";
import { type Cell, lengthOf } from "./text_units";
import { annulling, type Choice, choiceAt } from "./typology";

export type Side = "source" | "target";
export const SEVERITIES = ["neutral", "minor", "major", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Offsets in code points; if `start` is `end`, content is missing. Not every protocol has a `category`. */
export interface Span extends Cell {
  readonly side: Side;
  readonly category?: string;
  readonly severity: Severity;
  readonly note: string;
  /** The number of the suggested error it began as. */
  readonly suggestion?: number;
}

/** The errors of the answer, else the suggested ones. */
export function spansOf(item: Item, answer: Answer, slot: string): readonly Span[] {
  return answeredSpans(item, answer, slot) ?? [];
}

/** null while the translation is not answered: an annotator has to confirm that it has no errors. */
export function answeredSpans(item: Item, answer: Answer, slot: string): readonly Span[] | null {
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

export function textOf(item: Item, slot: string, side: Side): string {
  return (side === "source" ? item.source : item.slots.find((shown) => shown.slot === slot)?.text) ?? "";
}

export function rankOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

export function isMissing({ start, end }: Cell): boolean {
  return start === end;
}

/** What a campaign allows. `most`: 0 for no limit. */
export interface Rules {
  readonly choices: readonly Choice[];
  readonly most: number;
  /** The annotator confirms that there is no error: without that a translation without spans is not judged. */
  readonly mustConfirmNone: boolean;
}

export type Refusal = "" | "full" | "annulled";

/** Why no further error can be marked. */
export function refusal(item: Item, answer: Answer, slot: string, { choices, most }: Rules): Refusal {
  const spans = spansOf(item, answer, slot);
  if (annulling(choices, spans)) return "annulled";
  return most > 0 && spans.length >= most ? "full" : "";
}

/** `place`: the error that is replaced; null for a new one. A category that annuls the others takes the whole
    translation, alone. */
export function put(item: Item, answer: Answer, slot: string, place: number | null, span: Span, rules: Rules): Answer {
  const spans = spansOf(item, answer, slot);
  if (place !== null && !spans[place]) return answer;
  if (choiceAt(rules.choices, span.category)?.annuls_others) {
    const end = lengthOf(textOf(item, slot, "target"));
    return withSpans(answer, slot, [{ ...span, side: "target", start: 0, end }]);
  }
  const replaced = spans.map((old, other) => (other === place ? span : old));
  return withSpans(answer, slot, place === null ? [...spans, span] : replaced);
}

export function remove(item: Item, answer: Answer, slot: string, place: number, { mustConfirmNone }: Rules): Answer {
  const spans = spansOf(item, answer, slot);
  if (!spans[place]) return answer;
  const rest = spans.filter((_, other) => other !== place);
  if (rest.length > 0 || !mustConfirmNone) return withSpans(answer, slot, rest);
  const { spans: _, ...others } = answer.slots[slot] ?? {};
  return withSlot(answer, slot, others); // as if the translation had not been looked at
}

/** The places of the errors over a stretch of one side, the shortest first. */
export function spansAt(spans: readonly Span[], side: Span["side"], start: number, end: number): number[] {
  const touches = (span: Span) =>
    span.start === span.end ? span.start >= start && span.start < end : span.start < end && start < span.end;
  const places = spans.map((_, place) => place).filter((place) => spans[place]?.side === side && touches(spans[place]));
  const size = (place: number) => (spans[place]?.end ?? 0) - (spans[place]?.start ?? 0);
  return places.sort((a, b) => size(a) - size(b));
}
