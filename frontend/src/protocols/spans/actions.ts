/* What can be done to the errors of a translation, each as a function from one answer to the next. Pure. */

import type { Answer, Item } from "../../workbench/api";
import { type Span, spansOf, wholeOf, withoutSpans, withSpans } from "./span";
import { annulling, type Choice, choiceAt } from "./typology";

/** What a campaign allows. `most`: 0 for no limit. */
export interface Rules {
  readonly choices: readonly Choice[];
  readonly most: number;
  /** That there is no error has to be said: a translation without spans is not judged. */
  readonly saysNone: boolean;
}

export type Refusal = "" | "full" | "annulled";

/** Why no further error can be marked. */
export function refusal(item: Item, answer: Answer, slot: string, { choices, most }: Rules): Refusal {
  const spans = spansOf(item, answer, slot) ?? [];
  if (annulling(choices, spans)) return "annulled";
  return most > 0 && spans.length >= most ? "full" : "";
}

/** A category that annuls the others takes the whole translation, alone. */
export function add(item: Item, answer: Answer, slot: string, span: Span, { choices }: Rules): Answer {
  const spans = spansOf(item, answer, slot) ?? [];
  if (choiceAt(choices, span.category)?.annuls_others)
    return withSpans(answer, slot, [{ ...span, ...wholeOf(item, slot) }]);
  return withSpans(answer, slot, [...spans, span]);
}

export function replace(
  item: Item,
  answer: Answer,
  slot: string,
  place: number,
  span: Span,
  { choices }: Rules,
): Answer {
  const spans = spansOf(item, answer, slot) ?? [];
  if (!spans[place]) return answer;
  if (choiceAt(choices, span.category)?.annuls_others)
    return withSpans(answer, slot, [{ ...span, ...wholeOf(item, slot) }]);
  return withSpans(
    answer,
    slot,
    spans.map((old, other) => (other === place ? span : old)),
  );
}

export function remove(item: Item, answer: Answer, slot: string, place: number, { saysNone }: Rules): Answer {
  const spans = spansOf(item, answer, slot) ?? [];
  if (!spans[place]) return answer;
  const rest = spans.filter((_, other) => other !== place);
  return rest.length === 0 && saysNone ? withoutSpans(answer, slot) : withSpans(answer, slot, rest);
}

export function clean(answer: Answer, slot: string): Answer {
  return withSpans(answer, slot, []);
}

/** The places of the errors over a stretch of one side, the shortest first. */
export function spansAt(spans: readonly Span[], side: Span["side"], start: number, end: number): number[] {
  const touches = (span: Span) =>
    span.start === span.end ? span.start >= start && span.start < end : span.start < end && start < span.end;
  const places = spans.map((_, place) => place).filter((place) => spans[place]?.side === side && touches(spans[place]));
  const size = (place: number) => (spans[place]?.end ?? 0) - (spans[place]?.start ?? 0);
  return places.sort((a, b) => size(a) - size(b));
}
