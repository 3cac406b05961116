/* Adequacy and fluency, or other scales of few points: digits answer the marked scale, and the mark moves on. */

import { useRef, useState } from "preact/hooks";

import { withSlot } from "../workbench/answers";
import type { Answer, Item } from "../workbench/api";
import { giveFocus } from "../workbench/focus";
import { t } from "../workbench/words";
import type { Change, ControlProps, KeyHint, Protocol, Shown, Stroke } from "./protocol";

export interface Scale {
  readonly name: string;
  readonly title: string;
  readonly question: string;
  readonly points: readonly (readonly [value: number, label: string])[];
}

interface Options {
  readonly judge_against: "source" | "reference" | "both";
  readonly scales: readonly Scale[];
  readonly fluency_first: boolean;
}

/** One scale of one translation: what a digit answers. */
interface Question {
  readonly slot: string;
  readonly scale: Scale;
}

const FLUENCY = "fluency";
const MANY_POINTS = 6;

const DEFAULTS: Options = {
  judge_against: "source",
  scales: [
    { name: "adequacy", title: "Adequacy", question: "Meaning kept", points: [[1, "none"], [2, "little meaning"], [3, "much meaning"], [4, "most meaning"], [5, "all meaning"]] },
    { name: FLUENCY, title: "Fluency", question: "{language} alone", points: [[1, "incomprehensible"], [2, "disfluent"], [3, "non-native"], [4, "good"], [5, "flawless"]] },
  ],
  fluency_first: false,
};

export function likert(given: Readonly<Record<string, unknown>>): Protocol {
  const options: Options = { ...DEFAULTS, ...(given as Partial<Options>) };
  const keys = digitKeys(options.scales);
  return {
    beside: options.judge_against,
    givenHeading: heading(options.scales),
    hints: [{ keys, does: t("rate, then on to the next question") }, { keys: ["Tab"], does: t("other question") }],
    keys: keyHints(keys),
    missing: (item, answer) => missing(questionsOf(item, options), answer, item),
    summary: (item, answer) => summary(item, answer, options),
    press: (stroke, shown) => press(stroke, shown, options),
    Control: (props) => <Control {...props} options={options} />,
    ...(options.fluency_first && { withholds: (item, answer) => withheld(item, answer, options) }),
  };
}

function keyHints(keys: readonly string[]): KeyHint[] {
  return [
    { keys, does: t("Answer the marked question") },
    { keys: ["Tab"], does: t("Other question") },
    { keys: ["←", "→"], does: t("Other answer to the question in focus") },
  ];
}

/** From the lowest to the highest point of all scales. */
function digitKeys(scales: readonly Scale[]): string[] {
  const values = scales.flatMap(({ points }) => points.map(([value]) => value));
  return [String(Math.min(...values)), "…", String(Math.max(...values))];
}

function heading(scales: readonly Scale[]): string {
  const initials = scales.map(({ title }) => [...t(title)][0]?.toLocaleUpperCase() ?? "");
  return scales.length > 1 && scales.length <= 3 ? initials.join(" · ") : t("Score");
}

/** In the order they are asked: all of one translation, then the next; or the fluency of all of them first. */
function questionsOf(item: Item, { scales, fluency_first }: Options): Question[] {
  const questions = item.slots.flatMap(({ slot }) => scales.map((scale) => ({ slot, scale })));
  if (!fluency_first) return questions;
  return [...questions.filter(isAboutFluency), ...questions.filter((question) => !isAboutFluency(question))];
}

function isAboutFluency({ scale }: Question): boolean {
  return scale.name === FLUENCY;
}

function valueOf(answer: Answer, { slot, scale }: Question): number | null {
  const value = answer.slots[slot]?.[scale.name];
  return typeof value === "number" ? value : null;
}

function isOpen(answer: Answer): (question: Question) => boolean {
  return (question) => valueOf(answer, question) === null;
}

function missing(questions: readonly Question[], answer: Answer, item: Item): string {
  const open = questions.filter(isOpen(answer));
  if (open.length === 0) return "";
  const names = open.map(({ slot, scale }) => (item.slots.length > 1 ? `${slot} ${t(scale.title)}` : t(scale.title)));
  return t("Not answered yet: {names}.", { names: names.join(", ") });
}

function summary(item: Item, answer: Answer, { scales }: Options): string {
  const ofSlot = (slot: string) => scales.map((scale) => valueOf(answer, { slot, scale }) ?? "–").join(" · ");
  if (item.slots.length === 1) return ofSlot(item.slots[0]?.slot ?? "");
  return item.slots.map(({ slot }) => `${slot} ${ofSlot(slot)}`).join(", ");
}

/** Fluency is a matter of the translation alone: until it is answered nothing else is seen. */
function isFluencyOpen(item: Item, answer: Answer, options: Options): boolean {
  return options.fluency_first && questionsOf(item, options).some((question) => isAboutFluency(question) && isOpen(answer)(question));
}

function withheld(item: Item, answer: Answer, options: Options): string {
  if (answer.cannot_judge !== null || !isFluencyOpen(item, answer, options)) return "";
  return options.judge_against === "reference"
    ? t("The reference is shown once fluency is answered.")
    : t("The source is shown once fluency is answered.");
}

/** A digit answers the scale in focus, else the first without an answer; the focus goes on to the next of these. */
function press(stroke: Stroke, { item, answer }: Shown, options: Options): Change | null {
  if (!/^\d$/.test(stroke.key)) return null;
  const questions = questionsOf(item, options);
  const inFocus = questions.find(({ slot, scale }) => slot === stroke.slot && scale.name === stroke.part);
  const question = inFocus ?? questions.find(isOpen(answer));
  const value = Number(stroke.key);
  if (!question?.scale.points.some(([point]) => point === value)) return null;
  return answered(questions, question, value, answer);
}

function answered(questions: readonly Question[], question: Question, value: number, answer: Answer): Change {
  const { slot, scale } = question;
  const after = withSlot(answer, slot, { ...answer.slots[slot], [scale.name]: value });
  const place = questions.indexOf(question);
  const next = [...questions.slice(place + 1), ...questions.slice(0, place)].find(isOpen(after));
  return { answer: after, merge: `${slot}:${scale.name}`, typed: null, focus: next ? radioId(next, next.scale.points[0]?.[0]) : "submit" };
}

function radioId({ slot, scale }: Question, value: number | undefined): string {
  return `scale-${slot}-${scale.name}-${value}`;
}

interface Props extends ControlProps {
  readonly options: Options;
}

/** The mark is where the focus is, else at the first question without an answer. */
function Control({ item, answer, change, page, options }: Props) {
  const [inFocus, setInFocus] = useState("");
  const questions = questionsOf(item, options);
  const open = questions.find(isOpen(answer));
  const first = open ?? questions[0];
  const marked = questions.find((question) => keyOf(item, question) === inFocus) ?? open;
  const isLocked = isFluencyOpen(item, answer, options);
  const choose = (question: Question, value: number, root: Document, goesOn: boolean) => {
    const chosen = answered(questions, question, value, answer);
    change(chosen);
    if (goesOn && chosen.focus) giveFocus(chosen.focus, root);
  };
  const scale = (question: Question) => (
    <ScaleOfPoints
      key={keyOf(item, question)}
      question={question}
      value={valueOf(answer, question)}
      words={t(question.scale.question, { language: page?.target.name ?? "" })}
      isMarked={same(question, marked)}
      isFirst={same(question, first)}
      isLocked={isLocked && !isAboutFluency(question)}
      onFocus={(isIn) => setInFocus(isIn ? keyOf(item, question) : "")}
      onChoose={(value, root, goesOn) => choose(question, value, root, goesOn)}
    />
  );
  if (item.slots.length === 1) return <div class="scales">{questions.map(scale)}</div>;
  return (
    <div class="scale-groups">
      {item.slots.map(({ slot }) => (
        <div key={slot} class="scale-group" role="group" aria-label={t("Translation {slot}", { slot })}>
          <p class="id" aria-hidden="true">{slot}</p>
          <div class="scales">{questions.filter((question) => question.slot === slot).map(scale)}</div>
        </div>
      ))}
    </div>
  );
}

function keyOf(item: Item, { slot, scale }: Question): string {
  return `${item.id}:${slot}:${scale.name}`;
}

function same(one: Question, other: Question | undefined): boolean {
  return one.slot === other?.slot && one.scale === other.scale;
}

interface ScaleProps {
  readonly question: Question;
  readonly value: number | null;
  readonly words: string;
  readonly isMarked: boolean;
  readonly isFirst: boolean;
  readonly isLocked: boolean;
  readonly onFocus: (isIn: boolean) => void;
  readonly onChoose: (value: number, root: Document, goesOn: boolean) => void;
}

/** Arrows go through native radios, so a choice by keyboard leaves the focus where it is; a click goes on. */
function ScaleOfPoints({ question, value, words, isMarked, isFirst, isLocked, onFocus, onChoose }: ScaleProps) {
  const isClicked = useRef(false);
  const { slot, scale } = question;
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
      <legend>{t(scale.title)}{words && <span>{words}</span>}</legend>
      <div class={scale.points.length > MANY_POINTS ? "opts many" : "opts"} style={{ "--k": scale.points.length }}>
        {scale.points.map(([point, label]) => (
          <label key={point} class="opt-b">
            <input
              type="radio"
              id={radioId(question, point)}
              name={`scale-${slot}-${scale.name}`}
              value={point}
              checked={value === point}
              data-first={isFirst && point === entry ? "" : undefined}
              onClick={(event) => { isClicked.current = event.detail > 0; }}
              onChange={(event) => onChoose(point, event.currentTarget.ownerDocument, isClicked.current)}
            />
            <b>{point}</b>
            {label && <span>{t(label)}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
