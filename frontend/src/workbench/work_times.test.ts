import { expect, test } from "vitest";

import { pause, read, resume, start, touch } from "./work_times";

const IDLE = 60_000;

test("time without input counts only up to the idle limit", () => {
  expect(read(start(0), 200_000, IDLE)).toEqual({ startedAt: 0, elapsedMs: 200_000, activeMs: IDLE });
});

test("input before the limit keeps all the time between", () => {
  const watch = touch(touch(start(0), 50_000, IDLE), 100_000, IDLE);
  expect(read(watch, 130_000, IDLE).activeMs).toBe(130_000);
});

test("time while the page is hidden is elapsed, not active", () => {
  const hidden = pause(start(0), 10_000, IDLE);
  expect(read(hidden, 500_000, IDLE)).toEqual({ startedAt: 0, elapsedMs: 500_000, activeMs: 10_000 });
  expect(read(resume(hidden, 500_000), 505_000, IDLE).activeMs).toBe(15_000);
});

test("returning to a running stopwatch changes nothing", () => {
  expect(read(resume(start(0), 30_000), 40_000, IDLE).activeMs).toBe(40_000);
});

test("a clock set back produces no negative time, and a month fits the database", () => {
  expect(read(start(1_000), 0, IDLE)).toEqual({ startedAt: 1_000, elapsedMs: 0, activeMs: 0 });
  expect(read(start(0), 2 ** 40, IDLE).elapsedMs).toBe(2 ** 31 - 1);
});
