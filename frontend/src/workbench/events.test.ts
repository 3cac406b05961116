import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { directAssessment } from "../testing/sample_protocols";
import type { Protocol } from "../protocols/protocol";
import { bindEvents } from "./events";
import { sampleWorkbench, SampleServer, scored } from "../testing/sample_task";
import { memoryStorage } from "./storage";
import type { Workbench } from "./workbench";

let server: SampleServer;
let workbench: Workbench;
let unbind: () => void;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  sessionStorage.clear();
});
afterEach(() => {
  unbind();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const soon = () => vi.advanceTimersByTimeAsync(1);

async function open(lasting = true, protocol: Protocol = directAssessment({})): Promise<void> {
  server = new SampleServer();
  workbench = sampleWorkbench({ api: server, protocol, storage: { ...memoryStorage(), lasting } });
  unbind = bindEvents(workbench, window);
  await workbench.open();
  await soon();
}

function enter(score: number): void {
  workbench.change({ answer: scored(score), merge: "", typed: null });
}

/** Whether the browser would ask. */
function leave(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

test("a network that is back is used at once, without waiting for the next try", async () => {
  await open();
  server.trouble = "unreachable";
  enter(50);
  workbench.submit();
  await vi.advanceTimersByTimeAsync(40_000); // the next try is up to 30 s away
  server.trouble = "";
  window.dispatchEvent(new Event("online"));
  await soon();
  expect(server.judgments).toHaveLength(1);
});

test("leaving asks while an answer is unsent, and no longer once it is sent", async () => {
  await open();
  expect(leave()).toBe(false);
  server.trouble = "unreachable";
  enter(50);
  workbench.submit();
  await soon();
  expect(leave()).toBe(true);
  server.trouble = "";
  workbench.tryAgain();
  await soon();
  expect(leave()).toBe(false);
});

test("leaving asks about a draft only if it is stored nowhere else", async () => {
  for (const [lasting, expected] of [
    [true, false],
    [false, true],
  ] as const) {
    await open(lasting);
    server.trouble = "failed";
    enter(50);
    await vi.advanceTimersByTimeAsync(900);
    expect(leave()).toBe(expected);
    unbind();
  }
});

test.each(["pagehide", "visibilitychange"])("a draft is sent on %s without waiting", async (name) => {
  await open();
  enter(50);
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  (name === "pagehide" ? window : document).dispatchEvent(new Event(name));
  await soon();
  expect(server.drafts.get("a1")).toEqual(scored(50));
});

test("no time is counted for a page opened in the background", async () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  await open();
  await vi.advanceTimersByTimeAsync(20_000);
  vi.spyOn(document, "hidden", "get").mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(3_000);
  enter(50);
  workbench.submit();
  await soon();
  expect(server.judgments[0]).toMatchObject({ elapsed_ms: 23_001, active_ms: 3_000 });
});

test("a key with Alt reaches a protocol that asks for it, and no other", async () => {
  const digit = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "7", altKey: true, bubbles: true }));
  await open();
  digit();
  expect(workbench.state.value.works.a1?.entered.slots).toEqual({});
  unbind();
  const plain = directAssessment({});
  await open(true, { ...plain, pressWithAlt: (stroke, shown) => plain.press(stroke, shown) });
  digit();
  expect(workbench.state.value.works.a1?.entered).toEqual(scored(7));
});

test("the time worked on an item can be read while it runs", async () => {
  await open();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(workbench.activeMs()).toBe(3_001);
});
