/* Direct Assessment: a score from 0 to 100 for each segment, and for each document where the campaign asks. */

import { withSlot } from "../workbench/answers";
import type { Answer, Item } from "../workbench/api";
import { t } from "../workbench/words";
import type { Change, ControlProps, KeyHint, Protocol, Shown, Stroke, TextsProps } from "./protocol";
import { keyScore } from "./score_keys";
import { SideBySide, sideBySideKeys, StillOpen } from "./side_by_side";
import { type Anchor, Slider } from "./slider";

interface Options {
  readonly judge_against: "source" | "reference" | "both";
  readonly show_number: boolean;
  readonly document_scores: boolean;
  readonly anchors: readonly Anchor[];
  readonly question: string;
  readonly systems_per_screen: number;
}

const DEFAULTS: Options = {
  judge_against: "source",
  show_number: true,
  document_scores: false,
  anchors: [
    [0, "Nothing"],
    [33, "Some of it"],
    [66, "Most of it"],
    [100, "All of it"],
  ],
  question: "",
  systems_per_screen: 1,
};

export function directAssessment(given: Readonly<Record<string, unknown>>): Protocol {
  const options: Options = { ...DEFAULTS, ...(given as Partial<Options>) };
  const isSideBySide = options.systems_per_screen > 1;
  return {
    beside: options.judge_against,
    givenHeading: t("Score"),
    hints: [
      { keys: ["7", "4"], does: t("type a score") },
      { keys: ["←", "→"], does: t("by 1") },
      isSideBySide ? { keys: ["Enter"], does: t("next translation") } : { keys: ["Shift", "→"], does: t("by 10") },
    ],
    keys: isSideBySide ? [...keyHints(), ...sideBySideKeys()] : keyHints(),
    missing,
    summary: (item, answer) => summary(item, answer, options),
    press,
    Control: (props) => <Control {...props} options={options} />,
    ...(isSideBySide && { layout: "rows", Texts: (props: TextsProps) => <Texts {...props} options={options} /> }),
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

function unscored(item: Item, answer: Answer): string[] {
  return item.slots.map(({ slot }) => slot).filter((slot) => scoreOf(answer, slot) === null);
}

function missing(item: Item, answer: Answer): string {
  const open = unscored(item, answer);
  if (open.length === 0) return "";
  return item.slots.length > 1 ? t("Not scored yet: {slots}.", { slots: open.join(", ") }) : t("Choose a score first.");
}

function summary(item: Item, answer: Answer, { show_number }: Options): string {
  if (!show_number) return t("Judged");
  const score = (slot: string) => scoreOf(answer, slot) ?? "–";
  return item.slots.map(({ slot }) => (item.slots.length > 1 ? `${slot} ${score(slot)}` : score(slot))).join(", ");
}

/** A key goes to the slider in focus, else to the first one without a score, else to the first. */
function press(stroke: Stroke, { item, answer, typed }: Shown): Change | null {
  const slot = stroke.slot ?? typed?.slot ?? unscored(item, answer)[0] ?? item.slots[0]?.slot;
  if (slot === undefined) return null;
  const keyed = keyScore(stroke, slot, scoreOf(answer, slot), typed);
  if (!keyed) return null;
  const merge = `${keyed.merge}:${slot}`;
  return { answer: withSlot(answer, slot, { score: keyed.score }), merge, typed: keyed.typed };
}

interface Props extends ControlProps {
  readonly options: Options;
}

/** Side by side the sliders stand with their translations, and the dock says what their marks mean. */
function Control({ options, ...props }: Props) {
  const { item, answer } = props;
  const isInRows = options.systems_per_screen > 1 && item.level !== "document";
  return (
    <>
      <Question item={item} options={options} isKeyShown={isInRows} />
      {isInRows ? (
        <StillOpen slots={unscored(item, answer)} />
      ) : (
        item.slots.map(({ slot }) => <Score key={`${item.id}:${slot}`} {...props} options={options} slot={slot} />)
      )}
    </>
  );
}

function Texts({ options, ...props }: TextsProps & { options: Options }) {
  const { item, answer } = props;
  return (
    <SideBySide
      {...props}
      beside={options.judge_against}
      isKept={options.document_scores}
      isAnswered={(slot) => scoreOf(answer, slot) !== null}
      controls={(slot) =>
        answer.cannot_judge === null && (
          <Score key={`${item.id}:${slot}`} {...props} options={options} slot={slot} isBare />
        )
      }
    />
  );
}

function Score({ item, answer, change, options, slot, isBare = false }: Props & { slot: string; isBare?: boolean }) {
  const isOne = item.slots.length === 1;
  const first = unscored(item, answer)[0] ?? item.slots[0]?.slot;
  const slider = (
    <Slider
      id={`score-${slot}`}
      name={isOne ? t("Score") : t("Score of {slot}", { slot })}
      slot={slot}
      questionId="question"
      score={scoreOf(answer, slot)}
      anchors={options.anchors}
      showNumber={options.show_number}
      isFirst={slot === first}
      isBare={isBare}
      onScore={(score) => change({ answer: withSlot(answer, slot, { score }), merge: `dragged:${slot}`, typed: null })}
    />
  );
  return isOne || isBare ? (
    slider
  ) : (
    <div class="of-slot">
      <b aria-hidden="true">{slot}</b>
      {slider}
    </div>
  );
}

function Question({ item, options, isKeyShown }: { item: Item; options: Options; isKeyShown: boolean }) {
  const isAgainstReference = options.judge_against !== "source" && item.reference !== null;
  const words = options.question || (item.level === "document" ? documentQuestion(options) : segmentQuestion(options));
  return (
    <p class="q" id="question">
      {words}
      {isAgainstReference && (
        <>
          {" "}
          <span>{t("The reference is one good way to say it, not the only one.")}</span>
        </>
      )}
      <span class={isKeyShown ? "key" : "vh"}>
        {" "}
        {options.anchors.map(([place, label]) => `${place}: ${t(label)}`).join(", ")}
      </span>
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
