/* The 0–100 slider. It has no thumb until the first answer: a default would be a bias. */

import { t } from "../workbench/words";
import { HIGHEST, LOWEST } from "./score_keys";

export type Anchor = readonly [place: number, label: string];

interface SliderProps {
  readonly id: string;
  readonly name: string;
  readonly slot: string;
  readonly questionId: string;
  readonly score: number | null;
  readonly anchors: readonly Anchor[];
  readonly showNumber: boolean;
  readonly isFirst: boolean;
  /** What the anchors mean is told elsewhere: here stand their numbers alone. */
  readonly isBare?: boolean;
  readonly onScore: (score: number) => void;
}

const MANY_ANCHORS = 5;
const LONG_LABEL = 14;

export function Slider({
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
  const said = score === null ? t("not rated yet") : t("{score} of {highest}", { score, highest: HIGHEST });
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
          aria-valuetext={said}
          data-first={isFirst ? "" : undefined}
          onInput={take}
          // A click or a tap where the hidden thumb lies changes no value, and is an answer all the same.
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
