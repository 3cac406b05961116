/* Direct Assessment: a score from 0 to 100 for each segment, and for each document if the campaign says so. */

import { ROWS } from "../workbench/render/rows";
import { type Answer, type Item, withSlot } from "../workbench/api";
import { t } from "../workbench/words";
import type { AnswerProps, Protocol } from "./protocol";
import { pressScore, Score, scoreOf, type ScoreOptions, ScoreQuestion, unscored } from "./score";
import { type Beside, SideBySide, sideBySideKeys } from "./side_by_side";

export interface DirectAssessmentOptions extends ScoreOptions {
  readonly judge_against: Beside;
  readonly show_number: boolean;
  readonly document_scores: boolean;
}

export function directAssessment(options: DirectAssessmentOptions): Protocol {
  const isSideBySide = options.systems_per_screen > 1;
  return {
    parts: ROWS,
    beside: options.judge_against,
    answerHeading: t("Score"),
    hints: () => [
      { keys: ["7", "4"], does: t("type a score") },
      { keys: ["←", "→"], does: t("by 1") },
      isSideBySide ? { keys: ["Enter"], does: t("next translation") } : { keys: ["Shift", "→"], does: t("by 10") },
    ],
    keys: [
      { keys: ["7", "4"], does: t("Type a score") },
      { keys: ["←", "→"], does: t("Change by 1") },
      { keys: ["Shift", "←", "→"], does: t("Change by 10") },
      ...(isSideBySide ? sideBySideKeys() : []),
    ],
    missing,
    missingAt: (item, answer) => `score-${unscored(item, answer)[0]}`,
    summary: (item, answer) => summary(item, answer, options),
    press: (stroke, shown) => pressScore(stroke, shown, scored),
    Control: (props) => <Control {...props} options={options} />,
    ...(isSideBySide && {
      layout: "rows",
      Texts: (props) => (
        <SideBySide
          {...props}
          beside={options.judge_against}
          staysVisible={options.document_scores}
          isAnswered={(slot) => scoreOf(props.answer, slot) !== null}
          controls={(slot) =>
            props.answer.cannot_judge === null && <SlotScore {...props} options={options} slot={slot} isBare />
          }
        />
      ),
    }),
  };
}

function scored(_item: Item, answer: Answer, slot: string, score: number): Answer {
  return withSlot(answer, slot, { score });
}

function missing(item: Item, answer: Answer): string {
  const open = unscored(item, answer);
  if (open.length === 0) return "";
  return item.slots.length > 1 ? t("Not scored yet: {slots}.", { slots: open.join(", ") }) : t("Choose a score first.");
}

function summary(item: Item, answer: Answer, { show_number }: DirectAssessmentOptions): string {
  if (!show_number) return t("Judged");
  const score = (slot: string) => scoreOf(answer, slot) ?? "–";
  return item.slots.map(({ slot }) => (item.slots.length > 1 ? `${slot} ${score(slot)}` : score(slot))).join(", ");
}

interface Props extends AnswerProps {
  readonly options: DirectAssessmentOptions;
}

function Control({ options, ...props }: Props) {
  const { item, answer } = props;
  const isInRows = options.systems_per_screen > 1 && item.level !== "document";
  const isAgainstReference = options.judge_against !== "source" && item.reference !== null;
  const slider = (slot: string) => <SlotScore key={`${item.id}:${slot}`} {...props} options={options} slot={slot} />;
  return (
    <ScoreQuestion item={item} answer={answer} options={options} isInRows={isInRows} slider={slider}>
      {options.question || questionOf(item, options)}
      {isAgainstReference && (
        <>
          {" "}
          <span>{t("The reference is one good translation, not the only one.")}</span>
        </>
      )}
    </ScoreQuestion>
  );
}

function SlotScore({ slot, isBare = false, ...props }: Props & { slot: string; isBare?: boolean }) {
  const { item, answer } = props;
  const first = unscored(item, answer)[0] ?? item.slots[0]?.slot;
  const slider = <Score {...props} slot={slot} withScore={scored} isFirst={slot === first} isBare={isBare} />;
  if (item.slots.length === 1 || isBare) return slider;
  return (
    <div class="of-slot">
      <b aria-hidden="true">{slot}</b>
      {slider}
    </div>
  );
}

function questionOf({ level }: Item, { judge_against }: DirectAssessmentOptions): string {
  if (judge_against === "reference")
    return level === "document"
      ? t("How far does the whole translation say the same as the reference?")
      : t("How far does the translation say the same as the reference?");
  return level === "document"
    ? t("How much of the meaning of the whole text does the translation carry?")
    : t("How much of the meaning of the source does the translation carry?");
}
