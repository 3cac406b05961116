/* Ranking: which of two translations is better, or the order of up to five; ties are an answer. */

import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

import { ROWS } from "../workbench/render/rows";
import { type Answer, type Item, withSlot } from "../workbench/api";
import { visible } from "../workbench/markup";
import { Read } from "../workbench/render/controls";
import { t } from "../workbench/words";
import type { AnswerProps, Change, ControlProps, KeyHint, Protocol, Shown, Stroke, TextsProps } from "./protocol";
import { Against, type Beside, moveAmongRows, SlotRows } from "./side_by_side";
import { markedWords, type Part } from "./word_difference";

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
  const toggle = () => void (showsDifferences.value = !showsDifferences.value);
  return {
    parts: ROWS,
    beside: options.judge_against,
    layout: "rows",
    answerHeading: t("Order"),
    hints: (item) => hints(isPair, item.slots.length),
    keys: keyHints(isPair, options.systems_per_item),
    missing: (item, answer) => missing(item, answer, isPair),
    missingAt: (item, answer) => (isPair ? "" : rankId(unranked(item, answer)[0] ?? "", 1)),
    settled: withoutGaps,
    summary: inSigns,
    press: isPair ? pressPair : pressRank,
    look: ({ key }) => {
      if (key === "d") toggle();
      return key === "d";
    },
    Control: (props) => (isPair ? <PairControl {...props} /> : <OrderSoFar {...props} />),
    Texts: (props) => (
      <Texts
        {...props}
        beside={options.judge_against}
        isPair={isPair}
        isMarked={showsDifferences.value}
        toggle={toggle}
      />
    ),
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
  return open.length ? t("Give every translation a rank first. Missing: {slots}.", { slots: open.join(", ") }) : "";
}

function pressPair({ key }: Stroke, { item, answer }: Shown): Change | null {
  const verdict = /^[1-3]$/.test(key) ? Number(key) - 1 : -1;
  return verdict < 0 ? null : { answer: withVerdict(item, answer, verdict), focus: "submit" };
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
  return { answer: withSlot(answer, of, { rank }), focus: nextFocus(item, answer, of) };
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
              onChange={() => change({ answer: withVerdict(item, answer, verdict) })}
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

// --- the texts: side by side, or one below the other with their ranks ---------------------------------

interface ComparedProps extends AnswerProps {
  /** The words that no other translation has are marked. */
  readonly isMarked: boolean;
}

interface RankingTextsProps extends ComparedProps, TextsProps {
  readonly beside: Beside;
  readonly isPair: boolean;
  readonly toggle: () => void;
}

/** Only the current item shows its translations: with five systems each, the text would be hard to follow. */
function Texts({ beside, isPair, toggle, ...shown }: RankingTextsProps) {
  const { item, page, isCurrent, isMarked } = shown;
  return (
    <div class="across">
      <Against item={item} page={page} beside={beside} isNamed={isCurrent} />
      {isCurrent && (
        <>
          <label class="switch">
            <input
              type="checkbox"
              checked={isMarked}
              aria-keyshortcuts={page.single_keys ? "D" : undefined}
              onChange={toggle}
            />
            {t("Show differences")} {page.single_keys && <kbd aria-hidden="true">D</kbd>}
          </label>
          {isPair ? <Pair {...shown} /> : <Rows {...shown} />}
        </>
      )}
    </div>
  );
}

function useMarkedWords(item: Item): Part[][] {
  return useMemo(() => markedWords(item.slots.map(({ text }) => visible(text ?? ""))), [item]);
}

function marked(parts: readonly Part[] = []) {
  return parts.map(({ text, isOwn }, place) =>
    isOwn ? (
      <mark key={place} class="df">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

function Pair({ item, answer, page, change, isMarked }: ComparedProps) {
  const parts = useMarkedWords(item);
  // The radios in the dock are the control; a click on a text is a short way to them, but not while words are selected.
  const choose = (place: number) => {
    if (getSelection()?.isCollapsed === false) return;
    change({ answer: withVerdict(item, answer, place === 0 ? 0 : 2), focus: "submit" });
  };
  const ranks = item.slots.map(({ slot }) => rankOf(answer, slot) ?? 0);
  return (
    <div class={isMarked ? "pair showdiff" : "pair"}>
      {item.slots.map(({ slot, text }, place) => (
        <article
          key={slot}
          class={(ranks[place] ?? 0) < Math.max(...ranks) ? "cand picked" : "cand"}
          aria-labelledby={`cand-${slot}`}
          onClick={() => choose(place)}
        >
          <header>
            <b id={`cand-${slot}`}>{slot}</b>
            <span class="lang">{page.target.name}</span>
          </header>
          <Read of={page.target} text={text}>
            {marked(parts[place])}
          </Read>
        </article>
      ))}
    </div>
  );
}

function Rows({ item, answer, page, change, isMarked }: ComparedProps) {
  const parts = useMarkedWords(item);
  const ranks = item.slots.map((_, place) => place + 1);
  return (
    <SlotRows
      item={item}
      page={page}
      look={isMarked ? "ranks showdiff" : "ranks"}
      textOf={(place) => marked(parts[place])}
      onKeyDown={moveAmongRows}
      controls={(slot) => (
        <div
          class="opts"
          role="radiogroup"
          aria-label={t("Rank of {slot}", { slot })}
          aria-describedby={`text-${slot}`}
          style={{ "--k": ranks.length }}
        >
          {ranks.map((rank) => (
            <label key={rank} class="opt-b">
              <input
                type="radio"
                id={rankId(slot, rank)}
                name={`rank-${item.id}-${slot}`}
                aria-label={t("Rank {rank}", { rank })}
                checked={rankOf(answer, slot) === rank}
                data-first={slot === item.slots[0]?.slot && rank === (rankOf(answer, slot) ?? 1) ? "" : undefined}
                onChange={() => change({ answer: withSlot(answer, slot, { rank }) })}
              />
              <b>{rank}</b>
            </label>
          ))}
        </div>
      )}
    />
  );
}

function rankId(slot: string, rank: number): string {
  return `rank-${slot}-${rank}`;
}

// --- ranks as an order: which translation has which rank, which has none ------

function rankOf(answer: Answer, slot: string): number | null {
  const rank = answer.slots[slot]?.rank;
  return typeof rank === "number" ? rank : null;
}

function unranked(item: Item, answer: Answer): string[] {
  return item.slots.map(({ slot }) => slot).filter((slot) => rankOf(answer, slot) === null);
}

/** The best first; translations of one rank together. */
function tiers(item: Item, answer: Answer): string[][] {
  const byRank = new Map<number, string[]>();
  for (const { slot } of item.slots) {
    const rank = rankOf(answer, slot);
    if (rank !== null) byRank.set(rank, [...(byRank.get(rank) ?? []), slot]);
  }
  return [...byRank].sort(([one], [other]) => one - other).map(([, slots]) => slots);
}

/** The same order, in ranks that follow one another: 2, 1, 2, 4 are 2, 1, 2, 3. */
function withoutGaps(item: Item, answer: Answer): Answer {
  return tiers(item, answer).reduce(
    (sum, slots, place) => slots.reduce((inner, slot) => withSlot(inner, slot, { rank: place + 1 }), sum),
    answer,
  );
}

/** "A = C > B": the order in signs. */
function inSigns(item: Item, answer: Answer): string {
  return tiers(item, answer)
    .map((slots) => slots.join(" = "))
    .join(" > ");
}
