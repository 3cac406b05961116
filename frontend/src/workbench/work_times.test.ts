import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { sampleItem } from "../testing/sample_task";
import { readingMs, WorkTimes } from "./work_times";

const IDLE = 60_000;
const AT_ZERO = new Date(0).toISOString();
let times: WorkTimes;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  sessionStorage.clear();
  times = new WorkTimes("1", () => IDLE);
  times.turn("", "a");
});
afterEach(() => vi.useRealTimers());

test("time without input counts only up to the idle limit", () => {
  vi.setSystemTime(200_000);
  expect(times.activeMs("a")).toBe(IDLE);
  expect(times.take("a")).toEqual({ started: AT_ZERO, elapsed_ms: 200_000, active_ms: IDLE });
});

test("input before the limit keeps all the time between", () => {
  for (const at of [50_000, 100_000]) {
    vi.setSystemTime(at);
    times.touch("a");
  }
  vi.setSystemTime(130_000);
  expect(times.take("a").active_ms).toBe(130_000);
});

test("time while the page is hidden is elapsed, not active", () => {
  vi.setSystemTime(10_000);
  times.hide("a");
  vi.setSystemTime(500_000);
  expect(times.activeMs("a")).toBe(10_000);
  times.show("a");
  vi.setSystemTime(505_000);
  expect(times.take("a")).toEqual({ started: AT_ZERO, elapsed_ms: 505_000, active_ms: 15_000 });
});

test("an item turned to while the page is hidden is worked on once it is shown", () => {
  times.hide("a");
  times.turn("a", "b");
  vi.setSystemTime(40_000);
  times.show("b");
  vi.setSystemTime(42_000);
  expect(times.take("b")).toEqual({ started: AT_ZERO, elapsed_ms: 42_000, active_ms: 2_000 });
});

test("returning to a running stopwatch changes nothing", () => {
  vi.setSystemTime(30_000);
  times.show("a");
  vi.setSystemTime(40_000);
  expect(times.take("a").active_ms).toBe(40_000);
});

test("time on an item is continued on the next visit to it, and starts at zero once it is taken", () => {
  vi.setSystemTime(5_000);
  times.turn("a", "b");
  vi.setSystemTime(9_000);
  times.turn("b", "a");
  vi.setSystemTime(10_000);
  expect(times.take("a")).toEqual({ started: AT_ZERO, elapsed_ms: 10_000, active_ms: 6_000 });
  expect(times.activeMs("a")).toBe(0);
});

test("a clock set back produces no negative time, and a month fits the database", () => {
  vi.setSystemTime(-1_000);
  expect(times.take("a")).toEqual({ started: AT_ZERO, elapsed_ms: 0, active_ms: 0 });
  times.turn("", "b");
  vi.setSystemTime(2 ** 40);
  expect(times.take("b").elapsed_ms).toBe(2 ** 31 - 1);
});

test("a pause counts for ten minutes, or for as long as slow reading of the text takes", () => {
  const texts = (source: string, text: string) => ({
    items: [{ ...sampleItem({ id: "a1" }), source, reference: null, slots: [{ slot: "A", text }] }],
    context: [],
  });
  expect(readingMs(texts("Five words are read fast.", ""), 600)).toBe(600_000);
  expect(readingMs(texts("seven ".repeat(1000), "seven ".repeat(1000)), 600) / 60_000).toBeCloseTo(20, 1);
  expect(readingMs(texts("", "日本".repeat(1500)), 600) / 60_000).toBeCloseTo(15, 1);
});
