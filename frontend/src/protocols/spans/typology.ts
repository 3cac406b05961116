/* The error typology of a campaign: its categories, what each demands, and which match a query. Pure. */

import { t } from "../../workbench/words";
import type { Described } from "./marking_state";
import type { Severity, Side, Span } from "./span";

export interface Category {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** One error of this kind; campaigns from before it was stored have none. */
  readonly example?: string;
  readonly can_be_chosen: boolean;
  /** The one severity it has; "" leaves the choice. */
  readonly severity: Severity | "";
  readonly needs_note: boolean;
  /** It covers the whole translation and replaces all other errors. */
  readonly annuls_others: boolean;
  readonly side: Side | "";
  readonly subcategories: readonly Category[];
}

/** A category that can be chosen: its path is what an answer keeps. */
export interface Choice extends Category {
  readonly path: string;
  /** The title of the category above it; "" at the top. */
  readonly group: string;
}

export function choicesOf(categories: readonly Category[]): Choice[] {
  return categories.flatMap((top) => [
    ...(top.can_be_chosen ? [{ ...top, path: top.name, group: "" }] : []),
    ...top.subcategories
      .filter((sub) => sub.can_be_chosen)
      .map((sub) => ({ ...sub, path: `${top.name}/${sub.name}`, group: top.title })),
  ]);
}

export function choiceAt(choices: readonly Choice[], path: string | undefined): Choice | undefined {
  return choices.find((choice) => choice.path === path);
}

/** In the words shown, ignoring case and marks: at a beginning of a word first, then anywhere, then the group. */
export function matching(choices: readonly Choice[], query: string): Choice[] {
  const plainQuery = plain(query);
  if (!plainQuery) return [...choices];
  const places = choices.map((choice) => ({ choice, place: matchOf(choice, plainQuery) }));
  return places.filter(({ place }) => place < NONE).map(({ choice }) => choice);
}

/** The one that Enter chooses: the first of the best matches. */
export function best(choices: readonly Choice[], query: string): Choice | undefined {
  const plainQuery = plain(query);
  if (!plainQuery) return undefined;
  return [...choices].sort((a, b) => matchOf(a, plainQuery) - matchOf(b, plainQuery)).at(0);
}

const NONE = 4;

function matchOf({ title, group }: Choice, plainQuery: string): number {
  const words = plain(t(title));
  if (words.startsWith(plainQuery)) return 0;
  if (words.includes(` ${plainQuery}`)) return 1;
  if (words.includes(plainQuery)) return 2;
  return plain(t(group)).startsWith(plainQuery) ? 3 : NONE;
}

function plain(words: string): string {
  return words.normalize("NFD").replace(/\p{M}/gu, "").trim().toLocaleLowerCase();
}

export function fits(choice: Choice, side: Side): boolean {
  return choice.side === "" || choice.side === side;
}

/** What is still missing from an error by the rules of its category; "" when nothing. Without categories, none is
    missing. */
export function missingPart(choices: readonly Choice[], error: Omit<Described, "missing">): Described["missing"] {
  const { category, severity, note } = error;
  const choice = choiceAt(choices, category);
  if (choices.length > 0 && !choice) return "category";
  if (!severity) return "severity";
  return choice?.needs_note && !note.trim() ? "note" : "";
}

export function annulling(choices: readonly Choice[], spans: readonly Span[]): Span | undefined {
  return spans.find(({ category }) => choiceAt(choices, category)?.annuls_others);
}
