/* Practice: what was said of an answer, before one goes on. */

import { useEffect } from "preact/hooks";

import type { Feedback as Said } from "../api";
import { t } from "../words";
import type { Workbench } from "../workbench";
import { Icon } from "./marks";
import { Modal } from "./modal";
import { Loading } from "./phases";

export function Feedback({ workbench }: { workbench: Workbench }) {
  const { feedback, items } = workbench.state.value;
  const { page } = workbench;
  if (!feedback) return null;
  const item = items.find(({ id }) => id === feedback.item);
  const isMany = (item?.slots.length ?? 1) > 1;
  return (
    <Modal id="feedback" title={titleOf(feedback)} onClose={workbench.closeDialog}>
      {item && (
        <div class="stack-s">
          {item.source && (
            <p class="read" lang={page.source.language} dir={page.source.direction}>
              {item.source}
            </p>
          )}
          {item.slots.map(({ slot, text }) => (
            <p key={slot} class="read" lang={page.target.language} dir={page.target.direction}>
              {isMany && <b>{slot}. </b>}
              {text}
            </p>
          ))}
        </div>
      )}
      <div class={isGraded(feedback) && feedback.is_right ? "note ok" : "note"} role="status">
        <Icon name={isGraded(feedback) && feedback.is_right ? "done" : "info"} />
        {feedback.verdicts.map((verdict) => (
          <p key={`${verdict.slot}:${verdict.measure}`}>
            <b>
              {isMany && `${verdict.slot}. `}
              {verdictWords(verdict)}
            </b>
          </p>
        ))}
        {feedback.orders.map((order) => (
          <p key={`${order.better}${order.worse}`}>
            <b>{orderWords(order)}</b>
          </p>
        ))}
        {feedback.texts.map(({ slot, given, accepted }) => (
          <div key={slot}>
            {given && (
              <p>
                <b>
                  {isMany && `${slot}. `}
                  {t("You wrote:")}
                </b>
              </p>
            )}
            {given && (
              <p class="read" lang={page.target.language} dir={page.target.direction}>
                {given}
              </p>
            )}
            <p>
              <b>
                {isMany && `${slot}. `}
                {accepted.length > 1 ? t("Right would be one of these:") : t("Right is:")}
              </b>
            </p>
            {accepted.map((text) => (
              <p key={text} class="read" lang={page.target.language} dir={page.target.direction}>
                {text}
              </p>
            ))}
          </div>
        ))}
        {feedback.text && <p dir="auto">{feedback.text}</p>}
      </div>
      <div class="row end">
        {!feedback.is_right && (
          <button type="button" class="btn" onClick={workbench.practiseAgain}>
            {t("Try again")}
          </button>
        )}
        <button type="submit" class="btn go" autofocus>
          {t("Go on")}
        </button>
      </div>
      {isGraded(feedback) && <p class="small muted">{t("Your first answer is the one that counts.")}</p>}
    </Modal>
  );
}

function isGraded({ verdicts, orders, texts }: Said): boolean {
  return verdicts.length + orders.length + texts.length > 0;
}

function titleOf(feedback: Said): string {
  if (!isGraded(feedback)) return t("To compare");
  return feedback.is_right ? t("That fits") : t("Look again");
}

function orderWords({ better, worse, is_right }: Said["orders"][number]): string {
  return is_right
    ? t("{better} is better than {worse}, as you say.", { better, worse })
    : t("{better} is better than {worse}; you had it otherwise.", { better, worse });
}

function verdictWords({ measure, low, high, value }: Said["verdicts"][number]): string {
  const values = { measure, value: value ?? t("none"), low, high };
  return low === high
    ? t("{measure}: you gave {value}, right is {low}.", values)
    : t("{measure}: you gave {value}, right is {low} to {high}.", values);
}

/** How it went is told by the server's page at the same address. */
export function PracticeDone() {
  useEffect(() => location.reload(), []);
  return (
    <div class="wrap">
      <Loading />
    </div>
  );
}
