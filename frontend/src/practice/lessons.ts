/* Which feedback is shown together: on one segment, or on all rows of a screen that is submitted as one. */

import type { Feedback, Item } from "../workbench/api";
import { textOf } from "../workbench/state";
import type { Workbench } from "../workbench/workbench";

export interface Lesson {
  readonly item: Item;
  readonly feedback: Feedback;
}

/** The newest of each row: a row that was not changed in another try keeps its own. */
const learned = new Map<string, Feedback>();

/** Empty while there is nothing to tell, or rows of the screen are still under way. */
export function lessonsOf(workbench: Workbench): Lesson[] {
  const { dialog, feedback, nextFeedback, items } = workbench.state.value;
  const { stage } = workbench.saver.state.value;
  if (dialog !== "feedback" || !feedback) return [];
  for (const each of [feedback, ...nextFeedback]) learned.set(each.item, each);
  if (workbench.saver.unsent > 0 && (stage === "sending" || stage === "rest")) return [];
  const state = workbench.state.value;
  const rows = workbench.protocol.submitsTexts ? textOf(state, feedback.item) : items;
  const shown = workbench.protocol.submitsTexts ? rows : rows.filter(({ id }) => id === feedback.item);
  return shown.flatMap((item) => {
    const own = learned.get(item.id);
    return own ? [{ item, feedback: own }] : [];
  });
}

/** Closes all that was shown at once. */
export function closeLessons(workbench: Workbench): void {
  while (workbench.state.value.nextFeedback.length > 0) workbench.closeDialog();
  workbench.closeDialog();
}
