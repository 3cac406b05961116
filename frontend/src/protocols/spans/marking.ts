/* What protocols that mark errors have in common: keys, their help, and what is still open. */

import type { Answer, Item } from "../../workbench/api";
import { t } from "../../workbench/words";
import type { Change, KeyHint, Shown, Stroke } from "../protocol";
import type { Rules } from "./actions";
import type { Desk } from "./desk";
import type { Gestures } from "./gestures";
import { rankOf, spansOf } from "./span";

export function isDescribing(desk: Desk, item: Item): boolean {
  return desk.of(item).described !== null;
}

/** More than are asked can come from an import, or from a draft of an earlier page. */
export function pastMost(item: Item, answer: Answer, { most }: Rules): string {
  const full = item.slots.find(({ slot }) => most > 0 && (spansOf(item, answer, slot) ?? []).length > most);
  return full ? t("At most {n} errors are asked for a translation. Delete what weighs least.", { n: most }) : "";
}

/** Where the focus goes once a translation has no errors. */
export type NextAt = (item: Item, after: Answer) => string;

export function cleanChange(gestures: Gestures, item: Item, answer: Answer, next: NextAt): Change {
  const after = gestures.clean(item, answer);
  return { answer: after, merge: "", typed: null, focus: next(item, after) };
}

/** Keys that look around, or act on what is selected; true when one did. */
export function lookAtMarking(gestures: Gestures, { key, shift }: Stroke, shown: Shown | undefined): boolean {
  if (!shown) return false;
  const { selection } = gestures.desk.of(shown.item);
  switch (key) {
    case "[":
    case "]":
      return gestures.goTo(key === "]" ? 1 : -1, document);
    case "o":
      return gestures.describeGap(shift);
    case "c":
      gestures.switchLetters();
      return true;
  }
  if (!/^\d$/.test(key) || !selection) return false;
  gestures.rate(Number(key), document);
  return true; // a number typed over a selection is no score
}

export function altMarkingKey({ key }: Stroke, clean: () => Change): Change | null {
  return key === "n" ? clean() : null;
}

/** Those of the campaign: what another digit would set is not offered. */
export function severityDigits({ marks }: Desk): string[] {
  return marks.severities.map((severity) => String(rankOf(severity)));
}

export function markingHints(): KeyHint[] {
  return [
    { keys: ["←", "→"], does: t("word") },
    { keys: ["Shift", "→"], does: t("extend") },
    { keys: ["Enter"], does: t("mark") },
  ];
}

export function markingKeys(own: readonly KeyHint[]): KeyHint[] {
  return [
    { keys: ["←", "→"], does: t("Word by word") },
    { keys: ["Shift", "→"], does: t("Extend the selection, or move the end of the error in focus") },
    { keys: ["Alt", "Shift", "→"], does: t("Move the beginning of the error in focus") },
    { keys: ["Ctrl", "→"], does: t("Letter by letter; also with Shift, or while dragging") },
    { keys: ["C"], does: t("Letters instead of words, and back") },
    { keys: ["Enter"], does: t("Mark what is selected, or change the error in focus") },
    ...own,
    { keys: ["O"], does: t("Something is missing before the word; with Shift after it") },
    { keys: ["[", "]"], does: t("Previous or next error") },
    { keys: ["Del"], does: t("Delete the error in focus") },
    { keys: ["Esc"], does: t("Leave the selection") },
    { keys: ["Tab"], does: t("Source, translation, list of errors") },
    { keys: ["N"], does: t("No errors; with Alt from anywhere") },
  ];
}
