/* What protocols that mark errors have in common: keys and their help, how an answer reads, the buttons in the dock. */

import type { Answer, Item } from "../../workbench/api";
import { Button, singleKey } from "../../workbench/render/controls";
import { ROWS } from "../../workbench/render/rows";
import { t } from "../../workbench/words";
import type { Change, ControlProps, KeyHint, Protocol, Shown, Stroke } from "../protocol";
import { DIALOG } from "./error_dialog";
import { ErrorsToRead } from "./error_list";
import type { Gestures } from "./gestures";
import { SCORE } from "../score";
import { rankOf } from "./span";
import { spansInWords } from "./words";

export interface MarkingSetup {
  readonly gestures: Gestures;
  readonly isSideBySide: boolean;
  /** The id of the next control to answer; undefined when there is none. */
  readonly openAt: (item: Item, answer: Answer) => string | undefined;
  /** Where the focus goes when all is answered. */
  readonly doneAt: (item: Item) => string;
  /** Other answers about a translation. */
  readonly more?: (answer: Answer, slot: string) => string;
}

export function markingProtocol({ gestures, isSideBySide, openAt, doneAt, more = () => "" }: MarkingSetup) {
  const { choices } = gestures.marks;
  const noErrors = (item: Item, answer: Answer): Change => {
    const after = gestures.markNoErrors(item, answer);
    return { answer: after, focus: openAt(item, after) ?? doneAt(item) };
  };
  const press = ({ key }: Stroke, { item, answer }: Shown) => (key === "n" ? noErrors(item, answer) : null);
  const isDescribing = (item: Item) => gestures.of(item).described !== null;
  const protocol = {
    parts: ROWS,
    beside: "source",
    layout: isSideBySide ? "rows" : "columns",
    missing: (item) => (isDescribing(item) ? t("Finish or close the error you are describing.") : ""),
    missingAt: (item, answer) => (isDescribing(item) ? DIALOG : (openAt(item, answer) ?? "")),
    quote: (item, answer) => spansInWords(item, answer, choices, (slot) => more(answer, slot)),
    AnswerText: (props) => <ErrorsToRead {...props} choices={choices} more={more} />,
    press,
    pressWithAlt: press,
    look: (stroke, { item }) => lookAtMarking(gestures, stroke, item),
    submitKeys: ["Ctrl", "Enter"],
    Second: (props) => <NoErrors {...props} gestures={gestures} noErrors={noErrors} />,
    Tools: (props) => <MarkingTools {...props} gestures={gestures} />,
  } satisfies Partial<Protocol>;
  return protocol;
}

/** Keys that look around, or act on what is selected; true when one did. */
function lookAtMarking(gestures: Gestures, { key, shift, part }: Stroke, item: Item): boolean {
  switch (key) {
    case "[":
    case "]":
      return gestures.goTo(key === "]" ? 1 : -1);
    case "o":
      return gestures.describeGap(shift);
    case "c":
      gestures.switchLetters();
      return true;
  }
  if (!/^\d$/.test(key) || part === SCORE || !gestures.of(item).selection) return false;
  gestures.rate(Number(key));
  return true; // a number typed over a selection is not a score
}

/** The severities of the campaign, no others. */
export function severityDigits({ marks }: Gestures): string[] {
  return marks.severities.map((severity) => String(rankOf(severity)));
}

/** Of a selection its severity, else what the digits or other keys mean without one. */
export function markingHints(gestures: Gestures, item: Item, otherwise: readonly KeyHint[]): KeyHint[] {
  const { selection } = gestures.of(item);
  const leadsToSource = gestures.marks.marksSource && item.slots.length === 1;
  return [
    { keys: ["←", "→"], does: t("word") },
    { keys: ["Shift", "→"], does: t("extend") },
    { keys: ["Enter"], does: t("mark") },
    ...(selection ? [{ keys: severityDigits(gestures), does: t("severity") }] : otherwise),
    ...(leadsToSource ? [{ keys: ["Tab"], does: t("source, where omissions are marked") }] : []),
  ];
}

export function markingKeys(own: readonly KeyHint[]): KeyHint[] {
  return [
    { keys: ["←", "→"], does: t("Move by word") },
    { keys: ["Shift", "→"], does: t("Extend the selection, or move the end of the error in focus") },
    { keys: ["Alt", "Shift", "→"], does: t("Move the beginning of the error in focus") },
    { keys: ["Ctrl", "→"], does: t("Move by character; also with Shift, or while dragging") },
    { keys: ["C"], does: t("Switch between characters and words") },
    { keys: ["Enter"], does: t("Mark the selection, or change the error in focus") },
    ...own,
    { keys: ["O"], does: t("Mark missing content before the word (with Shift: after it)") },
    { keys: ["[", "]"], does: t("Previous or next error") },
    { keys: ["Del"], does: t("Delete the error in focus") },
    { keys: ["Esc"], does: t("Clear the selection") },
    { keys: ["Tab"], does: t("Move between translation, source and list of errors") },
    { keys: ["N"], does: t("No errors (with Alt: from anywhere)") },
  ];
}

interface ToolsProps extends ControlProps {
  readonly gestures: Gestures;
}

interface NoErrorsProps extends ToolsProps {
  readonly noErrors: (item: Item, answer: Answer) => Change;
}

function NoErrors({ item, answer, change, page, gestures, noErrors }: NoErrorsProps) {
  return (
    <Button
      look="big"
      keys={page.single_keys ? ["N"] : ["Alt", "N"]}
      aria-keyshortcuts={page.single_keys ? "N Alt+N" : "Alt+N"}
      onClick={() => change(noErrors(item, answer))}
    >
      {item.slots.length > 1 ? t("No errors in {slot}", { slot: gestures.of(item).slot }) : t("No errors")}
    </Button>
  );
}

/** Words or letters, undo and redo. */
function MarkingTools({ item, page, travel, gestures }: ToolsProps) {
  const { byLetters } = gestures.of(item);
  return (
    <>
      <Button {...singleKey(page, "C")} aria-pressed={byLetters} onClick={() => gestures.switchLetters(item)}>
        {t("Mark single characters")}
      </Button>
      <Button look="quiet" aria-keyshortcuts="Control+Z" onClick={() => travel("undo")}>
        {t("Undo")}
      </Button>
      <Button look="quiet" aria-keyshortcuts="Control+Shift+Z" onClick={() => travel("redo")}>
        {t("Redo")}
      </Button>
    </>
  );
}
