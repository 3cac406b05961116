import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { WorkTimes } from "./work_times";

const IDLE = 60_000;
let times: WorkTimes;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  times = new WorkTimes(null, "1", IDLE);
  times.turn("", "a");
});
afterEach(() => vi.useRealTimers());

test("time without input counts only up to the idle limit", () => {
  vi.setSystemTime(200_000);
  expect(times.activeMs("a")).toBe(IDLE);
  expect(times.take("a")).toEqual({ startedAt: 0, elapsedMs: 200_000, activeMs: IDLE });
});

test("input before the limit keeps all the time between", () => {
  for (const at of [50_000, 100_000]) {
    vi.setSystemTime(at);
    times.touch("a");
  }
  vi.setSystemTime(130_000);
  expect(times.take("a").activeMs).toBe(130_000);
});

test("time while the page is hidden is elapsed, not active", () => {
  vi.setSystemTime(10_000);
  times.hide("a");
  vi.setSystemTime(500_000);
  expect(times.activeMs("a")).toBe(10_000);
  times.show("a");
  vi.setSystemTime(505_000);
  expect(times.take("a")).toEqual({ startedAt: 0, elapsedMs: 505_000, activeMs: 15_000 });
});

test("an item turned to while the page is hidden is worked on once it is shown", () => {
  times.hide("a");
  times.turn("a", "b");
  vi.setSystemTime(40_000);
  times.show("b");
  vi.setSystemTime(42_000);
  expect(times.take("b")).toEqual({ startedAt: 0, elapsedMs: 42_000, activeMs: 2_000 });
});

test("returning to a running stopwatch changes nothing", () => {
  vi.setSystemTime(30_000);
  times.show("a");
  vi.setSystemTime(40_000);
  expect(times.take("a").activeMs).toBe(40_000);
});

test("time on an item is continued on the next visit to it, and starts at zero once it is taken", () => {
  vi.setSystemTime(5_000);
  times.turn("a", "b");
  vi.setSystemTime(9_000);
  times.turn("b", "a");
  vi.setSystemTime(10_000);
  expect(times.take("a")).toEqual({ startedAt: 0, elapsedMs: 10_000, activeMs: 6_000 });
  expect(times.activeMs("a")).toBe(0);
});

test("a clock set back produces no negative time, and a month fits the database", () => {
  vi.setSystemTime(-1_000);
  expect(times.take("a")).toEqual({ startedAt: 0, elapsedMs: 0, activeMs: 0 });
  times.turn("", "b");
  vi.setSystemTime(2 ** 40);
  expect(times.take("b").elapsedMs).toBe(2 ** 31 - 1);
});
