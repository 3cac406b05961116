/* Direct Assessment: a score from 0 to 100 for each segment, and for each document where the campaign asks. */

import { withSlot } from "../workbench/answers";
import type { Answer, Item } from "../workbench/api";
import { t } from "../workbench/words";
import type { Change, ControlProps, KeyHint, Protocol, Shown, Stroke } from "./protocol";
import { keyScore } from "./score_keys";
import { type Anchor, Slider } from "./slider";

interface Options {
  readonly judge_against: "source" | "reference" | "both";
  readonly show_number: boolean;
  readonly anchors: readonly Anchor[];
  readonly question: string;
}

const DEFAULTS: Options = {
  judge_against: "source",
  show_number: true,
  anchors: [[0, "Nothing"], [33, "Some of it"], [66, "Most of it"], [100, "All of it"]],
  question: "",
};

export function directAssessment(given: Readonly<Record<string, unknown>>): Protocol {
  const options: Options = { ...DEFAULTS, ...(given as Partial<Options>) };
  return {
    beside: options.judge_against,
    givenHeading: t("Score"),
    hints: [
      { keys: ["7", "4"], does: t("type a score") },
      { keys: ["←", "→"], does: t("by 1") },
      { keys: ["Shift", "→"], does: t("by 10") },
    ],
    keys: keyHints(),
    missing: (item, answer) => (unscored(item, answer) === undefined ? "" : t("Choose a score first.")),
    summary: (item, answer) => summary(item, answer, options),
    press,
    Control: (props) => <Control {...props} options={options} />,
  };
}

function keyHints(): KeyHint[] {
  return [
    { keys: ["7", "4"], does: t("Type a score") },
    { keys: ["←", "→"], does: t("Change by 1") },
    { keys: ["Shift", "←", "→"], does: t("Change by 10") },
  ];
}

function scoreOf(answer: Answer, slot: string): number | null {
  const score = answer.slots[slot]?.score;
  return typeof score === "number" ? score : null;
}

function unscored(item: Item, answer: Answer): string | undefined {
  return item.slots.find(({ slot }) => scoreOf(answer, slot) === null)?.slot;
}

function summary(item: Item, answer: Answer, { show_number }: Options): string {
  if (!show_number) return t("Judged");
  return item.slots.map(({ slot }) => scoreOf(answer, slot) ?? "–").join(", ");
}

/** A key goes to the slider in focus, else to the first one without a score, else to the first. */
function press(stroke: Stroke, { item, answer, typed }: Shown): Change | null {
  const slot = stroke.slot ?? typed?.slot ?? unscored(item, answer) ?? item.slots[0]?.slot;
  if (slot === undefined) return null;
  const keyed = keyScore(stroke, slot, scoreOf(answer, slot), typed);
  if (!keyed) return null;
  const merge = `${keyed.merge}:${slot}`;
  return { answer: withSlot(answer, slot, { score: keyed.score }), merge, typed: keyed.typed };
}

function Control({ item, answer, change, options }: ControlProps & { options: Options }) {
  const score = (slot: string) => (value: number) =>
    change({ answer: withSlot(answer, slot, { score: value }), merge: `dragged:${slot}`, typed: null });
  const isOne = item.slots.length === 1;
  return (
    <>
      <Question item={item} options={options} />
      {item.slots.map(({ slot }, index) => (
        <Slider
          key={`${item.id}:${slot}`}
          id={`score-${slot}`}
          name={isOne ? t("Score") : t("Score of {slot}", { slot })}
          slot={slot}
          questionId="question"
          score={scoreOf(answer, slot)}
          anchors={options.anchors}
          showNumber={options.show_number}
          isFirst={index === 0}
          onScore={score(slot)}
        />
      ))}
    </>
  );
}

function Question({ item, options }: { item: Item; options: Options }) {
  const isAgainstReference = options.judge_against !== "source" && item.reference !== null;
  const words = options.question || (item.level === "document" ? documentQuestion(options) : segmentQuestion(options));
  return (
    <p class="q" id="question">
      {words}
      {isAgainstReference && <> <span>{t("The reference is one good way to say it, not the only one.")}</span></>}
      <span class="vh"> {options.anchors.map(([place, label]) => `${place}: ${t(label)}`).join(", ")}</span>
    </p>
  );
}

function segmentQuestion({ judge_against }: Options): string {
  return judge_against === "reference"
    ? t("How far does the translation say the same as the reference?")
    : t("How much of the meaning of the source does the translation carry?");
}

function documentQuestion({ judge_against }: Options): string {
  return judge_against === "reference"
    ? t("How far does the whole translation say the same as the reference?")
    : t("How much of the meaning of the whole text does the translation carry?");
}
