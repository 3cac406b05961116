import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ActionLog, MOST_ACTIONS } from "./action_log";

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers({ now: 1000 });
});
afterEach(() => vi.useRealTimers());

test("a screen's log is sent once, and ends with its submission", () => {
  const log = new ActionLog("1");
  log.add("d", "load");
  vi.setSystemTime(3000);
  log.add("d", "create_span", 0, "A", "minor");
  log.add("e", "load");
  expect(log.take("d")).toEqual([
    [1000, "load"],
    [3000, "create_span", 0, "A", "minor"],
    [3000, "submit"],
  ]);
  expect(log.take("d")).toEqual([[3000, "submit"]]);
});

test("a score that is dragged or typed is one action, that of another cell is another", () => {
  const log = new ActionLog("1");
  for (const [at, score] of [
    [1000, 7],
    [1400, 75],
    [4000, 80],
  ] as const) {
    vi.setSystemTime(at);
    log.add("d", "score", 0, "A", score);
  }
  log.add("d", "score", 0, "B", 90);
  expect(log.take("d").slice(0, -1)).toEqual([
    [1400, "score", 0, "A", 75],
    [4000, "score", 0, "A", 80],
    [4000, "score", 0, "B", 90],
  ]);
});

test("a reload of the page loses nothing", () => {
  const log = new ActionLog("1");
  log.add("d", "load");
  log.store();
  expect(new ActionLog("2").take("d")).toHaveLength(1);
  expect(new ActionLog("1").take("d")).toHaveLength(2);
  expect(new ActionLog("1").take("d")).toHaveLength(1);
});

test("a log that is too long loses its oldest actions, but not the first", () => {
  const log = new ActionLog("1");
  log.add("d", "load");
  for (let number = 0; number < MOST_ACTIONS + 5; number++) log.add("d", "enter", number, "A");
  const sent = log.take("d");
  expect(sent).toHaveLength(MOST_ACTIONS);
  expect([sent[0]![1], sent[1]![2], sent.at(-1)![1]]).toEqual(["load", 7, "submit"]);
});
