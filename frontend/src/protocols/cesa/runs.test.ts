import { expect, test } from "vitest";

import { unitsOf } from "../spans/text_units";
import { corresponding, laneCount, placedOn, runsByUnit, runsOf } from "./runs";

const mark = (start: number, end: number, severity: "" | "minor" | "major" = "minor") => ({
  side: "target" as const,
  start,
  end,
  severity,
});
const look = (...marks: ReturnType<typeof mark>[]) => ({ marks: placedOn("target", marks), near: null, chosen: null });

test("a text without marks is one run", () => {
  expect(runsOf("Eins zwei drei.", look())).toMatchObject([{ text: "Eins zwei drei.", strokes: [] }]);
});

test("marks that overlap, nest and touch cut the text where they begin and end", () => {
  const runs = runsOf("abcdefgh", look(mark(0, 4), mark(2, 6, "major"), mark(6, 8, "")));
  expect(runs.map(({ text }) => text)).toEqual(["ab", "cd", "ef", "gh"]);
  expect(runs.map(({ strokes }) => strokes.map((stroke) => stroke?.severity))).toEqual([
    ["minor"],
    ["minor", "major"],
    [undefined, "major"],
    [""],
  ]);
  expect(laneCount([mark(0, 4), mark(2, 6)])).toBe(2);
});

test("offsets are code points: an emoji is not cut", () => {
  expect(runsOf("👩a", look(mark(0, 1))).map(({ text }) => text)).toEqual(["👩", "a"]);
});

test("by unit, spaces between marked words are marked as well", () => {
  const units = runsByUnit(unitsOf("Ein Haus da", "de"), look(mark(0, 8)));
  expect(units.map(({ runs }) => runs[0]!.strokes.length)).toEqual([1, 1, 1, 0, 0]);
});

test("the words at the same place of another text correspond", () => {
  const units = unitsOf(Array.from({ length: 40 }, (_, place) => `w${place + 10}`).join(" "), "en");
  const half = corresponding(units, { start: 50, end: 52 }, 100)!;
  expect(half.start).toBeGreaterThan(units.length * 0.4);
  expect(half.end).toBeLessThan(units.length * 0.6);
  expect(corresponding(unitsOf("", "en"), { start: 0, end: 1 }, 10)).toBeNull();
});
