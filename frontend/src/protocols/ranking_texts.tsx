/* Translations side by side, or one below the other with their ranks, below source or reference. */

import type { Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

import { type Item, withSlot } from "../workbench/api";
import { Read } from "../workbench/render/controls";
import { t } from "../workbench/words";
import { markedWords, type Part } from "./word_difference";
import type { TextsProps } from "./protocol";
import { rankOf } from "./rank_order";
import { Against, type Beside, moveAmongRows, SlotRows } from "./side_by_side";

export interface Comparing {
  readonly isPair: boolean;
  readonly showsDifferences: Signal<boolean>;
  readonly toggle: () => void;
}

export const rankId = (slot: string, rank: number): string => `rank-${slot}-${rank}`;

/** Only the current item shows its translations: with five systems each, the text would be hard to follow. */
export function RankingTexts({ comparing, beside, ...shown }: TextsProps & { comparing: Comparing; beside: Beside }) {
  const { item, page, isCurrent } = shown;
  return (
    <div class="across">
      <Against item={item} page={page} beside={beside} isNamed={isCurrent} />
      {isCurrent && (
        <>
          <label class="switch">
            <input
              type="checkbox"
              checked={comparing.showsDifferences.value}
              aria-keyshortcuts={page.single_keys ? "D" : undefined}
              onChange={comparing.toggle}
            />
            {t("Show differences")} {page.single_keys && <kbd aria-hidden="true">D</kbd>}
          </label>
          {comparing.isPair ? <Pair {...shown} comparing={comparing} /> : <Rows {...shown} comparing={comparing} />}
        </>
      )}
    </div>
  );
}

interface ComparedProps extends TextsProps {
  readonly comparing: Comparing;
}

function useMarkedWords(item: Item): Part[][] {
  return useMemo(() => markedWords(item.slots.map(({ text }) => text ?? "")), [item]);
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

function Pair({ item, answer, page, comparing }: ComparedProps) {
  const parts = useMarkedWords(item);
  const ranks = item.slots.map(({ slot }) => rankOf(answer, slot) ?? 0);
  return (
    <div class={comparing.showsDifferences.value ? "pair showdiff" : "pair"}>
      {item.slots.map(({ slot }, place) => (
        <article
          key={slot}
          class={(ranks[place] ?? 0) < Math.max(...ranks) ? "cand picked" : "cand"}
          aria-labelledby={`cand-${slot}`}
        >
          <header>
            <b id={`cand-${slot}`}>{slot}</b>
            <span class="lang">{page.target.name}</span>
          </header>
          <Read of={page.target}>{marked(parts[place])}</Read>
        </article>
      ))}
    </div>
  );
}

function Rows({ item, answer, page, change, comparing }: ComparedProps) {
  const parts = useMarkedWords(item);
  const ranks = item.slots.map((_, place) => place + 1);
  return (
    <SlotRows
      item={item}
      page={page}
      look={comparing.showsDifferences.value ? "ranks showdiff" : "ranks"}
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
                onChange={() => change({ answer: withSlot(answer, slot, { rank }), merge: "", typed: null })}
              />
              <b>{rank}</b>
            </label>
          ))}
        </div>
      )}
    />
  );
}
