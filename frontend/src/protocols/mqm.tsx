/* MQM: errors marked where they stand, each with a category and a severity. */

import { t } from "../workbench/words";
import type { ControlProps, Protocol } from "./protocol";
import { Desk } from "./spans/desk";
import { Gestures } from "./spans/gestures";
import { ToldErrors } from "./spans/error_list";
import {
  altMarkingKey,
  cleanChange,
  isDescribing,
  lookAtMarking,
  markingHints,
  markingKeys,
  pastMost,
  severityDigits,
} from "./spans/marking";
import { DIALOG, MarkingTools } from "./spans/marking_tools";
import { MarkingTexts } from "./spans/marking_texts";
import { SEVERITIES, type Severity, spansOf } from "./spans/span";
import { type Category, choicesOf } from "./spans/typology";
import { spansInWords } from "./spans/words";

interface Options {
  readonly typology: { readonly categories: readonly Category[] };
  readonly severities: readonly Severity[];
  readonly mark_source: boolean;
  readonly most_errors: number;
  readonly systems_per_screen: number;
}

const DEFAULTS: Options = {
  typology: { categories: [] },
  severities: SEVERITIES,
  mark_source: true,
  most_errors: 0,
  systems_per_screen: 1,
};

export function mqm(given: Readonly<Record<string, unknown>> = {}): Protocol {
  const options: Options = { ...DEFAULTS, ...(given as Partial<Options>) };
  const desk = new Desk({
    choices: choicesOf(options.typology.categories),
    most: options.most_errors,
    saysNone: true,
    severities: options.severities,
    marksSource: options.mark_source,
    marksMissing: true,
  });
  const gestures = new Gestures(desk);
  const isSideBySide = options.systems_per_screen > 1;
  const unmarked: (...of: Parameters<Protocol["missing"]>) => string[] = (item, answer) =>
    item.slots.map(({ slot }) => slot).filter((slot) => spansOf(item, answer, slot) === null);
  const missing: Protocol["missing"] = (item, answer) => {
    if (isDescribing(desk, item)) return t("Finish the error you began, or close it.");
    const open = unmarked(item, answer);
    if (open.length > 0 && item.slots.length > 1)
      return t("Mark the errors, or say that there are none. Not marked yet: {slots}.", { slots: open.join(", ") });
    if (open.length > 0) return t("Mark the errors, or say that there are none.");
    return pastMost(item, answer, desk.marks);
  };
  return {
    beside: "source",
    layout: isSideBySide ? "rows" : "columns",
    givenHeading: t("Errors"),
    hints: [
      ...markingHints(),
      { keys: severityDigits(desk), does: t("severity") },
      { keys: ["N"], does: t("no errors") },
    ],
    keys: markingKeys([{ keys: severityDigits(desk), does: t("Severity: number of strokes") }]),
    missing,
    missingAt: (item, answer) => {
      if (isDescribing(desk, item)) return DIALOG;
      const slot = unmarked(item, answer)[0];
      return slot === undefined ? "" : gestures.firstWordId(item, slot);
    },
    summary: (item, answer) => item.slots.map(({ slot }) => (spansOf(item, answer, slot) ?? []).length).join(", "),
    quote: (item, answer) => spansInWords(item, answer, desk.marks.choices),
    Told: (props) => <ToldErrors {...props} choices={desk.marks.choices} />,
    press: ({ key }, { item, answer }) =>
      key === "n" ? cleanChange(gestures, item, answer, nextOpen(gestures, unmarked)) : null,
    pressWithAlt: (stroke, { item, answer }) =>
      altMarkingKey(stroke, () => cleanChange(gestures, item, answer, nextOpen(gestures, unmarked))),
    look: (stroke, shown) => lookAtMarking(gestures, stroke, shown),
    submitKeys: ["Ctrl", "Enter"],
    Texts: (props) => <MarkingTexts {...props} gestures={gestures} isSideBySide={isSideBySide} isInColumns={false} />,
    Control: (props) => (
      <Control {...props} gestures={gestures} most={options.most_errors} onClean={nextOpen(gestures, unmarked)} />
    ),
  };
}

type Unmarked = (...of: Parameters<Protocol["missing"]>) => string[];
type Next = (...of: Parameters<Protocol["missing"]>) => string;

/** After one translation the next one that is not marked, after the last the main button. */
function nextOpen(gestures: Gestures, unmarked: Unmarked): Next {
  return (item, answer) => {
    const next = unmarked(item, answer)[0];
    return next === undefined ? "submit" : gestures.firstWordId(item, next);
  };
}

interface Props extends ControlProps {
  readonly gestures: Gestures;
  readonly most: number;
  readonly onClean: Next;
}

function Control({ most, ...props }: Props) {
  return (
    <>
      <p class="q">
        {t("Mark each error where it stands.")}{" "}
        {most > 0 && <span>{t("At most {n} in a translation, the gravest first.", { n: most })}</span>}
      </p>
      <MarkingTools {...props} />
    </>
  );
}
