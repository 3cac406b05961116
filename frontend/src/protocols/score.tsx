/* One score from 0 to 100 for each translation: read from an answer, entered by slider or keys. */

import type { Answer, Item } from "../workbench/api";
import { t } from "../workbench/words";
import type { Change, ControlProps, Shown, Stroke } from "./protocol";
import { keyScore } from "./score_keys";
import { type Anchor, Slider } from "./slider";

export interface ScoreOptions {
  readonly anchors: readonly Anchor[];
  readonly question: string;
  readonly systems_per_screen: number;
}

/** The answer with that score. */
export type WithScore = (item: Item, answer: Answer, slot: string, score: number) => Answer;

export function scoreOf(answer: Answer, slot: string): number | null {
  const score = answer.slots[slot]?.score;
  return typeof score === "number" ? score : null;
}

export function unscored(item: Item, answer: Answer): string[] {
  return item.slots.map(({ slot }) => slot).filter((slot) => scoreOf(answer, slot) === null);
}

/** A key goes to the slider in focus, else to the first one without a score, else to the first. */
export function pressScore(stroke: Stroke, { item, answer, typed }: Shown, withScore: WithScore): Change | null {
  const slot = stroke.slot ?? typed?.slot ?? unscored(item, answer)[0] ?? item.slots[0]?.slot;
  if (slot === undefined) return null;
  const keyed = keyScore(stroke, slot, scoreOf(answer, slot), typed);
  if (!keyed) return null;
  return { answer: withScore(item, answer, slot, keyed.score), merge: `${keyed.merge}:${slot}`, typed: keyed.typed };
}

interface ScoreProps extends ControlProps {
  readonly options: ScoreOptions & { readonly show_number?: boolean };
  readonly slot: string;
  readonly withScore: WithScore;
  readonly isFirst?: boolean;
  readonly isBare?: boolean;
}

export function Score({ item, answer, change, options, slot, withScore, isFirst = false, isBare = false }: ScoreProps) {
  return (
    <Slider
      id={`score-${slot}`}
      name={item.slots.length === 1 ? t("Score") : t("Score of {slot}", { slot })}
      slot={slot}
      questionId="question"
      score={scoreOf(answer, slot)}
      anchors={options.anchors}
      showNumber={options.show_number ?? true}
      isFirst={isFirst}
      isBare={isBare}
      onScore={(score) =>
        change({ answer: withScore(item, answer, slot, score), merge: `dragged:${slot}`, typed: null })
      }
    />
  );
}

/** What the marks of the slider mean, in the question: seen where the sliders are apart from it, else read out. */
export function AnchorWords({ options, isSeen }: { options: ScoreOptions; isSeen: boolean }) {
  return (
    <span class={isSeen ? "key" : "vh"}>
      {" "}
      {options.anchors.map(([place, label]) => `${place}: ${t(label)}`).join(", ")}
    </span>
  );
}
