/* One score from 0 to 100 for each translation: read from an answer, entered by slider or keys. */

import type { ComponentChildren } from "preact";

import type { Answer, Item } from "../workbench/api";
import type { Typed } from "../workbench/state";
import { t } from "../workbench/words";
import type { AnswerProps, Change, Shown, Stroke } from "./protocol";
import { StillOpen } from "./side_by_side";

export interface ScoreOptions {
  readonly anchors: readonly (readonly [place: number, label: string])[];
  readonly question: string;
  readonly systems_per_screen: number;
}

/** The `data-part` of a slider: a digit on it is of the score, whatever is selected in the text. */
export const SCORE = "score";

/** The answer with that score. */
type WithScore = (item: Item, answer: Answer, slot: string, score: number) => Answer;

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

// --- keys: typed digits, steps by arrows ------------------------------------------------------------

const LOWEST = 0;
const HIGHEST = 100;

/** Home and End go as far as there is. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
  Home: -HIGHEST,
  End: HIGHEST,
};
const TYPING_PAUSE_MS = 1500;
/** Before the first answer there is no value to step from: steps begin in the middle. */
const STEPS_BEGIN_AT = 50;

interface Keyed {
  readonly score: number;
  readonly typed: Typed | null;
  readonly merge: "typed" | "stepped";
}

export function keyScore(stroke: Stroke, slot: string, score: number | null, typed: Typed | null): Keyed | null {
  if (/^\d$/.test(stroke.key)) return typeDigit(stroke, slot, typed);
  const step = STEPS[stroke.key];
  if (step === undefined) return null;
  const next = (score ?? STEPS_BEGIN_AT) + (stroke.shift && Math.abs(step) === 1 ? 10 * step : step);
  return { score: Math.min(HIGHEST, Math.max(LOWEST, next)), typed: null, merge: "stepped" };
}

function typeDigit({ key, at }: Stroke, slot: string, typed: Typed | null): Keyed {
  const goesOn = typed !== null && typed.slot === slot && at - typed.at < TYPING_PAUSE_MS;
  const longer = goesOn ? typed.text + key : key;
  const text = Number(longer) <= HIGHEST && longer.length <= 3 ? longer : key;
  return { score: Number(text), typed: { text, slot, at }, merge: "typed" };
}

// --- the question and its sliders -------------------------------------------------------------------

interface ScoreQuestionProps {
  readonly item: Item;
  readonly answer: Answer;
  readonly options: ScoreOptions;
  /** The sliders are shown with their translations, and the dock explains their marks. */
  readonly isInRows: boolean;
  readonly slider: (slot: string) => ComponentChildren;
  /** The question. */
  readonly children: ComponentChildren;
}

/** What the marks of the sliders mean is visible if the sliders are elsewhere, else read out. */
export function ScoreQuestion({ item, answer, options, isInRows, slider, children }: ScoreQuestionProps) {
  return (
    <>
      <p class="q" id="question">
        {children}
        <span class={isInRows ? "key" : "vh"}>
          {" "}
          {options.anchors.map(([place, label]) => `${place}: ${t(label)}`).join(", ")}
        </span>
      </p>
      {isInRows ? <StillOpen slots={unscored(item, answer)} /> : item.slots.map(({ slot }) => slider(slot))}
    </>
  );
}

interface ScoreProps extends AnswerProps {
  readonly options: ScoreOptions & { readonly show_number?: boolean };
  readonly slot: string;
  readonly withScore: WithScore;
  readonly isFirst?: boolean;
  /** The meaning of the anchors is explained elsewhere; here are their numbers alone. */
  readonly isBare?: boolean;
}

const MANY_ANCHORS = 5;
const LONG_LABEL = 14;

/** A slider. It has no thumb until the first answer: a default would be a bias. */
export function Score({ item, answer, change, options, slot, withScore, isFirst = false, isBare = false }: ScoreProps) {
  const { anchors, show_number: isNumberShown = true } = options;
  const score = scoreOf(answer, slot);
  const isLong = anchors.length >= MANY_ANCHORS || anchors.some(([, label]) => label.length > LONG_LABEL);
  const take = ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
    change({ answer: withScore(item, answer, slot, Number(value)), merge: `dragged:${slot}` });
  return (
    <div
      class={["slide", isBare ? "bare" : isLong ? "long" : ""].join(" ").trim()}
      dir="ltr"
      data-unset={score === null ? "" : undefined}
      data-slot={slot}
      data-part={SCORE}
      // Preact sets custom properties through the CSSOM, which a strict CSP allows.
      style={{ "--v": `${score ?? 0}%`, "--n": anchors.length }}
    >
      <div class="track">
        <input
          type="range"
          id={`score-${slot}`}
          min={LOWEST}
          max={HIGHEST}
          step={1}
          value={score ?? 50}
          aria-label={item.slots.length === 1 ? t("Score") : t("Score of {slot}", { slot })}
          aria-describedby="question"
          aria-valuetext={score === null ? t("not rated yet") : t("{score} of {highest}", { score, highest: HIGHEST })}
          data-first={isFirst ? "" : undefined}
          onInput={take}
          // A click or a tap on the hidden thumb changes no value, but is an answer.
          onClick={score === null ? take : undefined}
          onPointerUp={score === null ? take : undefined}
        />
        <div class="anchors" aria-hidden="true">
          {anchors.map(([place, label]) => (
            <span key={place} data-edge={edge(place)} style={{ "--x": `${place}%` }}>
              <b class="num">{place}</b>
              {!isBare && <span>{t(label)}</span>}
            </span>
          ))}
        </div>
        {!isBare && (
          <p class="nearest" aria-hidden="true">
            {nearest(anchors, score)}
          </p>
        )}
      </div>
      {isNumberShown && <output for={`score-${slot}`}>{score ?? "–"}</output>}
    </div>
  );
}

/** In place of the labels where they have no room: those of the ends, then the one next to the score. */
function nearest(anchors: ScoreOptions["anchors"], score: number | null): string {
  // each label in its own direction, in a line from left to right like the scale
  const inWords = ([place, label]: ScoreOptions["anchors"][number]) => `${place}: \u2068${t(label)}\u2069`;
  if (score === null)
    return [anchors[0], anchors.at(-1)].flatMap((anchor) => (anchor ? inWords(anchor) : [])).join(" – ");
  const [next] = [...anchors].sort(([one], [other]) => Math.abs(one - score) - Math.abs(other - score));
  return next ? inWords(next) : "";
}

function edge(place: number): string | undefined {
  if (place === LOWEST) return "start";
  return place === HIGHEST ? "end" : undefined;
}
