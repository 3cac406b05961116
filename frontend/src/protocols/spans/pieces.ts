/* Each word cut into the pieces that spans and a selection make of it, and the strokes below each piece. Pure. */

import { rankOf, type Side, type Span } from "./span";
import { type Cell, quote, type TextUnits, type Unit } from "./text_units";

/** `number` counts from one; `isFirst`: the span begins here, with its number. */
export interface Stroke {
  readonly number: number;
  readonly rank: number;
  readonly lane: number;
  readonly isFirst: boolean;
}

export interface Piece extends Cell {
  readonly text: string;
  readonly strokes: readonly Stroke[];
  readonly isSelected: boolean;
}

/** Missing content at a place, shown before the word that begins there, or after the last one. */
export interface Hole {
  readonly number: number;
  readonly rank: number;
}

export interface DrawnUnit extends Unit {
  readonly pieces: readonly Piece[];
  readonly before: readonly Hole[];
  /** The most serious severity in it; -1 where there is none. */
  readonly worst: number;
  /** The places of the spans that touch it. */
  readonly spans: readonly number[];
}

export interface Drawing {
  readonly units: readonly DrawnUnit[];
  readonly after: readonly Hole[];
  readonly lanes: number;
}

/** One side; the numbers of the spans count those of both. */
export function draw({ units, length }: TextUnits, spans: readonly Span[], side: Side, selected: Cell | null): Drawing {
  const numbered = spans.map((span, place) => ({ span, place })).filter(({ span }) => span.side === side);
  const lanes = lanesOf(numbered.map(({ span }) => span));
  const marks = numbered.map(({ span, place }, index): Mark => ({
    start: span.start,
    end: span.end,
    place,
    rank: rankOf(span.severity),
    lane: lanes[index] ?? 0,
  }));
  const areas = marks.filter(({ start, end }) => start < end);
  const holes = marks.filter(({ start, end }) => start === end);
  return {
    units: units.map((unit) => drawUnit(unit, areas, holes, selected)),
    after: holes.filter((hole) => hole.start >= length).map(holeOf),
    lanes: areas.length ? Math.max(...areas.map(({ lane }) => lane)) + 1 : 0,
  };
}

interface Mark extends Cell {
  readonly place: number;
  readonly rank: number;
  readonly lane: number;
}

function holeOf({ place, rank }: Mark): Hole {
  return { number: place + 1, rank };
}

function drawUnit(unit: Unit, areas: readonly Mark[], holes: readonly Mark[], selected: Cell | null): DrawnUnit {
  const here = areas.filter((mark) => overlap(mark, unit));
  const missing = holes.filter((hole) => hole.start >= unit.start && hole.start < unit.end);
  const edges = selected ? [...here, selected] : here;
  const inner = edges.flatMap(({ start, end }) => [start, end]).filter((edge) => edge > unit.start && edge < unit.end);
  const cuts = [...new Set([unit.start, ...inner, unit.end])].sort((a, b) => a - b);
  const pieces = cuts.slice(1).map((end, index): Piece => {
    const cell = { start: cuts[index] ?? unit.start, end };
    const text =
      cuts.length === 2 ? unit.text : quote(unit.text, { start: cell.start - unit.start, end: end - unit.start });
    return { ...cell, text, strokes: strokesOf(cell, here), isSelected: selected !== null && overlap(selected, cell) };
  });
  return {
    ...unit,
    pieces,
    before: missing.map(holeOf),
    worst: Math.max(-1, ...here.map(({ rank }) => rank)),
    spans: [...here, ...missing].map(({ place }) => place),
  };
}

function strokesOf(cell: Cell, marks: readonly Mark[]): Stroke[] {
  return marks
    .filter((mark) => overlap(mark, cell))
    .map(({ place, rank, lane, start }) => ({ number: place + 1, rank, lane, isFirst: start === cell.start }));
}

export function overlap(one: Cell, other: Cell): boolean {
  return one.start < other.end && other.start < one.end;
}

/** The lane of each span, in their order. Long ones are nearest to the text; missing content takes no lane. */
export function lanesOf(spans: readonly Cell[]): number[] {
  const lanes = spans.map(() => 0);
  const order = spans.map(({ start, end }, place) => ({ start, end, place })).filter(({ start, end }) => start < end);
  order.sort((a, b) => a.start - b.start || b.end - a.end || a.place - b.place);
  const endsOf: number[] = [];
  for (const { start, end, place } of order) {
    const free = endsOf.findIndex((before) => before <= start);
    const lane = free < 0 ? endsOf.length : free;
    endsOf[lane] = end;
    lanes[place] = lane;
  }
  return lanes;
}
