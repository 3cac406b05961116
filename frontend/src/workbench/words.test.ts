import { afterEach, expect, test } from "vitest";

import { speak, t, tn } from "./words";

afterEach(() => speak({}, "en"));

test("words fall back to English and fill in their placeholders", () => {
  expect(t("Segment {number} of {of}", { number: 4, of: 6 })).toBe("Segment 4 of 6");
  expect(t("{unknown} stays")).toBe("{unknown} stays");
  expect(tn("{n} answer", "{n} answers", 1)).toBe("1 answer");
  expect(tn("{n} answer", "{n} answers", 0)).toBe("0 answers");
});

test("the catalogue translates, with the plural rules of its language", () => {
  speak(
    {
      Next: "Dalej",
      "{n} answer": { one: "{n} odpowiedź", few: "{n} odpowiedzi", many: "{n} odpowiedzi!", other: "{n} odp." },
    },
    "pl",
  );
  expect(t("Next")).toBe("Dalej");
  expect([1, 3, 7].map((n) => tn("{n} answer", "{n} answers", n))).toEqual([
    "1 odpowiedź",
    "3 odpowiedzi",
    "7 odpowiedzi!",
  ]);
  expect(tn("{n} text", "{n} texts", 2)).toBe("2 texts");
});
