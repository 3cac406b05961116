/* MQM: errors marked in the text, each with a category and a severity. */

import type { Answer, Item } from "../workbench/api";
import { t, tn } from "../workbench/words";
import type { Protocol } from "./protocol";
import { CategoryField } from "./spans/category_field";
import { Gestures } from "./spans/gestures";
import { markingHints, markingKeys, markingProtocol, severityDigits } from "./spans/marking_tools";
import { MarkingTexts } from "./spans/marking_texts";
import { answeredSpans, type Severity, spansOf } from "./spans/span";
import { type Category, choicesOf } from "./spans/typology";

export interface MqmOptions {
  readonly typology: { readonly categories: readonly Category[] };
  readonly severities: readonly Severity[];
  readonly mark_source: boolean;
  readonly most_errors: number;
  readonly systems_per_screen: number;
}

export function mqm(options: MqmOptions): Protocol {
  const most = options.most_errors;
  const gestures = new Gestures({
    choices: choicesOf(options.typology.categories),
    most,
    mustConfirmNone: true,
    severities: options.severities,
    marksSource: options.mark_source,
    marksMissing: true,
    CategoryField,
  });
  const isSideBySide = options.systems_per_screen > 1;
  const protocol = markingProtocol({
    gestures,
    isSideBySide,
    // After one translation the next one that is not marked, after the last the main button.
    openAt: (item, answer) => unmarked(item, answer).map((slot) => gestures.firstWordId(item, slot))[0],
    doneAt: () => "submit",
  });
  return {
    ...protocol,
    answerHeading: t("Errors"),
    hints: (item) =>
      markingHints(gestures, item, [
        { keys: severityDigits(gestures), does: t("severity") },
        { keys: ["N"], does: t("no errors") },
      ]),
    keys: markingKeys([{ keys: severityDigits(gestures), does: t("Severity") }]),
    missing: (item, answer) => protocol.missing(item) || missing(item, answer, most),
    summary: (item, answer) => item.slots.map(({ slot }) => spansOf(item, answer, slot).length).join(", "),
    Texts: (props) => <MarkingTexts {...props} gestures={gestures} isSideBySide={isSideBySide} />,
    Control: () => (
      <p class="q">
        {t("Select each error in the text.")}{" "}
        {most > 0 && <span>{t("At most {n} per translation, the most serious first.", { n: most })}</span>}
      </p>
    ),
  };
}

function unmarked(item: Item, answer: Answer): string[] {
  return item.slots.map(({ slot }) => slot).filter((slot) => answeredSpans(item, answer, slot) === null);
}

/** More errors than allowed can come from an import, or from a draft of an earlier page. */
function missing(item: Item, answer: Answer, most: number): string {
  const open = unmarked(item, answer);
  if (open.length > 0)
    return item.slots.length > 1
      ? t("Mark the errors, or choose “No errors”. Not marked yet: {slots}.", { slots: open.join(", ") })
      : t("Mark the errors, or choose “No errors”.");
  const isOver = most > 0 && item.slots.some(({ slot }) => spansOf(item, answer, slot).length > most);
  if (!isOver) return "";
  return tn(
    "At most {n} error per translation is allowed. Delete the least serious ones.",
    "At most {n} errors per translation are allowed. Delete the least serious ones.",
    most,
  );
}
