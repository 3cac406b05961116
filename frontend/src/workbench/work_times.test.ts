import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { sampleItem } from "../testing/sample_task";
import { pauseMs, WorkTimes } from "./work_times";

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

test("of a long pause half the limit counts; all of it if the cover was answered within a minute", () => {
  vi.setSystemTime(200_000);
  expect(times.activeMs("a")).toBe(IDLE / 2);
  times.touch("a");
  vi.setSystemTime(310_000);
  times.touch("a");
  expect(times.take("a")).toMatchObject({ started: AT_ZERO, elapsed_ms: 310_000, active_ms: IDLE / 2 + 110_000 });
});

test("reading is the part of active time in pauses of more than five seconds", () => {
  for (const at of [4000, 8000, 28_000]) {
    vi.setSystemTime(at);
    times.touch("a");
  }
  expect(times.take("a")).toMatchObject({ active_ms: 28_000, reading_ms: 20_000 });
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
  expect(times.take("a")).toMatchObject({ started: AT_ZERO, elapsed_ms: 505_000, active_ms: 15_000 });
});

test("an item turned to while the page is hidden is worked on once it is shown", () => {
  times.hide("a");
  times.turn("a", "b");
  vi.setSystemTime(40_000);
  times.show("b");
  vi.setSystemTime(42_000);
  expect(times.take("b")).toMatchObject({ started: AT_ZERO, elapsed_ms: 42_000, active_ms: 2_000 });
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
  expect(times.take("a")).toMatchObject({ started: AT_ZERO, elapsed_ms: 10_000, active_ms: 6_000 });
  expect(times.activeMs("a")).toBe(0);
});

test("a clock set back produces no negative time", () => {
  vi.setSystemTime(-1_000);
  expect(times.take("a")).toMatchObject({ started: AT_ZERO, elapsed_ms: 0, active_ms: 0 });
});

test("a pause counts as long as thinking and slow reading of the text take", () => {
  const texts = (source: string, text: string) => ({
    items: [{ ...sampleItem({ id: "a1" }), source, reference: null, slots: [{ slot: "A", text }] }],
    context: [],
  });
  expect(pauseMs(texts("Five words are read fast.", ""), [60, 100])).toBe(63_000);
  expect(pauseMs(texts("seven ".repeat(1000), "seven ".repeat(1000)), [0, 100])).toBe(20 * 60_000);
  expect(pauseMs(texts("", "日本".repeat(1500)), [0, 100])).toBe(15 * 60_000);
  expect(pauseMs(texts("", "한국어 문장"), [0, 60])).toBe(2000);
});
