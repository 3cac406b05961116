/* Gisting: a document in one text, and questions on it, one at a time in the dock; digits choose, what is typed ends
   with Enter. */

import { type Signal, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

import { type Answer, type Item, withSlot } from "../workbench/api";
import { Button, giveFocus, Note, Radio, Read } from "../workbench/render/controls";
import { t } from "../workbench/words";
import type { Change, ControlProps, KeyHint, Protocol, Shown, Stroke, WholeTextProps } from "./protocol";

type Question = Item["questions"][number];

/** What the page keeps beside the answers: the question somebody turned to, and which texts have been read to the
    end. */
interface Desk {
  readonly turnedTo: Signal<string>;
  readonly isFromMemory: boolean;
  readonly read: Set<string>;
}

export function gisting(options: { readonly when_asked: string }): Protocol {
  const desk: Desk = { turnedTo: signal(""), isFromMemory: options.when_asked === "after_reading", read: new Set() };
  return {
    beside: "source",
    givenHeading: t("Answers"),
    hints: [
      { keys: ["1", "2"], does: t("choose an answer") },
      { keys: ["[", "]"], does: t("other question") },
    ],
    keys: keyHints(),
    missing: (item, answer) => missing(item, answer, desk),
    summary: (item, answer) =>
      t("{done} of {total} answered", {
        done: item.questions.length - open(item, answer).length,
        total: item.questions.length,
      }),
    press: (stroke, shown) => press(stroke, shown, desk),
    look: (stroke, shown) => shown !== undefined && turn(stroke, shown, desk),
    Control: (props) => <Control {...props} desk={desk} />,
    WholeText: (props) => <WholeText {...props} desk={desk} />,
  };
}

function keyHints(): KeyHint[] {
  return [
    { keys: ["1", "…", "9"], does: t("Choose an answer and go to the next question") },
    { keys: ["Enter"], does: t("In a text field: go to the next question") },
    { keys: ["[", "]"], does: t("Other question") },
  ];
}

function slotOf(item: Item): string {
  return item.slots[0]?.slot ?? "";
}

function answersOf(item: Item, answer: Answer): Readonly<Record<string, string>> {
  const answers = answer.slots[slotOf(item)]?.answers;
  return typeof answers === "object" && answers !== null ? (answers as Record<string, string>) : {};
}

function open(item: Item, answer: Answer): Question[] {
  const given = answersOf(item, answer);
  return item.questions.filter(({ name }) => given[name] === undefined);
}

/** From memory, a text is read until an answer is begun; it does not come back. */
function isReading(item: Item, answer: Answer, { isFromMemory, read }: Desk): boolean {
  return isFromMemory && item.revision === 0 && !read.has(item.id) && answer.slots[slotOf(item)] === undefined;
}

function missing(item: Item, answer: Answer, desk: Desk): string {
  if (item.questions.length === 0) return t("There are no questions about this document. Choose “Cannot judge”.");
  if (isReading(item, answer, desk)) return t("Read the document, then continue with the questions.");
  const numbers = open(item, answer).map((question) => item.questions.indexOf(question) + 1);
  return numbers.length ? t("Not answered yet: {names}.", { names: numbers.join(", ") }) : "";
}

/** The question in the dock: the one turned to, else the first without an answer, else the last. */
function questionInDock(item: Item, answer: Answer, { turnedTo }: Desk): Question | undefined {
  const turned = item.questions.find((question) => keyOf(item, question) === turnedTo.value);
  return turned ?? open(item, answer)[0] ?? item.questions.at(-1);
}

function keyOf(item: Item, { name }: Question): string {
  return `${item.id}:${name}`;
}

/** `stays`: the question remains in the dock, as while it is typed. Else the first open one comes, or the main
    button. */
function answered(
  item: Item,
  question: Question,
  value: string,
  answer: Answer,
  desk: Desk,
  { stays = false, merge = "" } = {},
): Change {
  const given = { ...answersOf(item, answer), [question.name]: value };
  const after = withSlot(answer, slotOf(item), { answers: given });
  const isLast = open(item, after).length === 0;
  desk.turnedTo.value = stays || isLast ? keyOf(item, question) : "";
  return { answer: after, merge, typed: null, ...(isLast && !stays && { focus: "submit" }) };
}

function press({ key }: Stroke, { item, answer }: Shown, desk: Desk): Change | null {
  if (isReading(item, answer, desk)) return null;
  const question = questionInDock(item, answer, desk);
  const choice = /^[1-9]$/.test(key) ? question?.choices[Number(key) - 1] : undefined;
  return question && choice !== undefined ? answered(item, question, choice, answer, desk) : null;
}

function turn({ key }: Stroke, { item, answer }: Shown, desk: Desk): boolean {
  const question = questionInDock(item, answer, desk);
  if (!question || isReading(item, answer, desk) || (key !== "[" && key !== "]")) return false;
  const neighbour = item.questions[item.questions.indexOf(question) + (key === "[" ? -1 : 1)];
  if (neighbour) desk.turnedTo.value = keyOf(item, neighbour);
  return true;
}

function WholeText({ item, answer, lines, page, desk }: WholeTextProps & { desk: Desk }) {
  const isHidden = desk.isFromMemory && !isReading(item, answer, desk);
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
        <span>
          {isSource
            ? t("{language}, source", { language: of.name })
            : t("{language}, translation", { language: of.name })}
        </span>
        {!isSource && <span>{t("The source is hidden in this task.")}</span>}
      </p>
      {texts.map((text, place) => (
        <Read key={place} of={of} text={text} />
      ))}
    </article>
  );
}

function Control(props: ControlProps & { desk: Desk }) {
  const { item, answer, change, desk } = props;
  const root = useRef<HTMLDivElement>(null);
  const reading = isReading(item, answer, desk);
  const question = reading ? undefined : questionInDock(item, answer, desk);
  useFocusOnTurn(root, item.id, question?.name ?? "");
  const finish = () => {
    desk.read.add(item.id);
    change({ answer: withSlot(answer, slotOf(item), { answers: {} }), merge: "", typed: null });
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
      {question && <QuestionNumbers item={item} answer={answer} question={question} desk={desk} />}
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

interface QuestionProps extends ControlProps {
  readonly question: Question;
  readonly desk: Desk;
}

function QuestionNumbers({ item, answer, question, desk }: Omit<QuestionProps, "change">) {
  const given = answersOf(item, answer);
  if (item.questions.length < 2) return null;
  return (
    <ol class="numbers plain" aria-label={t("Questions")}>
      {item.questions.map((other, place) => {
        const number = place + 1;
        const isGiven = given[other.name] !== undefined;
        return (
          <li key={other.name}>
            <button
              type="button"
              class={isGiven ? "given" : undefined}
              aria-current={other === question ? "step" : undefined}
              aria-label={isGiven ? t("Question {number}, answered", { number }) : t("Question {number}", { number })}
              onClick={() => {
                desk.turnedTo.value = keyOf(item, other);
              }}
            >
              {number}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** A choice by arrow keys stays; a click or a digit goes on. */
function Choices({ item, answer, change, page, question, desk }: QuestionProps) {
  const given = answersOf(item, answer)[question.name];
  const entry = Math.max(0, question.choices.indexOf(given ?? ""));
  const choose = (choice: string, isClicked: boolean) => {
    const chosen = answered(item, question, choice, answer, desk, { stays: !isClicked });
    change(chosen);
    if (chosen.focus) giveFocus(chosen.focus);
  };
  return (
    <fieldset class="gq" lang={page?.target.language} dir={page?.target.direction}>
      <legend class="q">{question.text}</legend>
      <div class="gopts">
        {question.choices.map((choice, place) => (
          <label key={choice} class="gopt">
            <Radio
              name={`question-${item.id}-${question.name}`}
              checked={choice === given}
              data-first={place === entry ? "" : undefined}
              aria-keyshortcuts={page?.single_keys === false ? undefined : String(place + 1)}
              onChoose={(isClicked) => choose(choice, isClicked)}
            />
            <kbd aria-hidden="true">{place + 1}</kbd>
            <span>{choice}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Typed({ item, answer, change, page, question, desk }: QuestionProps) {
  const given = answersOf(item, answer)[question.name];
  const goOn = (value: string) => {
    const chosen = answered(item, question, value, answer, desk);
    change(chosen);
    if (chosen.focus) giveFocus(chosen.focus);
  };
  return (
    <div class="field gq" dir={page?.target.direction}>
      <label class="q" for="typed" lang={page?.target.language}>
        {question.text}
      </label>
      <div class="row tight">
        <input
          class="input"
          id="typed"
          type="text"
          autocomplete="off"
          lang={page?.target.language}
          dir="auto"
          maxLength={1000}
          value={given ?? ""}
          data-first=""
          onInput={({ currentTarget: { value } }) =>
            change(answered(item, question, value, answer, desk, { stays: true, merge: `typed:${question.name}` }))
          }
          onKeyDown={(event) => {
            const isComposing = event.isComposing || event.keyCode === 229;
            if (event.key !== "Enter" || isComposing || event.repeat || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            goOn(event.currentTarget.value);
          }}
        />
        <Button keys={["Enter"]} onClick={() => goOn(given ?? "")}>
          {t("Next question")}
        </Button>
      </div>
      <span class="hint" dir="auto">
        {t("A few words are enough. Leave the field empty if the document does not give the answer.")}
      </span>
    </div>
  );
}
