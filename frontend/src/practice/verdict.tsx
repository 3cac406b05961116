/* After an answer: what was expected, cell by cell, and what of it was found. */

import type { ComponentChildren } from "preact";

import type { Feedback } from "../workbench/api";
import { Button, NoOutput, Note, Read } from "../workbench/render/controls";
import { Modal } from "../workbench/render/modal";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";
import { closeLessons, type Lesson } from "./lessons";
import { type Kind, markWords, painted } from "./marks";

interface Props {
  readonly workbench: Workbench;
  readonly lessons: readonly Lesson[];
}

export function Verdict({ workbench, lessons }: Props) {
  const areRight = lessons.every(({ feedback }) => feedback.is_right);
  const isAnyGraded = lessons.some(({ feedback }) => isGraded(feedback));
  const title = !isAnyGraded ? t("For comparison") : areRight ? t("Correct") : t("Look again");
  return (
    <Modal id="feedback" title={title} onClose={() => closeLessons(workbench)}>
      {lessons.map((lesson, place) => (
        <section key={lesson.item.id} class="stack-s verdict-row">
          {lessons.length > 1 && <h3>{t("Segment {number}", { number: place + 1 })}</h3>}
          <Row workbench={workbench} lesson={lesson} />
        </section>
      ))}
      <div class="row end">
        {!areRight && <Button onClick={workbench.practiseAgain}>{t("Try again")}</Button>}
        <Button type="submit" look="go" autofocus>
          {t("Continue")}
        </Button>
      </div>
      {isAnyGraded && <p class="small muted">{t("Only your first answer counts.")}</p>}
    </Modal>
  );
}

function Row({ workbench, lesson: { item, feedback } }: { workbench: Workbench; lesson: Lesson }) {
  const { page } = workbench;
  const isMany = item.slots.length > 1;
  const isRight = isGraded(feedback) && feedback.is_right;
  const hasMarks = feedback.marks.length > 0;
  const hasOthers = feedback.verdicts.length + feedback.orders.length + feedback.texts.length > 0;
  return (
    <>
      {item.source && <Read of={page.source} text={item.source} />}
      {item.slots.map(({ slot, text }) => (
        <div key={slot} class="stack-s verdict-cell">
          <Read of={page.target}>
            {isMany && <b>{slot}. </b>}
            {text ? <Painted text={text} feedback={feedback} slot={slot} /> : <NoOutput />}
          </Read>
          {hasMarks && <Marks workbench={workbench} feedback={feedback} slot={slot} text={text ?? ""} />}
        </div>
      ))}
      {(hasOthers || feedback.text) && (
        <Note look={isRight ? "ok" : ""} icon={isRight ? "done" : "info"} role="status">
          <Others workbench={workbench} feedback={feedback} isMany={isMany} />
          {feedback.text && (
            <p dir="auto" class="verdict-words">
              {feedback.text}
            </p>
          )}
        </Note>
      )}
    </>
  );
}

/** What was expected has a ground, what was marked a line. */
function Painted({ text, feedback, slot }: { text: string; feedback: Feedback; slot: string }) {
  const pieces = painted(
    text,
    feedback.marks.filter((mark) => mark.slot === slot),
  );
  return (
    <>
      {pieces.map(({ words, isExpected, isGiven }, place) =>
        isExpected || isGiven ? (
          <mark key={place} class={[isExpected && "is-expected", isGiven && "is-given"].filter(Boolean).join(" ")}>
            {words}
          </mark>
        ) : (
          words
        ),
      )}
    </>
  );
}

interface MarksProps {
  readonly workbench: Workbench;
  readonly feedback: Feedback;
  readonly slot: string;
  readonly text: string;
}

function Marks({ workbench, feedback, slot, text }: MarksProps) {
  const marks = feedback.marks.filter((mark) => mark.slot === slot);
  if (marks.length === 0) return null;
  return (
    <ul class="verdict-marks small">
      {marks.map((mark, place) => {
        const { kind, words } = markWords(mark, text, workbench.page.campaign.options);
        return (
          <li key={place} class={`verdict-${kind}`}>
            <b>{titleOf(kind)}</b> <span dir="auto">{words}</span>
            {mark.expected?.note && (
              <p dir="auto" class="verdict-words">
                {mark.expected.note}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function titleOf(kind: Kind): string {
  switch (kind) {
    case "found":
      return t("Found:");
    case "almost":
      return t("Almost:");
    case "missed":
      return t("Missed:");
    case "extra":
      return t("Not expected:");
  }
}

/** Numbers, order and corrections. */
function Others({ workbench, feedback, isMany }: { workbench: Workbench; feedback: Feedback; isMany: boolean }) {
  const { page } = workbench;
  const ofSlot = (slot: string, words: ComponentChildren) => (
    <p>
      <b>
        {isMany && `${slot}. `}
        {words}
      </b>
    </p>
  );
  return (
    <>
      {feedback.verdicts.map((verdict) => (
        <div key={`${verdict.slot}:${verdict.measure}`}>{ofSlot(verdict.slot, numberWords(verdict))}</div>
      ))}
      {feedback.orders.map((order) => (
        <p key={`${order.better}${order.worse}`}>
          <b>{orderWords(order)}</b>
        </p>
      ))}
      {feedback.texts.map(({ slot, given, accepted }) => (
        <div key={slot}>
          {given && ofSlot(slot, t("You wrote:"))}
          {given && <Read of={page.target} text={given} />}
          {ofSlot(slot, accepted.length > 1 ? t("Correct answers:") : t("Correct answer:"))}
          {accepted.map((text) => (
            <Read key={text} of={page.target} text={text} />
          ))}
        </div>
      ))}
    </>
  );
}

function isGraded({ verdicts, orders, texts, marks }: Feedback): boolean {
  return verdicts.length + orders.length + texts.length + marks.length > 0;
}

function orderWords({ better, worse, is_right }: Feedback["orders"][number]): string {
  return is_right
    ? t("Correct: {better} is better than {worse}.", { better, worse })
    : t("{better} is better than {worse}; you ranked them differently.", { better, worse });
}

function numberWords({ measure, low, high, value }: Feedback["verdicts"][number]): string {
  const values = { measure, value: value ?? t("none"), low, high };
  return low === high
    ? t("{measure}: you answered {value}, correct is {low}.", values)
    : t("{measure}: you answered {value}, correct is {low} to {high}.", values);
}
