/* Gisting: a document in one text, and questions on it, one at a time in the dock; digits choose, what is typed ends
   with Enter. */

import { ROWS } from "../workbench/render/rows";
import { type Signal, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

import { type Answer, type Item, withSlot } from "../workbench/api";
import { isComposing } from "../workbench/keys";
import { Button, Note, Radio, Read, textName } from "../workbench/render/controls";
import { t } from "../workbench/words";
import type { AnswerProps, Change, ControlProps, Protocol, Shown, Stroke, WholeTextProps } from "./protocol";

type Question = Item["questions"][number];

/** What the page keeps beside the answers: the question somebody turned to, and which texts have been read to the
    end. */
interface ScreenState {
  readonly turnedTo: Signal<string>;
  readonly isFromMemory: boolean;
  readonly read: Set<string>;
}

export function gisting(options: { readonly when_asked: string }): Protocol {
  const screen: ScreenState = {
    turnedTo: signal(""),
    isFromMemory: options.when_asked === "after_reading",
    read: new Set(),
  };
  return {
    parts: ROWS,
    beside: "source",
    answerHeading: t("Answers"),
    hints: () => [
      { keys: ["1", "2"], does: t("choose an answer") },
      { keys: ["[", "]"], does: t("other question") },
    ],
    keys: [
      { keys: ["1", "…", "9"], does: t("Choose an answer and go to the next question") },
      { keys: ["Enter"], does: t("In a text field: go to the next question") },
      { keys: ["[", "]"], does: t("Other question") },
    ],
    missing: (item, answer) => missing(item, answer, screen),
    summary: (item, answer) =>
      t("{done} of {total} answered", {
        done: item.questions.length - open(item, answer).length,
        total: item.questions.length,
      }),
    press: (stroke, shown) => press(stroke, shown, screen),
    look: (stroke, shown) => turn(stroke, shown, screen),
    Control: (props) => <Control {...props} screen={screen} />,
    Second: (props) => <QuestionNumbers {...props} screen={screen} />,
    WholeText: (props) => <WholeText {...props} screen={screen} />,
  };
}

function slotOf(item: Item): string {
  return item.slots[0]?.slot ?? "";
}

function answersOf(item: Item, answer: Answer): Readonly<Record<string, string>> {
  const answers = answer.slots[slotOf(item)]?.answers;
  return typeof answers === "object" && answers !== null ? (answers as Record<string, string>) : {};
}

function open(item: Item, answer: Answer): Question[] {
  const answers = answersOf(item, answer);
  return item.questions.filter(({ name }) => answers[name] === undefined);
}

/** When answering from memory, a text is read until the first answer; it is not shown again. */
function isReading(item: Item, answer: Answer, { isFromMemory, read }: ScreenState): boolean {
  return isFromMemory && item.revision === 0 && !read.has(item.id) && answer.slots[slotOf(item)] === undefined;
}

function missing(item: Item, answer: Answer, screen: ScreenState): string {
  if (item.questions.length === 0) return t("There are no questions about this document. Choose “Cannot judge”.");
  if (isReading(item, answer, screen)) return t("Read the document, then continue with the questions.");
  const numbers = open(item, answer).map((question) => item.questions.indexOf(question) + 1);
  return numbers.length ? t("Not answered yet: {names}.", { names: numbers.join(", ") }) : "";
}

/** The question in the dock: the one turned to, else the first without an answer, else the last. */
function questionInDock(item: Item, answer: Answer, { turnedTo }: ScreenState): Question | undefined {
  const turned = item.questions.find((question) => keyOf(item, question) === turnedTo.value);
  return turned ?? open(item, answer)[0] ?? item.questions.at(-1);
}

function keyOf(item: Item, { name }: Question): string {
  return `${item.id}:${name}`;
}

interface QuestionProps extends AnswerProps {
  readonly question: Question;
  readonly screen: ScreenState;
}

type QuestionAt = Pick<QuestionProps, "item" | "answer" | "question" | "screen">;

/** `stays`: the question remains in the dock, as while it is typed. Else the first open one comes, or the main
    button. */
function answered(at: QuestionAt, value: string, { stays = false, merge = "" } = {}): Change {
  const { item, answer, question, screen } = at;
  const answers = { ...answersOf(item, answer), [question.name]: value };
  const after = withSlot(answer, slotOf(item), { answers });
  const isLast = open(item, after).length === 0;
  screen.turnedTo.value = stays || isLast ? keyOf(item, question) : "";
  return { answer: after, merge, focus: isLast && !stays ? "submit" : undefined };
}

function press({ key }: Stroke, { item, answer }: Shown, screen: ScreenState): Change | null {
  if (isReading(item, answer, screen)) return null;
  const question = questionInDock(item, answer, screen);
  const choice = /^[1-9]$/.test(key) ? question?.choices[Number(key) - 1] : undefined;
  return question && choice !== undefined ? answered({ item, answer, question, screen }, choice) : null;
}

function turn({ key }: Stroke, { item, answer }: Shown, screen: ScreenState): boolean {
  const question = questionInDock(item, answer, screen);
  if (!question || isReading(item, answer, screen) || (key !== "[" && key !== "]")) return false;
  const neighbour = item.questions[item.questions.indexOf(question) + (key === "[" ? -1 : 1)];
  if (neighbour) screen.turnedTo.value = keyOf(item, neighbour);
  return true;
}

function WholeText({ item, answer, lines, page, screen }: WholeTextProps & { screen: ScreenState }) {
  const isHidden = screen.isFromMemory && !isReading(item, answer, screen);
  const isSource = lines.some(({ source, text }) => text === null && source !== null);
  const of = isSource ? page.source : page.target;
  const texts = lines.length ? lines.map(({ source, text }) => text ?? source) : item.slots.map(({ text }) => text);
  if (isHidden) {
    return (
      <div class="whole-text">
        <Note icon="info">
          <p>{t("The document is hidden while you answer.")}</p>
        </Note>
      </div>
    );
  }
  return (
    <article class="whole-text stack" aria-label={t("Text")}>
      <p class="lang">
        <span>{textName(page, isSource ? "source" : "translation")}</span>
        {!isSource && <span>{t("The source is hidden in this task.")}</span>}
      </p>
      {texts.map((text, place) => (
        <Read key={place} of={of} text={text} />
      ))}
    </article>
  );
}

function Control(props: ControlProps & { screen: ScreenState }) {
  const { item, answer, change, screen } = props;
  const root = useRef<HTMLDivElement>(null);
  const reading = isReading(item, answer, screen);
  const question = reading ? undefined : questionInDock(item, answer, screen);
  useFocusOnTurn(root, item.id, question?.name ?? "");
  const finish = () => {
    screen.read.add(item.id);
    change({ answer: withSlot(answer, slotOf(item), { answers: {} }) });
  };
  return (
    <div ref={root} class="questions stack-s">
      {reading && (
        <div class="row">
          <p class="q grow">
            {t("Read the document.")} <span>{t("The questions come next; the document is then hidden.")}</span>
          </p>
          <Button data-first="" onClick={finish}>
            {t("I have read it")}
          </Button>
        </div>
      )}
      {question &&
        (question.choices.length ? (
          <Choices key={keyOf(item, question)} {...props} question={question} />
        ) : (
          <Typed key={keyOf(item, question)} {...props} question={question} />
        ))}
    </div>
  );
}

/** Another question of the same text takes the focus at once, so that the next key finds it there. */
function useFocusOnTurn(root: { current: HTMLElement | null }, item: string, name: string): void {
  const before = useRef({ item, name });
  useLayoutEffect(() => {
    const isTurned = before.current.item === item && before.current.name !== name;
    before.current = { item, name };
    if (isTurned) root.current?.querySelector<HTMLElement>("[data-first]")?.focus({ preventScroll: true });
  }, [item, name, root]);
}

function QuestionNumbers({ item, answer, screen }: Omit<QuestionProps, "question">) {
  const answers = answersOf(item, answer);
  if (item.questions.length < 2 || isReading(item, answer, screen)) return null;
  const question = questionInDock(item, answer, screen);
  return (
    <ol class="numbers plain" aria-label={t("Questions")}>
      {item.questions.map((other, place) => {
        const number = place + 1;
        const isAnswered = answers[other.name] !== undefined;
        return (
          <li key={other.name}>
            <button
              type="button"
              class={isAnswered ? "answered" : undefined}
              aria-current={other === question ? "step" : undefined}
              aria-label={
                isAnswered ? t("Question {number}, answered", { number }) : t("Question {number}", { number })
              }
              onClick={() => (screen.turnedTo.value = keyOf(item, other))}
            >
              {number}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** A choice by arrow keys stays on the question; a click or a digit continues. */
function Choices(props: QuestionProps) {
  const { item, answer, change, page, question } = props;
  const entered = answersOf(item, answer)[question.name];
  const entry = Math.max(0, question.choices.indexOf(entered ?? ""));
  return (
    <fieldset class="gq" lang={page.target.language} dir={page.target.direction}>
      <legend class="q">{question.text}</legend>
      <div class="gopts">
        {question.choices.map((choice, place) => (
          <label key={choice} class="gopt">
            <Radio
              name={`question-${item.id}-${question.name}`}
              checked={choice === entered}
              data-first={place === entry ? "" : undefined}
              aria-keyshortcuts={page.single_keys ? String(place + 1) : undefined}
              onChoose={(isClicked) => change(answered(props, choice, { stays: !isClicked }))}
            />
            <kbd aria-hidden="true">{place + 1}</kbd>
            <span>{choice}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Typed(props: QuestionProps) {
  const { item, answer, change, page, question } = props;
  const entered = answersOf(item, answer)[question.name];
  const goOn = (value: string) => change(answered(props, value));
  return (
    <div class="field gq" dir={page.target.direction}>
      <label class="q" for="typed" lang={page.target.language}>
        {question.text}
      </label>
      <div class="row tight">
        <input
          class="input"
          id="typed"
          type="text"
          autocomplete="off"
          lang={page.target.language}
          dir="auto"
          maxLength={1000}
          value={entered ?? ""}
          data-first=""
          onInput={({ currentTarget: { value } }) =>
            change(answered(props, value, { stays: true, merge: `typed:${question.name}` }))
          }
          onKeyDown={(event) => {
            if (event.key !== "Enter" || isComposing(event) || event.repeat || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            goOn(event.currentTarget.value);
          }}
        />
        <Button keys={["Enter"]} onClick={() => goOn(entered ?? "")}>
          {t("Next question")}
        </Button>
      </div>
      <span class="hint" dir="auto">
        {t("A few words are enough. Leave the field empty if the document does not give the answer.")}
      </span>
    </div>
  );
}
