/* Adequacy and fluency, or other scales of few points: digits answer the marked scale, and the mark moves on. */

import { ROWS } from "../workbench/render/rows";
import { type Signal, signal } from "@preact/signals";

import { type Answer, type Item, withSlot } from "../workbench/api";
import { Radio } from "../workbench/render/controls";
import { t } from "../workbench/words";
import type { AnswerProps, Change, Protocol, Shown, Stroke } from "./protocol";
import { type Beside, SideBySide, sideBySideKeys, StillOpen } from "./side_by_side";

interface Scale {
  readonly name: string;
  readonly title: string;
  readonly question: string;
  readonly points: readonly (readonly [value: number, label: string])[];
}

/** One scale of one translation: what a digit answers. */
interface Question {
  readonly slot: string;
  readonly scale: Scale;
}

export interface LikertOptions {
  readonly judge_against: Beside;
  readonly scales: readonly Scale[];
  readonly fluency_first: boolean;
  readonly systems_per_screen: number;
}

/** What the parts of the page share: the options, and the question the focus is in. */
interface ScreenState {
  readonly options: LikertOptions;
  readonly inFocus: Signal<string>;
}

const FLUENCY = "fluency";
/** More points leave no room for labels on a narrow screen. */
const MANY_POINTS = 6;

export function likert(options: LikertOptions): Protocol {
  const screen: ScreenState = { options, inFocus: signal("") };
  const keys = digitKeys(options.scales);
  const isSideBySide = options.systems_per_screen > 1;
  return {
    parts: ROWS,
    beside: options.judge_against,
    answerHeading: heading(options.scales),
    hints: () => [
      { keys, does: t("rate and go to the next question") },
      isSideBySide
        ? { keys: ["↑", "↓"], does: t("another translation") }
        : { keys: ["Tab"], does: t("other question") },
    ],
    keys: [
      { keys, does: t("Answer the marked question") },
      { keys: ["Tab"], does: t("Other question") },
      { keys: ["←", "→"], does: t("Change the answer to the question in focus") },
      ...(isSideBySide ? sideBySideKeys() : []),
    ],
    missing: (item, answer) => missing(questionsOf(item, options), answer, item),
    summary: (item, answer) => summary(item, answer, options),
    press: (stroke, shown) => press(stroke, shown, options),
    Control: (props) =>
      isSideBySide ? (
        <Marked {...props} screen={screen} />
      ) : (
        <Scales {...props} screen={screen} slot={props.item.slots[0]?.slot ?? ""} />
      ),
    ...(isSideBySide && {
      layout: "rows",
      Texts: (props) => (
        <SideBySide
          {...props}
          beside={options.judge_against}
          withheld={withheld(props.item, props.answer, options)}
          isAnswered={(slot) => !openSlots(props.item, props.answer, options).includes(slot)}
          controls={(slot) => props.answer.cannot_judge === null && <Scales {...props} screen={screen} slot={slot} />}
        />
      ),
    }),
    ...(options.fluency_first && { withholds: (item, answer) => withheld(item, answer, options) }),
  };
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

/** In the order of answering: all of one translation, then the next; or the fluency of all translations first. */
function questionsOf(item: Item, { scales, fluency_first }: LikertOptions): Question[] {
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

function openSlots(item: Item, answer: Answer, options: LikertOptions): string[] {
  const open = questionsOf(item, options).filter(isOpen(answer));
  return item.slots.map(({ slot }) => slot).filter((slot) => open.some((question) => question.slot === slot));
}

function missing(questions: readonly Question[], answer: Answer, item: Item): string {
  const open = questions.filter(isOpen(answer));
  if (open.length === 0) return "";
  const names = open.map(({ slot, scale }) => (item.slots.length > 1 ? `${slot} ${t(scale.title)}` : t(scale.title)));
  return t("Not answered yet: {names}.", { names: names.join(", ") });
}

function summary(item: Item, answer: Answer, { scales }: LikertOptions): string {
  const ofSlot = (slot: string) => scales.map((scale) => valueOf(answer, { slot, scale }) ?? "–").join(" · ");
  if (item.slots.length === 1) return ofSlot(item.slots[0]?.slot ?? "");
  return item.slots.map(({ slot }) => `${slot} ${ofSlot(slot)}`).join(", ");
}

/** Fluency is about the translation alone: until it is answered nothing else is shown. */
function isFluencyOpen(item: Item, answer: Answer, options: LikertOptions): boolean {
  return (
    options.fluency_first &&
    questionsOf(item, options).some((question) => isAboutFluency(question) && isOpen(answer)(question))
  );
}

function withheld(item: Item, answer: Answer, options: LikertOptions): string {
  if (answer.cannot_judge !== null || !isFluencyOpen(item, answer, options)) return "";
  return options.judge_against === "reference"
    ? t("The reference is shown once fluency is answered.")
    : t("The source is shown once fluency is answered.");
}

/** A digit answers the scale in focus, else the first without an answer; the focus moves to the next open one. */
function press(stroke: Stroke, { item, answer }: Shown, options: LikertOptions): Change | null {
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
  return {
    answer: after,
    merge: `${slot}:${scale.name}`,
    focus: next ? radioId(next, next.scale.points[0]?.[0]) : "submit",
  };
}

interface Props extends AnswerProps {
  readonly screen: ScreenState;
}

/** The mark is where the focus is, else at the first question without an answer. */
function markedOf(item: Item, answer: Answer, { options, inFocus }: ScreenState): Question | undefined {
  const questions = questionsOf(item, options);
  return questions.find((question) => keyOf(item, question) === inFocus.value) ?? questions.find(isOpen(answer));
}

/** All questions about one translation. */
function Scales({ slot, ...props }: Props & { slot: string }) {
  const questions = questionsOf(props.item, props.screen.options).filter((question) => question.slot === slot);
  return (
    <div class="scales">
      {questions.map((question) => (
        <ScaleOfPoints key={keyOf(props.item, question)} {...props} question={question} />
      ))}
    </div>
  );
}

/** Radios in a row. A choice by arrow keys leaves the focus where it is; a click moves on. */
function ScaleOfPoints({ item, answer, change, page, screen, question }: Props & { question: Question }) {
  const { options, inFocus } = screen;
  const { slot, scale } = question;
  const questions = questionsOf(item, options);
  const first = questions.find(isOpen(answer)) ?? questions[0];
  const value = valueOf(answer, question);
  const words = (options.systems_per_screen > 1 && chosenLabel(question, answer)) || wordsOf(question, page);
  const isLong = scale.points.length > MANY_POINTS;
  const entry = value ?? scale.points[0]?.[0];
  const choose = (point: number, goesOn: boolean) => {
    const chosen = answered(questions, question, point, answer);
    change(goesOn ? chosen : { ...chosen, focus: undefined });
  };
  return (
    <fieldset
      class={same(question, markedOf(item, answer, screen)) ? "scale now" : "scale"}
      disabled={isFluencyOpen(item, answer, options) && !isAboutFluency(question)}
      data-slot={slot}
      data-part={scale.name}
      onFocusIn={() => (inFocus.value = keyOf(item, question))}
      onFocusOut={() => (inFocus.value = "")}
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
              data-first={same(question, first) && point === entry ? "" : undefined}
              onChoose={(isClicked) => choose(point, isClicked)}
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

/** Side by side the scales are shown with their translations; the dock has room for what the points of the marked one
    mean. */
function Marked({ item, answer, page, screen }: Props) {
  const questions = questionsOf(item, screen.options);
  const { scale } = markedOf(item, answer, screen) ?? questions[0] ?? {};
  return (
    <>
      {scale && (
        <p class="q">
          {t(scale.title)}{" "}
          <span>
            {wordsOf({ slot: "", scale }, page)}{" "}
            <span class={scale.points.length > MANY_POINTS ? "key" : "key labelled"}>{inWords(scale)}</span>
          </span>
        </p>
      )}
      <StillOpen slots={openSlots(item, answer, screen.options)} />
    </>
  );
}

function chosenLabel(question: Question, answer: Answer): string {
  const label = question.scale.points.find(([point]) => point === valueOf(answer, question))?.[1];
  return label ? t(label) : "";
}

function wordsOf({ scale }: Question, page: Props["page"]): string {
  return t(scale.question, { language: page.target.name });
}

/** "0: no meaning, 2: some meaning": what the labelled points mean. */
function inWords({ points }: Scale): string {
  return points
    .filter(([, label]) => label)
    .map(([point, label]) => `${point}: ${t(label)}`)
    .join(", ");
}

function radioId({ slot, scale }: Question, value: number | undefined): string {
  return `scale-${slot}-${scale.name}-${value}`;
}

function keyOf(item: Item, { slot, scale }: Question): string {
  return `${item.id}:${slot}:${scale.name}`;
}

function same(one: Question, other: Question | undefined): boolean {
  return one.slot === other?.slot && one.scale === other.scale;
}
