/* A text in its words and its letters, by offsets in code points: the offsets a judgment stores. Pure. */

import { markupIn } from "../../workbench/markup";

/** From `start` up to, not including, `end`. */
export interface Cell {
  readonly start: number;
  readonly end: number;
}

/** `isSpace`: nothing to mark by itself; a span may run over it. Of markup `text` is empty. */
export interface Unit extends Cell {
  readonly text: string;
  readonly isSpace: boolean;
}

export interface TextUnits {
  readonly text: string;
  /** All of the text, in turn. */
  readonly units: readonly Unit[];
  /** Those that can be marked. */
  readonly words: readonly Unit[];
  /** What a reader takes for one character, however many code points it is made of. */
  readonly letters: readonly Cell[];
  readonly length: number;
}

/** Languages written without spaces: spans may begin inside a word. */
const WITHOUT_SPACES = /^(zh|yue|wuu|ja|th|lo|km|my|bo|dz)\b/i;
/** Where the browser cannot cut texts: letters with their marks, flags, and emoji joined to one. */
const LETTER =
  /\p{RI}{2}|\r\n|\P{M}(?:[\p{M}\u{1F3FB}-\u{1F3FF}\u{E0020}-\u{E007F}]|\u200D\p{Extended_Pictographic})*|\p{M}+/gsu;
/** Each code unit is a letter, and making the browser's own cutter takes longer than cutting. */
const ONE_BY_ONE = /^[\n -~\u00A0-\u02FF]*$/;
const WORD = /\s+|[\p{L}\p{N}\p{M}\u200C\u200D]+/gsu;

const known = new Map<string, TextUnits>();
const MOST_KNOWN = 200;

/** The same text in the same language is cut once. */
export function unitsOf(text: string, language: string): TextUnits {
  const key = `${language}\n${text}`;
  const cached = known.get(key);
  if (cached) return cached;
  if (known.size >= MOST_KNOWN) known.clear();
  const made = cutUp(text, language);
  known.set(key, made);
  return made;
}

export function cutUp(text: string, language: string): TextUnits {
  const at = codePointAt(text);
  const marks = markupIn(text);
  const isMark = (cut: number) => marks.some(({ start, end }) => start <= cut && cut < end);
  const wordCuts = around(
    marks,
    WITHOUT_SPACES.test(language) ? letterCuts(text, language) : wordCutsOf(text, language),
  );
  const units = wordCuts.slice(1).map((end, place): Unit => {
    const begin = wordCuts[place] ?? 0;
    const piece = isMark(begin) ? "" : text.slice(begin, end);
    return { text: piece, start: at(begin), end: at(end), isSpace: !piece.trim() };
  });
  let letters: Cell[] | null = null;
  return {
    text,
    units,
    words: units.filter(({ isSpace }) => !isSpace),
    length: at(text.length),
    get letters() {
      return (letters ??= lettersBetween(letterCuts(text, language), at, isMark));
    },
  };
}

function lettersBetween(cuts: readonly number[], at: At, isMark: (cut: number) => boolean): Cell[] {
  return cuts
    .slice(1)
    .map((end, place) => ({ start: at(cuts[place] ?? 0), end: at(end) }))
    .filter((_, place) => !isMark(cuts[place] ?? 0));
}

/** Never within a letter. */
function wordCutsOf(text: string, language: string): readonly number[] {
  const words = cuts(text, language, "word");
  if (ONE_BY_ONE.test(text)) return words;
  const isLetterCut = new Set(cuts(text, language, "grapheme"));
  return words.filter((cut) => isLetterCut.has(cut));
}

function letterCuts(text: string, language: string): readonly number[] {
  if (ONE_BY_ONE.test(text)) return Array.from({ length: text.length + 1 }, (_, index) => index);
  return cuts(text, language, "grapheme");
}

/** Each mark in one piece. */
function around(marks: readonly Cell[], cuts: readonly number[]): readonly number[] {
  if (marks.length === 0) return cuts;
  const outside = cuts.filter((cut) => !marks.some(({ start, end }) => start < cut && cut < end));
  return [...new Set([...outside, ...marks.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
}

type At = (index: number) => number;

/** For a UTF-16 index the number of code points before it. */
function codePointAt(text: string): At {
  if (!/[\uD800-\uDFFF]/.test(text)) return (index) => index;
  const starts: number[] = [];
  let points = 0;
  for (const character of text) {
    for (let index = 0; index < character.length; index += 1) starts.push(points);
    points += 1;
  }
  return (index) => starts[index] ?? points;
}

/** The UTF-16 indices between the pieces, with both ends of the text. */
function cuts(text: string, language: string, granularity: "word" | "grapheme"): number[] {
  const segmenter = segmenterFor(language, granularity);
  const starts = segmenter
    ? Array.from(segmenter.segment(text), ({ index }) => index)
    : cutsByPattern(text, granularity);
  return [...new Set([0, ...starts, text.length])];
}

function cutsByPattern(text: string, granularity: "word" | "grapheme"): number[] {
  return [...text.matchAll(granularity === "word" ? WORD : LETTER)].flatMap((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}

const segmenters = new Map<string, Intl.Segmenter>(); // making one takes a millisecond

function segmenterFor(language: string, granularity: "word" | "grapheme"): Intl.Segmenter | null {
  if (!("Segmenter" in Intl)) return null;
  const key = language + granularity;
  let segmenter = segmenters.get(key);
  if (segmenter) return segmenter;
  try {
    segmenter = new Intl.Segmenter(language || undefined, { granularity });
  } catch {
    segmenter = new Intl.Segmenter(undefined, { granularity }); // an invalid language tag: cut without it
  }
  segmenters.set(key, segmenter);
  return segmenter;
}

/** The text between two offsets. */
export function quote(text: string, { start, end }: Cell): string {
  return [...text].slice(start, end).join("");
}

export function lettersIn(text: string): string[] {
  const bounds = cuts(text, "", "grapheme");
  return bounds.slice(1).map((end, place) => text.slice(bounds[place], end));
}

export function lengthOf(text: string): number {
  return [...text].length;
}
