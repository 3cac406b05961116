/* One scale of few labelled points, as radios in a row. */

import { Radio } from "../workbench/render/controls";
import { t } from "../workbench/words";

export interface Scale {
  readonly name: string;
  readonly title: string;
  readonly question: string;
  readonly points: readonly (readonly [value: number, label: string])[];
}

/** One scale of one translation: what a digit answers. */
export interface Question {
  readonly slot: string;
  readonly scale: Scale;
}

/** More points leave no room for labels on a narrow screen. */
export const MANY_POINTS = 6;

export function radioId({ slot, scale }: Question, value: number | undefined): string {
  return `scale-${slot}-${scale.name}-${value}`;
}

interface ScaleProps {
  readonly question: Question;
  readonly value: number | null;
  readonly words: string;
  readonly isMarked: boolean;
  readonly isFirst: boolean;
  readonly isLocked: boolean;
  readonly onFocus: (isIn: boolean) => void;
  readonly onChoose: (value: number, goesOn: boolean) => void;
}

/** "0: no meaning, 2: some meaning": what the labelled points mean. */
export function inWords({ points }: Scale): string {
  return points
    .filter(([, label]) => label)
    .map(([point, label]) => `${point}: ${t(label)}`)
    .join(", ");
}

/** A choice by arrow keys leaves the focus where it is; a click moves on. */
export function ScaleOfPoints({ question, value, words, isMarked, isFirst, isLocked, onFocus, onChoose }: ScaleProps) {
  const { slot, scale } = question;
  const isLong = scale.points.length > MANY_POINTS;
  const entry = value ?? scale.points[0]?.[0];
  return (
    <fieldset
      class={isMarked ? "scale now" : "scale"}
      disabled={isLocked}
      data-slot={slot}
      data-part={scale.name}
      onFocusIn={() => onFocus(true)}
      onFocusOut={() => onFocus(false)}
    >
      <legend>
        {t(scale.title)}
        {words && <span>{words}</span>}
      </legend>
      <div class={isLong ? "opts many" : "opts"} style={{ "--k": scale.points.length }}>
        {scale.points.map(([point, label]) => (
          <label key={point} class="opt-b" title={label && t(label)}>
            <Radio
              id={radioId(question, point)}
              name={`scale-${slot}-${scale.name}`}
              value={point}
              checked={value === point}
              data-first={isFirst && point === entry ? "" : undefined}
              onChoose={(isClicked) => onChoose(point, isClicked)}
            />
            <b>{point}</b>
            {label && <span>{t(label)}</span>}
          </label>
        ))}
      </div>
      {isLong && (
        <p class="points" aria-hidden="true">
          {inWords(scale)}
        </p>
      )}
    </fieldset>
  );
}
