import { expect, test } from "vitest";

import { type Answer, EMPTY_ANSWER } from "../../workbench/api";
import { bandOf, lackOf, marksOf, scoreOf, severityCounts, toStep, withParts } from "./cell_answer";
import { tagChoices } from "./tags";

const RULE = { marks_below: 85 };
const scored = (score: number): Answer => withParts(EMPTY_ANSWER, "A", { score });

test.each([
  [0, "not acceptable"],
  [24, "not acceptable"],
  [25, "borderline"],
  [45, "acceptable"],
  [65, "good"],
  [84, "good"],
  [85, "very good"],
  [100, "very good"],
])("%i is in the band %s", (score, name) => expect(bandOf(score).name).toBe(name));

test("a score is rounded to the nearest five, within 0 and 100", () => {
  expect([0, 2, 3, 73, 98, 100, 140, -4].map(toStep)).toEqual([0, 0, 5, 75, 100, 100, 100, 0]);
});

test("0 is a score", () => {
  expect(scoreOf(scored(0), "A")).toBe(0);
  expect(lackOf(withParts(scored(0), "A", { tags: [{ tag: "missing", severity: "major" }] }), "A", RULE)).toBeNull();
});

test("a cell lacks a score, then severities, then a mark or a tag below the bound", () => {
  const marked = (severity: "" | "minor") =>
    withParts(scored(40), "A", { spans: [{ side: "target", start: 0, end: 3, severity }] });
  expect(lackOf(EMPTY_ANSWER, "A", RULE)).toBe("score");
  expect(lackOf(scored(80), "A", RULE)).toBe("mark");
  expect(lackOf(scored(85), "A", RULE)).toBeNull();
  expect(lackOf(scored(0), "A", { marks_below: 0 })).toBeNull();
  expect(lackOf(marked(""), "A", RULE)).toBe("severity");
  expect(lackOf(marked("minor"), "A", RULE)).toBeNull();
  expect(lackOf({ ...EMPTY_ANSWER, cannot_judge: "other" }, "A", RULE)).toBeNull();
});

test("marks are kept in the order of the text, those of the source first", () => {
  const at = (side: "source" | "target", start: number) => ({
    side,
    start,
    end: start + 1,
    severity: "minor" as const,
  });
  const answer = withParts(EMPTY_ANSWER, "A", { spans: [at("target", 5), at("target", 2), at("source", 9)] });
  expect(marksOf(answer, "A").map(({ start }) => start)).toEqual([9, 2, 5]);
});

test("tags count as marks", () => {
  const answer = withParts(EMPTY_ANSWER, "A", {
    spans: [{ side: "target", start: 0, end: 1, severity: "minor" }],
    tags: [{ tag: "missing", severity: "major" }],
  });
  expect(severityCounts(answer, "A")).toEqual([
    { severity: "major", n: 1 },
    { severity: "minor", n: 1 },
  ]);
});

test("each tag has a letter of its name that is free", () => {
  const titled = (name: string) => ({ name, title: name });
  const keys = (...names: string[]) => tagChoices({ tags: names.map(titled) }).map(({ key }) => key);
  expect(keys("missing", "instructions_fault")).toEqual(["m", "i"]);
  expect(keys("missing", "mixed", "gbs")).toEqual(["m", "i", ""]);
});
