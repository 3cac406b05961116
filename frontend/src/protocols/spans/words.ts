/* Errors in words: for the list, the dialog, and people who cannot see the strokes. */

import type { Answer, Item } from "../../workbench/api";
import { visible } from "../../workbench/markup";
import { t } from "../../workbench/words";
import { isMissing, type Severity, type Side, type Span, spansOf, textOf } from "./span";
import { lengthOf, lettersIn, quote, type TextUnits } from "./text_units";
import { type Choice, choiceAt } from "./typology";

export function severityWord(severity: Severity): string {
  return { neutral: t("Neutral"), minor: t("Minor"), major: t("Major"), critical: t("Critical") }[severity];
}

export function categoryWord(choices: readonly Choice[], span: Span): string {
  const choice = choiceAt(choices, span.category);
  return choice ? t(choice.title) : isMissing(span) ? t("Missing content") : "";
}

/** "error 2, major, mistranslation". */
export function describe(choices: readonly Choice[], span: Span, number: number): string {
  const severity = severityWord(span.severity).toLocaleLowerCase();
  const choice = choiceAt(choices, span.category);
  const known = choice
    ? t("error {number}, {severity}, {category}", { number, severity, category: t(choice.title).toLocaleLowerCase() })
    : t("error {number}, {severity}", { number, severity });
  return isMissing(span) ? t("{error}, missing content before it", { error: known }) : known;
}

const LONGEST_QUOTE = 60;
const AROUND_A_HOLE = 20;
/** Code points: some letters are of ten and more. */
const ENOUGH = 16 * AROUND_A_HOLE;

/** The marked text; of missing content, the text around its place. */
export function quoteOf(item: Item, slot: string, span: Span): string {
  const text = textOf(item, slot, span.side);
  if (!isMissing(span)) return shortened(quote(text, span));
  const before = lettersIn(quote(text, { start: Math.max(0, span.start - ENOUGH), end: span.start }))
    .slice(-AROUND_A_HOLE)
    .join("");
  const after = lettersIn(quote(text, { start: span.start, end: span.start + ENOUGH }))
    .slice(0, AROUND_A_HOLE)
    .join("");
  const isCut = { before: lengthOf(before) < span.start, after: span.start + lengthOf(after) < lengthOf(text) };
  return `${isCut.before ? "…" : ""}${before}‸${after}${isCut.after ? "…" : ""}`;
}

export function shortened(marked: string): string {
  const words = visible(marked);
  if (words.length <= LONGEST_QUOTE) return words;
  const letters = lettersIn(words);
  return letters.length > LONGEST_QUOTE ? `${letters.slice(0, LONGEST_QUOTE).join("")}…` : words;
}

/** The whole answer, with offsets: the same words may occur twice in a text. */
export function spansInWords(
  item: Item,
  answer: Answer,
  choices: readonly Choice[],
  more: (slot: string) => string = () => "",
): string {
  const ofSlot = (slot: string) => {
    const spans = spansOf(item, answer, slot);
    const errors = spans.map((span, place) => {
      const at = `${span.side} ${span.start}-${span.end}: ${quoteOf(item, slot, span)}`;
      return `${describe(choices, span, place + 1)}, ${at}${span.note && ` (${span.note})`}`;
    });
    return [item.slots.length > 1 ? slot : "", more(slot), ...(errors.length ? errors : [t("No errors.")])]
      .filter(Boolean)
      .join("\n");
  };
  return item.slots.map(({ slot }) => ofSlot(slot)).join("\n");
}

/** What a reader of a word hears of the errors it is part of. */
export function descriptionOf(choices: readonly Choice[], spans: readonly Span[], places: readonly number[]) {
  const words = places.flatMap((place) => {
    const span = spans[place];
    return span ? [describe(choices, span, place + 1)] : [];
  });
  return words.length ? words.join("; ") : undefined;
}

/** At the end of the text no word follows missing content: the last word names it. */
export function holesAtEnd({ length }: TextUnits, spans: readonly Span[], side: Side): number[] {
  return spans.flatMap((span, place) => (span.side === side && isMissing(span) && span.start >= length ? [place] : []));
}
