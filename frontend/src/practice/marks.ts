/* Expected and given marks in words, and as pieces of their text. Places are in code points. Pure. */

import type { Feedback } from "../workbench/api";
import { t } from "../workbench/words";

type MarkVerdict = Feedback["marks"][number];
/** `almost`: marked, but with another severity or category, or with other bounds. */
export type Kind = "found" | "almost" | "missed" | "extra";

interface Piece {
  readonly words: string;
  readonly isExpected: boolean;
  readonly isGiven: boolean;
}

type Range = readonly [start: number, end: number];

/** From its earliest start to its latest end. */
function expectedRange({ expected }: MarkVerdict): Range | null {
  return expected?.start && expected.end ? [expected.start[0]!, expected.end[1]!] : null;
}

function givenRange({ given }: MarkVerdict): Range | null {
  return given?.start !== undefined && given.end !== undefined ? [given.start, given.end] : null;
}

export function painted(text: string, marks: readonly MarkVerdict[]): Piece[] {
  const characters = Array.from(text);
  const rangesBy = (rangeOf: (mark: MarkVerdict) => Range | null) =>
    marks.map(rangeOf).filter((range): range is Range => range !== null);
  const expected = rangesBy(expectedRange);
  const given = rangesBy(givenRange);
  const cuts = [...new Set([0, characters.length, ...[...expected, ...given].flat()])].sort((a, b) => a - b);
  const isIn = (ranges: readonly Range[], place: number) =>
    ranges.some(([start, end]) => start <= place && place < end);
  return cuts
    .slice(0, -1)
    .map((cut, place) => ({
      words: characters.slice(cut, cuts[place + 1]).join(""),
      isExpected: isIn(expected, cut),
      isGiven: isIn(given, cut),
    }));
}

export function markWords(
  mark: MarkVerdict,
  text: string,
  options: Readonly<Record<string, unknown>>,
): { kind: Kind; words: string } {
  const named = (tag: string | undefined, range: Range | null) =>
    tag ? tagTitle(tag, options) : range && range[0] < range[1] ? quoted(text, range) : t("Missing content");
  const expected = named(mark.expected?.tag, expectedRange(mark));
  const given = named(mark.given?.tag, givenRange(mark));
  const wanted = mark.expected ? kindOf(mark.expected) : "";
  const chosen = mark.given ? kindOf(mark.given) : "";
  switch (mark.outcome) {
    case "found":
      return { kind: "found", words: joined(given, chosen) };
    case "other_kind":
      return {
        kind: "almost",
        words: t("{words}: you chose {chosen}, expected is {wanted}.", { words: given, chosen, wanted }),
      };
    case "other_place":
      return {
        kind: "almost",
        words: t("you marked {given}, expected is {expected}.", {
          given: joined(given, chosen),
          expected: joined(expected, wanted),
        }),
      };
    case "missed":
      return { kind: "missed", words: joined(expected, wanted) };
    case "extra":
      return { kind: "extra", words: joined(given, chosen) };
  }
}

function quoted(text: string, [start, end]: Range): string {
  return t("“{words}”", { words: Array.from(text).slice(start, end).join("") });
}

function joined(words: string, kind: string): string {
  return kind ? `${words}, ${kind}` : words;
}

interface Kinded {
  readonly severity?: string;
  readonly category?: string;
}

function kindOf({ severity, category }: Kinded): string {
  return [severity && severityWord(severity), category?.split("/").at(-1)?.replaceAll("-", " ")]
    .filter(Boolean)
    .join(", ");
}

function severityWord(severity: string): string {
  const known: Record<string, string> = {
    neutral: t("neutral"),
    minor: t("minor"),
    major: t("major"),
    critical: t("critical"),
  };
  return known[severity] ?? severity;
}

function tagTitle(tag: string, options: Readonly<Record<string, unknown>>): string {
  const tags = Array.isArray(options.tags) ? (options.tags as { name: string; title: string }[]) : [];
  const title = tags.find(({ name }) => name === tag)?.title ?? "Missing content";
  return t(title);
}
