/* The score of a cell: number and slider are one value. There is no thumb before the first answer. */

import { useEffect, useState } from "preact/hooks";

import type { Answer } from "../../workbench/api";
import { Button, Icon } from "../../workbench/render/controls";
import { t } from "../../workbench/words";
import {
  BAND_STARTS,
  bandOf,
  HIGHEST,
  lackOf,
  lackWords,
  scoreOf,
  severityCounts,
  severityName,
  STEP,
  toStep,
} from "./cell_answer";
import { cellName, sameWords } from "./columns";
import { type Place, scoreId } from "./desk";
import { type MarkingDesk, TYPING_PAUSE_MS } from "./marking_desk";

interface ScoreProps {
  readonly desk: MarkingDesk;
  readonly place: Place;
  readonly number: number;
  readonly answer: Answer;
  readonly isCurrent: boolean;
  readonly isRefused: boolean;
}

/** Half the thumb: where the filled part of the track ends. */
const THUMB_PX = { small: 12, large: 20, deck: 28 };

export function ScoreField(props: ScoreProps) {
  const { desk, place, answer, isCurrent } = props;
  const { slot } = place.cell;
  const score = scoreOf(answer, slot);
  return (
    <div {...frame(score, isCurrent ? THUMB_PX.large : THUMB_PX.small)}>
      <NumberField {...props} />
      <p class="b">
        <span>
          {[score === null ? t("no score yet") : bandOf(score).name, sameWords(place.cell)].filter(Boolean).join(", ")}
        </span>
        <Counts answer={answer} slot={slot} />
      </p>
      <Slider {...props} />
      {isCurrent && <Ticks />}
      {isCurrent && score !== null && <p class="mean">{bandOf(score).meaning}</p>}
      <Why {...props} options={desk.options} />
    </div>
  );
}

/** On a phone: a large number, and buttons beside the slider. */
export function DeckScore(props: ScoreProps) {
  const { desk, place, answer } = props;
  const { slot } = place.cell;
  const score = scoreOf(answer, slot);
  return (
    <div {...frame(score, THUMB_PX.deck)}>
      <p class="head">
        <output>{score ?? "–"}</output>
        <b>{score === null ? t("no score yet") : bandOf(score).name}</b>
        <Counts answer={answer} slot={slot} />
      </p>
      <p class="mean">{score === null ? "" : bandOf(score).meaning}</p>
      <Button look="icon" aria-label={t("{n} less", { n: STEP })} onClick={() => desk.stepScore(-1)}>
        −
      </Button>
      <Slider {...props} isReachable />
      <Button look="icon up" aria-label={t("{n} more", { n: STEP })} onClick={() => desk.stepScore(1)}>
        +
      </Button>
      <Ticks />
      <Why {...props} options={desk.options} />
    </div>
  );
}

function frame(score: number | null, thumb: number) {
  return {
    class: "sc",
    dir: "ltr" as const,
    "data-unset": score === null ? "" : undefined,
    // Preact sets custom properties through the CSSOM, which a strict CSP allows.
    style: score === null ? {} : { "--v": `calc(${score}% + ${(0.5 - score / HIGHEST) * thumb}px)` },
  };
}

function nameOf({ number, place }: ScoreProps): string {
  return t("Score, segment {number}, translation {name}", { number, name: cellName(place.cell) });
}

function NumberField(props: ScoreProps) {
  const { desk, place, answer, isCurrent } = props;
  const score = scoreOf(answer, place.cell.slot);
  const [written, write] = useState<string | null>(null);
  const { typed } = desk.workbench.state.value;
  const isTyped = isCurrent && typed?.slot === scoreId(place);
  useSettling(isTyped ? typed.at : 0);
  const isFresh = isTyped && Date.now() - typed.at < TYPING_PAUSE_MS;
  return (
    <input
      class="v num"
      id={scoreId(place)}
      inputMode="numeric"
      autocomplete="off"
      maxLength={3}
      placeholder="–"
      aria-label={nameOf(props)}
      value={written ?? (isFresh ? typed.text : (score?.toString() ?? ""))}
      onInput={({ currentTarget: { value } }) => {
        write(value.replace(/\D/g, ""));
        const number = Number(value);
        if (/^\d+$/.test(value) && number <= HIGHEST) desk.score(number, "written");
      }}
      onBlur={() => write(null)} // what was written is a score now, or none
    />
  );
}

/** Digits are shown as typed for a moment, then the score that they are. */
function useSettling(typedAt: number): void {
  const [, settle] = useState(0);
  useEffect(() => {
    if (!typedAt) return;
    const timer = setTimeout(() => settle(typedAt), Math.max(0, typedAt + TYPING_PAUSE_MS - Date.now()) + 1);
    return () => clearTimeout(timer);
  }, [typedAt]);
}

function Slider(props: ScoreProps & { isReachable?: boolean }) {
  const { desk, place, answer, isReachable = false } = props;
  const score = scoreOf(answer, place.cell.slot);
  const take = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    desk.enter(place);
    desk.score(Number(currentTarget.value), "dragged");
  };
  return (
    <input
      type="range"
      id={isReachable ? scoreId(place) : undefined}
      min={0}
      max={HIGHEST}
      step={STEP}
      value={score ?? 0}
      tabIndex={isReachable ? undefined : -1}
      aria-label={nameOf(props)}
      aria-valuetext={
        score === null ? t("not scored yet") : t("{score}, {band}", { score: toStep(score), band: bandOf(score).name })
      }
      onInput={take}
      // A click or a tap where the hidden thumb is changes no value, but is an answer.
      onClick={score === null ? take : undefined}
      onPointerUp={score === null ? take : undefined}
    />
  );
}

function Ticks() {
  return (
    <div class="tick num" aria-hidden="true">
      {[...BAND_STARTS, HIGHEST].map((place) => (
        <span key={place} style={{ "--x": `${place}%` }}>
          {place}
        </span>
      ))}
    </div>
  );
}

function Counts({ answer, slot }: { answer: Answer; slot: string }) {
  const counts = severityCounts(answer, slot);
  if (counts.length === 0) return null;
  return (
    <span class="cnt">
      {counts.map(({ severity, n }) => (
        <span key={severity} class="sv num" data-s={severity === "major" ? 2 : 1}>
          <i />
          {n}
          <span class="vh"> {severityName(severity)}</span>
        </span>
      ))}
    </span>
  );
}

/** A rule that is not met stands in the cell from the moment there is a score, and never stops anybody. */
function Why({ place, answer, isRefused, options }: ScoreProps & { options: MarkingDesk["options"] }) {
  const lack = lackOf(answer, place.cell.slot, options);
  if (!lack || (lack === "score" && !isRefused)) return null;
  return (
    <p class="why">
      <Icon name="alert" />
      <span>{lackWords(lack, options)}</span>
    </p>
  );
}
