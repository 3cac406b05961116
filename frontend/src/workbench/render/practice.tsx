/* Practice: feedback on an answer, before the next item. */

import { Fragment } from "preact";

import type { Feedback as PracticeFeedback } from "../api";
import { t } from "../words";
import type { Workbench } from "../workbench";
import { Button, NoOutput, Note, Read } from "./controls";
import { Modal } from "./modal";

export function Feedback({ workbench }: { workbench: Workbench }) {
  const { feedback, items } = workbench.state.value;
  const { page } = workbench;
  if (!feedback) return null;
  const item = items.find(({ id }) => id === feedback.item);
  const isMany = (item?.slots.length ?? 1) > 1;
  const isRight = isGraded(feedback) && feedback.is_right;
  const ofSlot = (slot: string, words: string) => (
    <p>
      <b>
        {isMany && `${slot}. `}
        {words}
      </b>
    </p>
  );
  return (
    <Modal id="feedback" title={titleOf(feedback)} onClose={workbench.closeDialog}>
      {item && (
        <div class="stack-s">
          {item.source && <Read of={page.source} text={item.source} />}
          {item.slots.map(({ slot, text }) => (
            <Read key={slot} of={page.target}>
              {isMany && <b>{slot}. </b>}
              {text === "" ? <NoOutput /> : text}
            </Read>
          ))}
        </div>
      )}
      <Note look={isRight ? "ok" : ""} icon={isRight ? "done" : "info"} role="status">
        {feedback.verdicts.map((verdict) => (
          <Fragment key={`${verdict.slot}:${verdict.measure}`}>{ofSlot(verdict.slot, verdictWords(verdict))}</Fragment>
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
        {feedback.text && <p dir="auto">{feedback.text}</p>}
      </Note>
      <div class="row end">
        {!feedback.is_right && <Button onClick={workbench.practiseAgain}>{t("Try again")}</Button>}
        <Button type="submit" look="go" autofocus>
          {t("Continue")}
        </Button>
      </div>
      {isGraded(feedback) && <p class="small muted">{t("Only your first answer counts.")}</p>}
    </Modal>
  );
}

function isGraded({ verdicts, orders, texts }: PracticeFeedback): boolean {
  return verdicts.length + orders.length + texts.length > 0;
}

function titleOf(feedback: PracticeFeedback): string {
  if (!isGraded(feedback)) return t("For comparison");
  return feedback.is_right ? t("Correct") : t("Look again");
}

function orderWords({ better, worse, is_right }: PracticeFeedback["orders"][number]): string {
  return is_right
    ? t("Correct: {better} is better than {worse}.", { better, worse })
    : t("{better} is better than {worse}; you ranked them differently.", { better, worse });
}

function verdictWords({ measure, low, high, value }: PracticeFeedback["verdicts"][number]): string {
  const values = { measure, value: value ?? t("none"), low, high };
  return low === high
    ? t("{measure}: you answered {value}, correct is {low}.", values)
    : t("{measure}: you answered {value}, correct is {low} to {high}.", values);
}
