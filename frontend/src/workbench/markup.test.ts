/* Marks of paragraphs: hidden from readers, counted by offsets. */

import { expect, test } from "vitest";

import { runsByUnit, runsOf } from "../protocols/cesa/runs";
import { quoteOf } from "../protocols/spans/words";
import { cutUp } from "../protocols/spans/text_units";
import { sampleItem } from "../testing/sample_task";
import { pointsShown, rawOffset, shownOffset, visible } from "./markup";

const RAW = "<p>One 🥐.</p>\n<P class='x'>Two.</P>";

test("only marks of paragraphs are hidden", () => {
  expect(visible(RAW)).toBe("One 🥐.\nTwo.");
  expect(visible("<pre>a</pre> <b>b</b> {p} < p >")).toBe("<pre>a</pre> <b>b</b> {p} < p >");
});

test("words begin where they stand in the text with its marks", () => {
  const { units, words, letters, length } = cutUp(RAW, "en");
  expect(units.map(({ text }) => text).join("")).toBe(visible(RAW));
  expect(words.map(({ text, start }) => [text, start])).toEqual([
    ["One", 3],
    ["🥐", 7],
    [".", 8],
    ["Two", 27],
    [".", 30],
  ]);
  expect(units.map(({ end }) => end).at(-1)).toBe(length);
  expect(letters.some(({ start }) => start < 3 || (start > 8 && start < 13))).toBe(false);
});

test("characters of a language without spaces are cut around marks, too", () => {
  expect(cutUp("<p>夜行</p>", "ja").words.map(({ text, start }) => [text, start])).toEqual([
    ["夜", 3],
    ["行", 4],
  ]);
});

test("places go from the screen to the text and back", () => {
  const points = pointsShown(RAW);
  const shown = [...visible(RAW)];
  for (let at = 0; at < shown.length; at += 1) {
    expect(points[rawOffset(points, at)]).toBe(shown[at]);
    expect(shownOffset(points, rawOffset(points, at))).toBe(at);
  }
  expect(rawOffset(points, shown.length)).toBe([...RAW].length);
});

test("runs and quotes show no marks, whatever a span covers", () => {
  const look = { marks: [{ start: 0, end: 20, severity: "minor" as const, place: 0 }], near: null, chosen: null };
  expect(
    runsOf(RAW, look)
      .map(({ text }) => text)
      .join(""),
  ).toBe(visible(RAW));
  expect(
    runsByUnit(cutUp(RAW, "en"), look)
      .flatMap(({ runs }) => runs.map(({ text }) => text))
      .join(""),
  ).toBe(visible(RAW));
  const item = sampleItem({ slots: [{ slot: "A", text: RAW }] });
  const span = { side: "target" as const, start: 0, end: 13, category: "", severity: "minor" as const, note: "" };
  expect(quoteOf(item, "A", span)).toBe("One 🥐.");
});
