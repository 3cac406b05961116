/* Answers that the server refused: why, and which of them are still on the screen. */

import { sameAnswer } from "./api";
import { workOf } from "./state";
import type { UnsentJudgment } from "./storage";
import { t } from "./words";
import type { Workbench } from "./workbench";

/** Of a screen only some rows have a reason: the others were refused with them. */
export function isReason({ hold, screen }: UnsentJudgment): boolean {
  return screen === undefined || (hold?.why === "refused" && Object.keys(hold.errors).length > 0);
}

export function reasonOf({ hold }: UnsentJudgment): string {
  const messages = hold?.why === "refused" ? Object.values(hold.errors).flat() : [];
  return messages.join(" ") || t("The server gave no reason.");
}

/** What stands beside the button: what is missing, or why the server refused this very answer; "" if nothing. */
export function complaintOf({ state: { value: state }, saver }: Workbench): string {
  const { entered } = workOf(state, state.current);
  const refused = saver.state.value.judgments.find(
    (each) => each.item === state.current && each.hold?.why === "refused" && sameAnswer(each.answer, entered),
  );
  if (state.complaint || !refused || !isReason(refused)) return state.complaint;
  return [t("The server did not accept this answer."), reasonOf(refused)].join(" ");
}
