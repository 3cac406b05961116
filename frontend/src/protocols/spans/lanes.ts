/* Which stroke hangs how far below the text: spans that overlap have lanes of their own. Pure. */

import type { Cell } from "./text_units";

/** The lane of each span, in the order given. The long ones lie nearest to the text; what is missing takes no lane. */
export function lanesOf(spans: readonly Cell[]): number[] {
  const lanes = spans.map(() => 0);
  const order = spans.map((_, place) => place).filter((place) => !isPoint(spans[place]));
  order.sort((a, b) => compare(spans[a], spans[b]) || a - b);
  const endsOf: number[] = [];
  for (const place of order) {
    const { start, end } = spans[place] ?? { start: 0, end: 0 };
    const free = endsOf.findIndex((before) => before <= start);
    const lane = free < 0 ? endsOf.length : free;
    endsOf[lane] = end;
    lanes[place] = lane;
  }
  return lanes;
}

function isPoint(span: Cell | undefined): boolean {
  return !span || span.start === span.end;
}

function compare(one: Cell | undefined, other: Cell | undefined): number {
  if (!one || !other) return 0;
  return one.start - other.start || other.end - one.end;
}
