/* One score from 0 to 100 for each translation: read from an answer, entered by slider or keys. */

import type { Answer, Item } from "../workbench/api";
import { t } from "../workbench/words";
import type { Change, ControlProps, Shown, Stroke } from "./protocol";
import type { Typed } from "../workbench/state";

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

/** What the marks of the slider mean, in the question: visible if the sliders are elsewhere, else read out. */
export function AnchorWords({ options, isSeen }: { options: ScoreOptions; isSeen: boolean }) {
  return (
    <span class={isSeen ? "key" : "vh"}>
      {" "}
      {options.anchors.map(([place, label]) => `${place}: ${t(label)}`).join(", ")}
    </span>
  );
}

// --- keys: typed digits, steps by arrows ------------------------------------------------------------

const LOWEST = 0;
const HIGHEST = 100;

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
  const next = stepped(stroke, score ?? STEPS_BEGIN_AT);
  return next === null ? null : { score: Math.min(HIGHEST, Math.max(LOWEST, next)), typed: null, merge: "stepped" };
}

function typeDigit({ key, at }: Stroke, slot: string, typed: Typed | null): Keyed {
  const goesOn = typed !== null && typed.slot === slot && at - typed.at < TYPING_PAUSE_MS;
  const longer = goesOn ? typed.text + key : key;
  const text = Number(longer) <= HIGHEST && longer.length <= 3 ? longer : key;
  return { score: Number(text), typed: { text, slot, at }, merge: "typed" };
}

function stepped({ key, shift }: Stroke, from: number): number | null {
  const by = shift ? 10 : 1;
  switch (key) {
    case "ArrowRight":
      return from + by;
    case "ArrowLeft":
      return from - by;
    case "PageUp":
      return from + 10;
    case "PageDown":
      return from - 10;
    case "Home":
      return LOWEST;
    case "End":
      return HIGHEST;
    default:
      return null;
  }
}

// --- the slider ------------------------------------------------------------------------------------

type Anchor = readonly [place: number, label: string];

interface SliderProps {
  readonly id: string;
  readonly name: string;
  readonly slot: string;
  readonly questionId: string;
  readonly score: number | null;
  readonly anchors: readonly Anchor[];
  readonly showNumber: boolean;
  readonly isFirst: boolean;
  /** The meaning of the anchors is explained elsewhere; here are their numbers alone. */
  readonly isBare?: boolean;
  readonly onScore: (score: number) => void;
}

const MANY_ANCHORS = 5;
const LONG_LABEL = 14;

/** It has no thumb until the first answer: a default would be a bias. */
function Slider({
  id,
  name,
  slot,
  questionId,
  score,
  anchors,
  showNumber,
  isFirst,
  isBare = false,
  onScore,
}: SliderProps) {
  const valueText = score === null ? t("not rated yet") : t("{score} of {highest}", { score, highest: HIGHEST });
  const isLong = anchors.length >= MANY_ANCHORS || anchors.some(([, label]) => label.length > LONG_LABEL);
  const take = (event: { currentTarget: HTMLInputElement }) => onScore(Number(event.currentTarget.value));
  return (
    <div
      class={["slide", isBare ? "bare" : isLong ? "long" : ""].join(" ").trim()}
      dir="ltr"
      data-unset={score === null ? "" : undefined}
      data-slot={slot}
      // Preact sets custom properties through the CSSOM, which a strict CSP allows.
      style={{ "--v": `${score ?? 0}%`, "--n": anchors.length }}
    >
      <div class="track">
        <input
          type="range"
          id={id}
          min={LOWEST}
          max={HIGHEST}
          step={1}
          value={score ?? 50}
          aria-label={name}
          aria-describedby={questionId}
          aria-valuetext={valueText}
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
              {!isBare && t(label)}
            </span>
          ))}
        </div>
      </div>
      {showNumber && <output for={id}>{score ?? "–"}</output>}
    </div>
  );
}

function edge(place: number): string | undefined {
  if (place === LOWEST) return "start";
  return place === HIGHEST ? "end" : undefined;
}
