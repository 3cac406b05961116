/* MQM: errors marked where they stand, each with a category and a severity. */

import { withSlot } from "../workbench/answers";
import type { Answer, Item } from "../workbench/api";
import { t } from "../workbench/words";
import type { Change, ControlProps, Protocol } from "./protocol";

export function mqm(): Protocol {
  return {
    beside: "source",
    givenHeading: t("Errors"),
    hints: [{ keys: ["N"], does: t("no errors") }],
    keys: [{ keys: ["N"], does: t("No errors") }],
    missing: (item, answer) => (item.slots.every(({ slot }) => isMarked(answer, slot)) ? "" : t("Mark the errors, or say that there are none.")),
    summary: (item, answer) => item.slots.map(({ slot }) => spansOf(answer, slot).length).join(", "),
    press: ({ key }, { item, answer }) => (key.toLowerCase() === "n" ? noErrors(item, answer) : null),
    Control,
  };
}

function spansOf(answer: Answer, slot: string): readonly unknown[] {
  const spans = answer.slots[slot]?.spans;
  return Array.isArray(spans) ? spans : [];
}

function isMarked(answer: Answer, slot: string): boolean {
  return Array.isArray(answer.slots[slot]?.spans);
}

function noErrors(item: Item, answer: Answer): Change {
  const clean = item.slots.reduce((sum, { slot }) => withSlot(sum, slot, { ...sum.slots[slot], spans: [] }), answer);
  return { answer: clean, merge: "", typed: null, focus: "submit" };
}

function Control({ item, answer, change }: ControlProps) {
  return (
    <>
      <p class="q">{t("Mark each error where it stands.")}</p>
      <button type="button" class="btn" data-first="" aria-keyshortcuts="N" onClick={() => change(noErrors(item, answer))}>{t("No errors")}</button>
    </>
  );
}
