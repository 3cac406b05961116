import { expect, test } from "vitest";

import { difference } from "./word_difference";

const shown = (before: string, after: string) =>
  difference(before, after)
    .pieces.map(({ kind, text }) => (kind === "same" ? text : kind === "removed" ? `[-${text}-]` : `{+${text}+}`))
    .join("");

test.each([
  ["Am Pier stand er.", "Am Anleger stand er.", "Am [-Pier-] {+Anleger+} stand er.", 1],
  ["Er kam.", "Er kam nicht.", "Er kam {+nicht+}.", 1],
  ["Er kam nicht.", "Er kam.", "Er kam [-nicht-].", 1],
  ["", "Er kam.", "{+Er kam.+}", 3],
  ["Er kam.", "", "[-Er kam.-]", 3],
  ["drehte Autos um.", "schickte Autos zurück.", "[-drehte-] {+schickte+} Autos [-um-] {+zurück+}.", 2],
  ["渡船晚点了。", "渡船误点了。", "渡船[-晚-] {+误+}点了。", 1],
  ["غادرت العبارة ساعة.", "غادرت العبارة متأخرة ساعة.", "غادرت العبارة {+متأخرة+} ساعة.", 1],
])("%s → %s", (before, after, expected, edits) => {
  expect(shown(before, after)).toBe(expected);
  expect(difference(before, after).edits).toBe(edits);
});

test("equal words are not an edit, nor is a space", () => {
  expect(difference("Er kam.", "Er kam.")).toEqual({ pieces: [{ kind: "same", text: "Er kam." }], edits: 0, words: 3 });
  expect(difference("Er  kam.", "Er kam.").edits).toBe(0);
});

test("a moved word counts twice: that is why it is an estimate", () => {
  expect(difference("a b c d", "b c d a").edits).toBe(2);
});

test("a text too long for the table differs as a whole, without delay", () => {
  const long = (from: number) => Array.from({ length: 3000 }, (_, index) => `w${index * 2 + from}`).join(" ");
  expect(difference(long(0), long(1)).edits).toBe(3000);
});
