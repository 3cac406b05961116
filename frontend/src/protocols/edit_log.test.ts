import { describe, expect, test } from "vitest";

import { type EditStep, replay, stepBetween, withStep } from "./edit_log";

test.each([
  ["Hallo.", "Hallo!", [5, 5, 1, "!"]],
  ["", "Moin", [5, 0, 0, "Moin"]],
  ["Mit 🚢 und 🚂", "Mit 🚢 oder 🚂", [5, 6, 3, "oder"]],
  ["aa", "aaa", [5, 2, 0, "a"]],
  ["abab", "ab", [5, 2, 2, ""]],
])("from %s to %s is one replacement, in code points", (before, after, step) => {
  expect(stepBetween(before, after, 5)).toEqual(step);
  expect(replay(before, [step as unknown as EditStep])).toBe(after);
});

test("an unchanged text adds no step; a mark tells changes that were not typed", () => {
  expect(stepBetween("a", "a", 5)).toBeNull();
  expect(stepBetween("a", "b", 5, "pasted")).toEqual([5, 0, 1, "b", "pasted"]);
});

test("a selection that was replaced is the step, in code points, where it fits", () => {
  expect(stepBetween("🚢 ab cd", "🚢 ab ce", 5, "pasted", [3, 8])).toEqual([5, 2, 5, "ab ce", "pasted"]);
  expect(stepBetween("ab", "xy", 5, "pasted", [1, 2])).toEqual([5, 0, 2, "xy", "pasted"]);
});

/** Types each text after the other, 100 ms apart. */
function typed(texts: readonly string[], everyMs = 100): readonly EditStep[] {
  let steps: readonly EditStep[] = [];
  texts.slice(1).forEach((text, index) => {
    const step = stepBetween(texts[index]!, text, (index + 1) * everyMs);
    if (step) steps = withStep(texts[0]!, steps, step);
  });
  return steps;
}

describe("typing on", () => {
  test("within a word is one step, a new word the next", () => {
    expect(typed(["", "s", "so", "so ", "so e", "so er"])).toEqual([
      [100, 0, 0, "so "],
      [400, 3, 0, "er"],
    ]);
  });

  test("after a pause is a new step", () => {
    expect(typed(["", "s", "so"], 1000)).toEqual([
      [1000, 0, 0, "s"],
      [2000, 1, 0, "o"],
    ]);
  });

  test("with the backspace key removes in one step", () => {
    expect(typed(["Tag", "Ta", "T"])).toEqual([[100, 1, 2, ""]]);
  });

  test("elsewhere is a step of its own", () => {
    expect(typed(["ab", "xab", "xaby"])).toHaveLength(2);
  });
});

test("there are at most 2000 steps, and they lead to the text", () => {
  const texts = Array.from({ length: 2100 }, (_, index) => "ab".repeat(index).split("").reverse().join("x"));
  const steps = typed(
    texts.map((text, index) => `${index}${text.slice(0, 40)}`),
    2000,
  );
  expect(steps).toHaveLength(2000);
  expect(replay("0", steps)).toBe(`2099${texts.at(-1)!.slice(0, 40)}`);
});

test("repeated pastes are merged before they are too large to send", () => {
  let steps: readonly EditStep[] = [];
  for (const letter of "abcdef")
    steps = withStep(
      "",
      steps,
      stepBetween(steps.length ? replay("", steps) : "", letter.repeat(49_000), 5, "pasted")!,
    );
  expect(steps.reduce((sum, [, , , inserted]) => sum + inserted.length, 0)).toBeLessThan(200_001);
  expect(replay("", steps)).toBe("f".repeat(49_000));
});
