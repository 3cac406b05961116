/* ESA: errors marked in the text, then a score from 0 to 100. */

import { type Answer, type Item, withSlot } from "../workbench/api";
import { t } from "../workbench/words";
import type { Protocol } from "./protocol";
import { pressScore, Score, scoreOf, type ScoreOptions, ScoreQuestion, unscored } from "./score";
import { Gestures } from "./spans/gestures";
import { markingHints, markingKeys, markingProtocol, severityDigits } from "./spans/marking_tools";
import { MarkingTexts } from "./spans/marking_texts";
import { type Severity, spansOf, withSpans } from "./spans/span";

export interface EsaOptions extends ScoreOptions {
  readonly severities: readonly Severity[];
  readonly mark_source: boolean;
  readonly missing_content: boolean;
  /** Below this, a score without any marked error is questioned once. */
  readonly ask_below: number;
}

export function esa(options: EsaOptions): Protocol {
  const gestures = new Gestures({
    choices: [],
    most: 0,
    mustConfirmNone: false,
    severities: options.severities,
    marksSource: options.mark_source,
    marksMissing: options.missing_content,
  });
  const isSideBySide = options.systems_per_screen > 1;
  const protocol = markingProtocol({
    gestures,
    isSideBySide,
    openAt: (item, answer) => unscored(item, answer).map((slot) => `score-${slot}`)[0],
    doneAt: (item) => `score-${gestures.of(item).slot}`,
    more: (answer, slot) => `${t("Score")}: ${scoreOf(answer, slot) ?? "–"}`,
  });
  const scale = { options, withScore: scored };
  return {
    ...protocol,
    answerHeading: t("Score"),
    hints: (item) =>
      markingHints(gestures, item, [
        { keys: ["7", "4"], does: t("type a score") },
        { keys: ["N"], does: t("no errors") },
      ]),
    keys: markingKeys([
      { keys: severityDigits(gestures), does: t("Severity of the selection") },
      { keys: ["7", "4"], does: t("Type a score when nothing is selected, or the scale has the focus") },
    ]),
    missing: (item, answer) => protocol.missing(item) || missing(item, answer),
    doubt: (item, answer) => doubt(item, answer, options.ask_below),
    summary: (item, answer) => item.slots.map(({ slot }) => scoreOf(answer, slot) ?? "–").join(", "),
    press: (stroke, shown) => protocol.press(stroke, shown) ?? pressScore(stroke, shown, scored),
    Texts: (props) => (
      <MarkingTexts
        {...props}
        gestures={gestures}
        isSideBySide={isSideBySide}
        controls={(slot) => <Score {...props} {...scale} slot={slot} isBare />}
      />
    ),
    Control: (props) => (
      <ScoreQuestion
        {...props}
        options={options}
        isInRows={isSideBySide}
        slider={(slot) => <Score key={`${props.item.id}:${slot}`} {...props} {...scale} slot={slot} />}
      >
        {options.question || t("Once the errors are marked: how good is the whole translation?")}
      </ScoreQuestion>
    ),
  };
}

/** A score states that the errors are marked, even if there are none. */
function scored(item: Item, answer: Answer, slot: string, score: number): Answer {
  const marked = withSpans(answer, slot, spansOf(item, answer, slot));
  return withSlot(marked, slot, { ...marked.slots[slot], score });
}

function missing(item: Item, answer: Answer): string {
  const open = unscored(item, answer);
  if (open.length === 0) return "";
  return item.slots.length > 1
    ? t("Choose a score first. Missing: {slots}.", { slots: open.join(", ") })
    : t("Choose a score first.");
}

function doubt(item: Item, answer: Answer, below: number): string {
  const slot = item.slots
    .map((shown) => shown.slot)
    .find((name) => (scoreOf(answer, name) ?? below) < below && spansOf(item, answer, name).length === 0);
  if (slot === undefined) return "";
  return t("A score of {score}, but no error is marked. Mark the errors, or press Next again.", {
    score: scoreOf(answer, slot) ?? "",
  });
}
