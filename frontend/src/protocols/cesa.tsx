/* cESA: a whole document by several systems, its errors marked and each translation scored from 0 to 100. */

import type { Answer, Item } from "../workbench/api";
import { t } from "../workbench/words";
import { answerInWords, type CesaOptions, lackOf, lackWords, scoreOf } from "./cesa/cell_answer";
import { cellName, cellsOf } from "./cesa/columns";
import { MarkingDesk } from "./cesa/marking_desk";
import { Screen } from "./cesa/screen";
import { ScreenDock } from "./cesa/screen_dock";
import type { KeyHint, Protocol } from "./protocol";

export function cesa(options: CesaOptions): Protocol {
  const desk = new MarkingDesk(options);
  return {
    beside: "source",
    answerHeading: t("Score"),
    hints: () => [],
    keys: keysOf(desk),
    missing: (item, answer) => missing(item, answer, options),
    summary: (item, answer) =>
      cellsOf(item)
        .map(({ slot }) => scoreOf(answer, slot) ?? "–")
        .join(", "),
    quote: answerInWords,
    press: () => null,
    Control: () => null,
    travelled: desk.travelled,
    actionsOn: ({ document }) => desk.log.take(document),
    submitsTexts: true,
    parts: {
      Texts: ({ workbench }) => <Screen desk={desk} workbench={workbench} />,
      Dock: ({ workbench }) => <ScreenDock desk={desk.at(workbench)} />,
    },
  };
}

/** Of the first cell of the row that lacks something. */
function missing(item: Item, answer: Answer, options: CesaOptions): string {
  for (const cell of cellsOf(item)) {
    const lack = lackOf(answer, cell.slot, options);
    if (lack) return t("Translation {name}: {what}", { name: cellName(cell), what: lackWords(lack, options) });
  }
  return "";
}

function keysOf({ tags, options }: MarkingDesk): KeyHint[] {
  return [
    { keys: ["←", "→"], does: t("Word by word") },
    { keys: ["Space"], does: t("Start and end a mark; or extend with Shift and an arrow") },
    { keys: ["1", "2"], does: t("The mark is minor, major") },
    { keys: ["[", "]"], does: t("Previous or next mark") },
    { keys: ["Del"], does: t("Delete the mark") },
    ...tags
      .filter(({ key }) => key)
      .map(({ title, key }) => ({ keys: [key.toUpperCase()], does: t("Tag: {title}", { title }) })),
    { keys: ["7", "0"], does: t("Type a score when nothing is selected") },
    { keys: ["+", "-"], does: t("Score up, down by 5 (with Alt and ↑ ↓ from anywhere)") },
    { keys: ["Enter"], does: t("Next translation (with Shift: the one before)") },
    { keys: ["U"], does: t("Next unfinished translation") },
    ...(options.mark_source ? [{ keys: ["S"], does: t("To the source and back, to mark errors there") }] : []),
    { keys: ["B"], does: t("Instruction for this text") },
  ];
}
