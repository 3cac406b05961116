/* Ranking: which of two translations is better, or the order of up to five; ties are an answer. */

import { signal } from "@preact/signals";

import { type Answer, type Item, withSlot } from "../workbench/api";
import { t } from "../workbench/words";
import type { Change, ControlProps, KeyHint, Protocol, Shown, Stroke } from "./protocol";
import { gaps, inSigns, rankOf, tiers, unranked } from "./rank_order";
import { type Comparing, rankId, RankingTexts } from "./ranking_texts";
import type { Beside } from "./side_by_side";

export interface RankingOptions {
  readonly systems_per_item: number;
  readonly judge_against: Beside;
  readonly show_differences: boolean;
}

/** What each answer of a pair says of the first and of the second translation. */
const VERDICTS: readonly (readonly [first: number, second: number])[] = [
  [1, 2],
  [1, 1],
  [2, 1],
];

export function ranking(options: RankingOptions): Protocol {
  const isPair = options.systems_per_item === 2;
  const showsDifferences = signal(options.show_differences);
  const toggle = () => {
    showsDifferences.value = !showsDifferences.value;
  };
  const comparing: Comparing = { isPair, showsDifferences, toggle };
  return {
    beside: options.judge_against,
    layout: "rows",
    answerHeading: t("Order"),
    hints: hints(isPair, options.systems_per_item),
    keys: keyHints(isPair, options.systems_per_item),
    missing: (item, answer) => missing(item, answer, isPair),
    summary: inSigns,
    press: isPair ? pressPair : pressRank,
    look: ({ key }) => {
      if (key === "d") toggle();
      return key === "d";
    },
    Control: (props) => (isPair ? <PairControl {...props} /> : <OrderSoFar {...props} />),
    Texts: (props) => <RankingTexts {...props} comparing={comparing} beside={options.judge_against} />,
  };
}

function hints(isPair: boolean, most: number): KeyHint[] {
  const differences = { keys: ["D"], does: t("differences") };
  if (isPair) return [{ keys: ["1", "2", "3"], does: t("A, equal, B") }, differences];
  return [
    { keys: ["1", "…", String(most)], does: t("rank and go to the next") },
    { keys: ["↑", "↓"], does: t("another translation") },
    differences,
  ];
}

function keyHints(isPair: boolean, most: number): KeyHint[] {
  const differences = { keys: ["D"], does: t("Show or hide differences") };
  if (isPair) return [{ keys: ["1", "2", "3"], does: t("A better, about equal, B better") }, differences];
  const digits = Array.from({ length: most }, (_, place) => String(place + 1));
  return [
    { keys: digits, does: t("Rank of the translation in focus, then the next one") },
    { keys: ["↑", "↓"], does: t("Another translation") },
    differences,
  ];
}

function missing(item: Item, answer: Answer, isPair: boolean): string {
  const open = unranked(item, answer);
  if (open.length && isPair) return t("First choose the better translation.");
  if (open.length) return t("Give every translation a rank first. Missing: {slots}.", { slots: open.join(", ") });
  const empty = gaps(item, answer);
  return empty.length
    ? t("No translation has rank {ranks}. Use ranks without gaps; equal translations share one rank.", {
        ranks: empty.join(", "),
      })
    : "";
}

function pressPair({ key }: Stroke, { item, answer }: Shown): Change | null {
  const verdict = /^[1-3]$/.test(key) ? Number(key) - 1 : -1;
  return verdict < 0 ? null : { answer: withVerdict(item, answer, verdict), merge: "", typed: null, focus: "submit" };
}

function withVerdict(item: Item, answer: Answer, verdict: number): Answer {
  const ranks = VERDICTS[verdict] ?? [];
  return item.slots.reduce((sum, { slot }, place) => withSlot(sum, slot, { rank: ranks[place] ?? 1 }), answer);
}

/** A digit ranks the translation in focus, else the first without a rank. */
function pressRank({ key, slot }: Stroke, { item, answer }: Shown): Change | null {
  const rank = /^\d$/.test(key) ? Number(key) : 0;
  const of = slot ?? unranked(item, answer)[0];
  if (of === undefined || rank < 1 || rank > item.slots.length) return null;
  return { answer: withSlot(answer, of, { rank }), merge: "", typed: null, focus: nextFocus(item, answer, of) };
}

/** The next translation without a rank; among ranked ones simply the next; after the last the main button. */
function nextFocus(item: Item, before: Answer, of: string): string {
  const slots = item.slots.map(({ slot }) => slot);
  const at = slots.indexOf(of);
  const inTurn = [...slots.slice(at + 1), ...slots.slice(0, at)];
  const next = unranked(item, before).length ? inTurn.find((slot) => rankOf(before, slot) === null) : slots[at + 1];
  return next === undefined ? "submit" : rankId(next, rankOf(before, next) ?? 1);
}

function PairControl({ item, answer, change }: ControlProps) {
  const [first, second] = item.slots.map(({ slot }) => slot);
  const words = [
    t("{slot} better", { slot: first ?? "" }),
    t("About equal"),
    t("{slot} better", { slot: second ?? "" }),
  ];
  const chosen = VERDICTS.findIndex((ranks) =>
    item.slots.every(({ slot }, place) => rankOf(answer, slot) === ranks[place]),
  );
  return (
    <fieldset class="stack-s pair-scale">
      <legend class="q">
        {t("Which translation is better?")} <span>{t("Consider meaning first, then language.")}</span>
      </legend>
      <div class="opts three">
        {words.map((word, verdict) => (
          <label key={verdict} class="opt-b mid">
            <input
              type="radio"
              name={`verdict-${item.id}`}
              checked={verdict === chosen}
              data-first={verdict === Math.max(chosen, 0) ? "" : undefined}
              aria-keyshortcuts={String(verdict + 1)}
              onChange={() => change({ answer: withVerdict(item, answer, verdict), merge: "", typed: null })}
            />
            <kbd aria-hidden="true">{verdict + 1}</kbd>
            <span>{word}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function OrderSoFar({ item, answer }: ControlProps) {
  const open = unranked(item, answer);
  return (
    <>
      <p class="q">
        {t("Rank the translations, 1 is best.")} <span>{t("The same rank twice is a tie.")}</span>
      </p>
      <p class="order" role="status">
        {tiers(item, answer).map((slots, place) => (
          <span key={slots.join("")}>
            {place > 0 && <i> {t("better than")} </i>}
            {slots.map((slot, index) => (
              <>
                {index > 0 && <i> = </i>}
                <b>{slot}</b>
              </>
            ))}
          </span>
        ))}
        {open.length > 0 && (
          <i>
            {open.length < item.slots.length && " "}
            {t("to rank: {slots}", { slots: open.join(", ") })}
          </i>
        )}
      </p>
    </>
  );
}
