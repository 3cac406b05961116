/* ESA: errors marked in the text, then a score from 0 to 100. */

import { withSlot } from "../workbench/answers";
import type { Answer, Item } from "../workbench/api";
import { t } from "../workbench/words";
import type { Change, ControlProps, Protocol, Shown, Stroke } from "./protocol";
import { keyScore } from "./score_keys";
import { StillOpen } from "./side_by_side";
import { type Anchor, Slider } from "./slider";
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
  severityDigits,
} from "./spans/marking";
import { DIALOG, MarkingTools } from "./spans/marking_tools";
import { MarkingTexts } from "./spans/marking_texts";
import { type Severity, spansOf, withSpans } from "./spans/span";
import { spansInWords } from "./spans/words";

interface Options {
  readonly severities: readonly Severity[];
  readonly mark_source: boolean;
  readonly missing_content: boolean;
  readonly anchors: readonly Anchor[];
  readonly question: string;
  /** Under this a score without any error marked is doubted once. */
  readonly ask_below: number;
  readonly systems_per_screen: number;
}

const DEFAULTS: Options = {
  severities: ["minor", "major"],
  mark_source: false,
  missing_content: true,
  anchors: [
    [0, "No meaning kept"],
    [33, "Some meaning kept"],
    [66, "Most meaning kept, few grammar errors"],
    [100, "Perfect meaning and grammar"],
  ],
  question: "",
  ask_below: 66,
  systems_per_screen: 1,
};

export function esa(given: Readonly<Record<string, unknown>> = {}): Protocol {
  const options: Options = { ...DEFAULTS, ...(given as Partial<Options>) };
  const desk = new Desk({
    choices: [],
    most: 0,
    saysNone: false,
    severities: options.severities,
    marksSource: options.mark_source,
    marksMissing: options.missing_content,
  });
  const gestures = new Gestures(desk);
  const isSideBySide = options.systems_per_screen > 1;
  return {
    beside: "source",
    layout: isSideBySide ? "rows" : "columns",
    givenHeading: t("Score"),
    hints: [
      ...markingHints(),
      { keys: severityDigits(desk), does: t("severity of what is selected") },
      { keys: ["7", "4"], does: t("type a score") },
    ],
    keys: markingKeys([
      { keys: severityDigits(desk), does: t("Severity of what is selected") },
      { keys: ["7", "4"], does: t("Type a score, with nothing selected") },
    ]),
    missing: (item, answer) => missing(item, answer, desk),
    missingAt: (item, answer) => (isDescribing(desk, item) ? DIALOG : `score-${unscored(item, answer)[0] ?? ""}`),
    doubt: (item, answer) => doubt(item, answer, options.ask_below),
    summary: (item, answer) => item.slots.map(({ slot }) => scoreOf(answer, slot) ?? "–").join(", "),
    quote: (item, answer) => spansInWords(item, answer, [], (slot) => String(scoreOf(answer, slot) ?? "–")),
    Told: (props) => (
      <ToldErrors {...props} choices={[]} more={(slot) => `${t("Score")}: ${scoreOf(props.answer, slot) ?? "–"}`} />
    ),
    press: (stroke, shown) => press(stroke, shown, gestures),
    pressWithAlt: (stroke, { item, answer }) => altMarkingKey(stroke, () => noErrors(gestures, item, answer)),
    look: (stroke, shown) => lookAtMarking(gestures, stroke, shown),
    submitKeys: ["Ctrl", "Enter"],
    Texts: (props) => (
      <MarkingTexts
        {...props}
        gestures={gestures}
        isSideBySide={isSideBySide}
        isInColumns
        controls={(slot) => <Score {...props} options={options} slot={slot} isBare />}
      />
    ),
    Control: (props) => <Control {...props} options={options} gestures={gestures} isSideBySide={isSideBySide} />,
  };
}

function scoreOf(answer: Answer, slot: string): number | null {
  const score = answer.slots[slot]?.score;
  return typeof score === "number" ? score : null;
}

function unscored(item: Item, answer: Answer): string[] {
  return item.slots.map(({ slot }) => slot).filter((slot) => scoreOf(answer, slot) === null);
}

/** A score says that the errors are marked, were there none at all. */
function scored(item: Item, answer: Answer, slot: string, score: number): Answer {
  const marked = withSpans(answer, slot, spansOf(item, answer, slot) ?? []);
  return withSlot(marked, slot, { ...marked.slots[slot], score });
}

function missing(item: Item, answer: Answer, desk: Desk): string {
  if (isDescribing(desk, item)) return t("Finish the error you began, or close it.");
  const open = unscored(item, answer);
  if (open.length === 0) return "";
  return item.slots.length > 1
    ? t("Choose a score first. Without one: {slots}.", { slots: open.join(", ") })
    : t("Choose a score first.");
}

function doubt(item: Item, answer: Answer, below: number): string {
  const isDoubtful = (slot: string) =>
    (scoreOf(answer, slot) ?? below) < below && (spansOf(item, answer, slot) ?? []).length === 0;
  const slot = item.slots.find((shown) => isDoubtful(shown.slot))?.slot;
  if (slot === undefined) return "";
  return t("A score of {score} and no error marked? Mark what is wrong, or press Next once more.", {
    score: scoreOf(answer, slot) ?? "",
  });
}

function noErrors(gestures: Gestures, item: Item, answer: Answer): Change {
  return cleanChange(
    gestures,
    item,
    answer,
    (_, after) => `score-${unscored(item, after)[0] ?? gestures.desk.of(item).slot}`,
  );
}

function press(stroke: Stroke, { item, answer, typed }: Shown, gestures: Gestures): Change | null {
  if (stroke.key === "n") return noErrors(gestures, item, answer);
  const slot = stroke.slot ?? typed?.slot ?? unscored(item, answer)[0] ?? item.slots[0]?.slot;
  if (slot === undefined) return null;
  const keyed = keyScore(stroke, slot, scoreOf(answer, slot), typed);
  return (
    keyed && { answer: scored(item, answer, slot, keyed.score), merge: `${keyed.merge}:${slot}`, typed: keyed.typed }
  );
}

interface Props extends ControlProps {
  readonly options: Options;
}

function Control({ options, gestures, isSideBySide, ...props }: Props & { gestures: Gestures; isSideBySide: boolean }) {
  const { item, answer } = props;
  return (
    <>
      <p class="q" id="question">
        {options.question || t("Errors marked? Now the translation as a whole.")}
        {isSideBySide && (
          <>
            {" "}
            <span class="key">{options.anchors.map(([place, label]) => `${place} ${t(label)}`).join(" · ")}</span>
          </>
        )}
        {!isSideBySide && (
          <span class="vh"> {options.anchors.map(([place, label]) => `${place}: ${t(label)}`).join(", ")}</span>
        )}
      </p>
      {isSideBySide ? (
        <StillOpen slots={unscored(item, answer)} />
      ) : (
        item.slots.map(({ slot }) => <Score key={`${item.id}:${slot}`} {...props} options={options} slot={slot} />)
      )}
      <MarkingTools
        {...props}
        gestures={gestures}
        onClean={(of, after) => `score-${unscored(of, after)[0] ?? gestures.desk.of(of).slot}`}
      />
    </>
  );
}

function Score({ item, answer, change, options, slot, isBare = false }: Props & { slot: string; isBare?: boolean }) {
  return (
    <Slider
      id={`score-${slot}`}
      name={item.slots.length === 1 ? t("Score") : t("Score of {slot}", { slot })}
      slot={slot}
      questionId="question"
      score={scoreOf(answer, slot)}
      anchors={options.anchors}
      showNumber
      isFirst={false}
      isBare={isBare}
      onScore={(value) => change({ answer: scored(item, answer, slot, value), merge: `dragged:${slot}`, typed: null })}
    />
  );
}
