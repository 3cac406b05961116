/* ESA: errors marked in the text, then a score from 0 to 100. */

import { withSlot } from "../workbench/answers";
import type { Answer, Item } from "../workbench/api";
import { t } from "../workbench/words";
import type { Change, ControlProps, Protocol, Shown, Stroke } from "./protocol";
import { keyScore } from "./score_keys";
import { type Anchor, Slider } from "./slider";

interface Options {
  readonly anchors: readonly Anchor[];
  readonly question: string;
}

const DEFAULTS: Options = {
  anchors: [[0, "No meaning kept"], [33, "Some meaning kept"], [66, "Most meaning kept, few grammar errors"], [100, "Perfect meaning and grammar"]],
  question: "",
};

export function esa(given: Readonly<Record<string, unknown>>): Protocol {
  const options: Options = { ...DEFAULTS, ...(given as Partial<Options>) };
  return {
    beside: "source",
    givenHeading: t("Score"),
    hints: [{ keys: ["7", "4"], does: t("type a score") }],
    keys: [{ keys: ["7", "4"], does: t("Type a score") }],
    missing: (item, answer) => (unscored(item, answer) === undefined ? "" : t("Choose a score first.")),
    summary: (item, answer) => item.slots.map(({ slot }) => scoreOf(answer, slot) ?? "–").join(", "),
    press,
    Control: (props) => <Control {...props} options={options} />,
  };
}

function scoreOf(answer: Answer, slot: string): number | null {
  const score = answer.slots[slot]?.score;
  return typeof score === "number" ? score : null;
}

function unscored(item: Item, answer: Answer): string | undefined {
  return item.slots.find(({ slot }) => scoreOf(answer, slot) === null)?.slot;
}

function scored(answer: Answer, slot: string, score: number): Answer {
  return withSlot(answer, slot, { spans: [], ...answer.slots[slot], score });
}

function press(stroke: Stroke, { item, answer, typed }: Shown): Change | null {
  const slot = stroke.slot ?? typed?.slot ?? unscored(item, answer) ?? item.slots[0]?.slot;
  if (slot === undefined) return null;
  const keyed = keyScore(stroke, slot, scoreOf(answer, slot), typed);
  return keyed && { answer: scored(answer, slot, keyed.score), merge: `${keyed.merge}:${slot}`, typed: keyed.typed };
}

function Control({ item, answer, change, options }: ControlProps & { options: Options }) {
  return (
    <>
      <p class="q" id="question">{options.question || t("Now the translation as a whole.")}</p>
      {item.slots.map(({ slot }, index) => (
        <Slider
          key={`${item.id}:${slot}`}
          id={`score-${slot}`}
          name={item.slots.length === 1 ? t("Score") : t("Score of {slot}", { slot })}
          slot={slot}
          questionId="question"
          score={scoreOf(answer, slot)}
          anchors={options.anchors}
          showNumber
          isFirst={index === 0}
          onScore={(value) => change({ answer: scored(answer, slot, value), merge: `dragged:${slot}`, typed: null })}
        />
      ))}
    </>
  );
}
