/* A text cut into runs that look alike: an element a run, not a word, unless the words are wanted. Pure. */

import { pointsShown, visible } from "../../workbench/markup";
import { lanesOf } from "../spans/pieces";
import type { Cell, TextUnits, Unit } from "../spans/text_units";
import type { Mark, Severity } from "./cell_answer";

export interface Stroke {
  readonly severity: Severity;
  /** The place of the mark among those of the translation. */
  readonly place: number;
}

export interface Run extends Cell {
  readonly text: string;
  /** By lane; undefined where the lane is free. */
  readonly strokes: readonly (Stroke | undefined)[];
  readonly isNear: boolean;
  readonly isChosen: boolean;
  /** Ends of what is chosen, for its outline. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export interface Placed extends Cell, Stroke {}

export interface Look {
  readonly marks: readonly Placed[];
  /** The words that correspond to those in focus elsewhere in the row. */
  readonly near: Cell | null;
  /** What is chosen in this text. */
  readonly chosen: Cell | null;
}

/** The marks of one side, with their place among all. */
export function placedOn(side: Mark["side"], marks: readonly Mark[]): Placed[] {
  return marks.flatMap((mark, place) => (mark.side === side ? [{ ...mark, place }] : []));
}

export function laneCount(marks: readonly Cell[]): number {
  return marks.length ? Math.max(...lanesOf(marks)) + 1 : 0;
}

/** Rarely are there more than two: then the lines are wider apart. */
export function furtherLanes(marks: readonly Mark[]): number {
  return marks.length > 2 ? Math.max(0, laneCount(placedOn("target", marks)) - 2) : 0;
}

/** The runs of the whole text. Its words are not looked for: that takes time in a long document. */
export function runsOf(text: string, look: Look): Run[] {
  if (look.marks.length === 0 && !look.near && !look.chosen) return [plain(visible(text))];
  const points = characters(text);
  return cut({ start: 0, end: points.length }, points, look, lanesOf(look.marks));
}

/** Of each word and each space; a bound within a word cuts it. */
export function runsByUnit(units: TextUnits, look: Look): { unit: Unit; runs: Run[] }[] {
  const points = characters(units.text);
  const lanes = lanesOf(look.marks);
  const touched = [...look.marks, ...(look.near ? [look.near] : []), ...(look.chosen ? [look.chosen] : [])];
  return units.units.map((unit) => {
    const isTouched = touched.some(({ start, end }) => start < unit.end && unit.start < end);
    return { unit, runs: isTouched ? cut(unit, points, look, lanes) : [plain(unit.text, unit)] };
  });
}

function plain(text: string, { start, end }: Cell = { start: 0, end: text.length }): Run {
  return { start, end, text, strokes: [], isNear: false, isChosen: false, isFirst: false, isLast: false };
}

const known = new Map<string, readonly string[]>();
const MOST_KNOWN = 200;

/** The same text is taken apart once; of what is not shown the characters are empty. */
export function characters(text: string): readonly string[] {
  const cached = known.get(text);
  if (cached) return cached;
  if (known.size >= MOST_KNOWN) known.clear();
  const made = pointsShown(text);
  known.set(text, made);
  return made;
}

function cut(area: Cell, points: readonly string[], { marks, near, chosen }: Look, lanes: readonly number[]): Run[] {
  const edges = [...marks, ...(near ? [near] : []), ...(chosen ? [chosen] : [])].flatMap(({ start, end }) => [
    start,
    end,
  ]);
  const inner = edges.filter((edge) => edge > area.start && edge < area.end);
  const cuts = [...new Set([area.start, ...inner, area.end])].sort((one, other) => one - other);
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index] ?? area.start;
    const strokes: (Stroke | undefined)[] = [];
    marks.forEach((mark, place) => {
      if (mark.start < end && start < mark.end) strokes[lanes[place] ?? 0] = mark;
    });
    const isChosen = within(chosen, start, end);
    return {
      start,
      end,
      text: points.slice(start, end).join(""),
      strokes: Array.from(strokes),
      isNear: within(near, start, end),
      isChosen,
      isFirst: isChosen && chosen?.start === start,
      isLast: isChosen && chosen?.end === end,
    };
  });
}

function within(cell: Cell | null, start: number, end: number): boolean {
  return cell !== null && cell.start < end && start < cell.end;
}

/** The words of one text that stand where `place` stands in another of `length`: by proportion, a little wider. */
export function corresponding(units: TextUnits, place: Cell, length: number): Cell | null {
  if (units.words.length === 0 || length === 0) return null;
  const ratio = units.length / length;
  const margin = Math.max(4, units.length * 0.02);
  const from = place.start * ratio - margin;
  const to = place.end * ratio + margin;
  const touched = units.words.filter(({ start, end }) => start < to && end > from);
  const first = touched[0];
  const last = touched.at(-1);
  return first && last ? { start: first.start, end: last.end } : null;
}

/** Whole words, or characters where a language is written without spaces: what a mark consists of. */
export function snapped({ words }: TextUnits, one: number, other: number): Cell | null {
  const from = Math.min(one, other);
  const to = Math.max(one, other);
  const first = words.find(({ end }) => end > from);
  const last = [...words].reverse().find(({ start }) => start <= Math.max(from, to));
  if (!first || !last) return null;
  return first.start <= last.start ? { start: first.start, end: last.end } : { start: first.start, end: first.end };
}
