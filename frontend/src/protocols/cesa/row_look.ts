/* What is in focus in a row, and the words that correspond to it in its other texts. */

import { t } from "../../workbench/words";
import type { Cell as Range } from "../spans/text_units";
import { marksOf } from "./cell_answer";
import { cellName } from "./columns";
import { isSamePlace, type Place } from "./desk";
import type { MarkingDesk } from "./marking_desk";
import { corresponding } from "./runs";

/** Of the text in focus: what is selected, the mark that is chosen, else the word. */
export interface RowLook {
  /** What is washed in a text: null in the text in focus itself. */
  near(place: Place | null): Range | null;
  /** What is outlined in it. */
  chosen(place: Place, side: "target" | "source"): Range | null;
}

export const NO_LOOK: RowLook = { near: () => null, chosen: () => null };

export function lookOfRow(desk: MarkingDesk): RowLook {
  const { here, selection } = desk;
  if (!here) return NO_LOOK;
  const { side, chosen } = desk.focus.value;
  const mark = chosen?.kind === "mark" ? marksOf(desk.answerTo(here.item), here.cell.slot)[chosen.place] : undefined;
  const range = selection ?? mark ?? null;
  const focused = range ?? desk.wordIn(here) ?? null;
  const length = desk.units(here, side).length;
  return {
    near: (place) => {
      const isSource = place === null;
      const isFocused = isSource ? side === "source" : side === "target" && isSamePlace(place, here);
      if (!focused || isFocused) return null;
      return corresponding(desk.units(place ?? here, isSource ? "source" : "target"), focused, length);
    },
    chosen: (place, of) => (of === side && isSamePlace(place, here) ? range : null),
  };
}

export function wordsName({ cell }: Place, number: number): string {
  return t("Segment {number}, translation {name}, word by word", { number, name: cellName(cell) });
}
