import { expect, test } from "vitest";

import { judgment, scored } from "../testing/sample_task";
import { secondsEach, timeWords, Visit } from "./pace";

const pace = { items: 2, ms: 60_000, expected: 45, texts: 3 };

test("until somebody has a pace of their own, the expected one counts", () => {
  expect(secondsEach(pace, { items: 0, ms: 0 })).toEqual({ seconds: 45, isOwn: false });
  expect(secondsEach(pace, { items: 2, ms: 20_000 })).toEqual({ seconds: 20, isOwn: true });
});

test("what is judged in this visit counts once, a change as time only", () => {
  const visit = new Visit();
  const first = judgment("a1", scored(50));
  const change = { ...judgment("a1", scored(60), 1), active_ms: 2000 };
  visit.add([first]);
  visit.add([first, change, { ...judgment("a2", scored(1)), active_ms: null }]);
  expect([visit.items, visit.ms]).toEqual([2, 10_000]);
});

test.each([
  [0, "less than a minute"],
  [29, "less than a minute"],
  [31, "about 1 minute"],
  [25 * 60, "about 25 minutes"],
  [59.4 * 60, "about 59 minutes"],
  [61 * 60, "about 1 h 0 min"],
  [133 * 60, "about 2 h 15 min"],
])("%d seconds are %s", (seconds, words) => expect(timeWords(seconds)).toBe(words));
