import { signal } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { ItemsPage } from "./api";
import type { StoredTexts } from "./offline";
import { sampleWorkbench, SampleServer, scored } from "../testing/sample_task";
import { workOf } from "./state";
import { memoryStorage, type Storage } from "./storage";
import type { Workbench } from "./workbench";

/** A device that stores texts as JSON. */
class Device implements StoredTexts {
  readonly keeping = signal("kept" as const);
  stored = "null";
  read = async () => JSON.parse(this.stored) as ItemsPage | null;
  write = (texts: ItemsPage) => void (this.stored = JSON.stringify(texts));
  flush = () => undefined;
  forget = async () => void (this.stored = "null");
}

let server: SampleServer;
let storage: Storage;
let device: Device;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  server = new SampleServer();
  storage = { ...memoryStorage(), lasting: true };
  device = new Device();
  vi.spyOn(navigator, "onLine", "get").mockImplementation(() => server.trouble !== "unreachable");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function open(): Promise<Workbench> {
  const workbench = sampleWorkbench({ api: server, storage, texts: device });
  const opened = workbench.open();
  await vi.advanceTimersByTimeAsync(4000);
  await opened;
  return workbench;
}

async function judge(workbench: Workbench, ...scores: number[]): Promise<void> {
  for (const score of scores) {
    workbench.change({ answer: scored(score), merge: "typed:A", typed: null });
    workbench.submit();
    await vi.advanceTimersByTimeAsync(1);
  }
}

const sent = () => server.judgments.map(({ item, answer }) => [item, answer.slots.A?.score]);

describe("without a network", () => {
  test("the page opens with its texts, continues after the last answer, and sends each answer once", async () => {
    const first = await open();
    await judge(first, 10);
    server.trouble = "unreachable";
    await judge(first, 20);
    const again = await open();
    expect([again.state.value.phase, again.state.value.current, again.state.value.done]).toEqual(["judging", "a3", 1]);
    expect(again.saver.state.value.stage).toBe("offline");
    await judge(again, 30);
    const third = await open();
    expect(third.state.value.current).toBe("b1");
    server.trouble = "";
    third.tryAgain();
    await vi.advanceTimersByTimeAsync(10);
    expect(sent()).toEqual([
      ["a1", 10],
      ["a2", 20],
      ["a3", 30],
    ]);
    await judge(third, 40, 50);
    expect([third.state.value.phase, third.saver.unsent, sent().length]).toEqual(["done", 0, 5]);
  });

  test("an answered item is not asked again", async () => {
    await judge(await open(), 10, 20, 30);
    server.trouble = "unreachable";
    const again = await open();
    expect(again.state.value.current).toBe("b1");
    expect(again.state.value.items.map(({ id }) => id)).toEqual(["b1", "b2"]);
  });

  test("a draft is shown again", async () => {
    const first = await open();
    first.change({ answer: scored(55), merge: "", typed: null });
    await vi.advanceTimersByTimeAsync(1000); // the draft is with the server, and no longer here
    expect(await storage.all()).toEqual([]);
    server.trouble = "unreachable";
    const { state } = await open();
    expect(workOf(state.value, "a1").entered).toEqual(scored(55));
  });

  test("when all stored items are answered the page waits, and continues by itself", async () => {
    server.trouble = "";
    const first = await open();
    server.trouble = "unreachable";
    await judge(first, 10, 20, 30, 40, 50);
    const again = await open();
    expect(again.state.value.phase).toBe("stranded");
    server.trouble = "";
    await vi.advanceTimersByTimeAsync(60_000);
    expect([again.state.value.phase, sent().length]).toEqual(["done", 5]);
  });

  test("without stored texts it says that the page could not be loaded", async () => {
    server.trouble = "unreachable";
    expect((await open()).state.value.phase).toBe("broken");
  });
});

test("the page does not wait for a slow server, and takes its late response", async () => {
  await open();
  vi.spyOn(server, "items").mockImplementationOnce(() => new Promise(() => {}));
  const workbench = await open();
  expect([workbench.state.value.phase, workbench.saver.state.value.stage]).toEqual(["judging", "failing"]);
  server.judgeElsewhere("a1", scored(1));
  await vi.advanceTimersByTimeAsync(2000);
  expect([workbench.saver.state.value.stage, workOf(workbench.state.value, "a1").submitted]).toEqual([
    "rest",
    scored(1),
  ]);
});

test("the page says that the work was withdrawn as soon as the server is back", async () => {
  await open();
  server.trouble = "unreachable";
  const workbench = await open();
  Object.assign(server, { trouble: "", isWithdrawn: true });
  workbench.tryAgain();
  await vi.advanceTimersByTimeAsync(10);
  expect([workbench.state.value.phase, workbench.state.value.withdrawn]).toEqual(["ended", true]);
});

describe("when access has ended for good", () => {
  async function endIt(): Promise<Workbench> {
    const workbench = await open();
    server.trouble = "ended";
    await judge(workbench, 10);
    return workbench;
  }

  test("the page shows the server's message and keeps unsent answers, with nothing more to judge", async () => {
    const workbench = await endIt();
    expect([workbench.state.value.phase, workbench.endedAccess.message.value]).toEqual([
      "ended",
      "You were removed from this campaign.",
    ]);
    expect(workbench.endedAccess.unsent.value).toMatchObject([{ item: "a1", answer: scored(10) }]);
    expect(await storage.all()).toHaveLength(1);
    expect(device.stored).not.toBe("null"); // the page opens again, and offers them again
  });

  test("after saving and removing, nothing stays on the device", async () => {
    const workbench = await endIt();
    await workbench.endedAccess.remove();
    expect([await storage.all(), device.stored, workbench.saver.unsent]).toEqual([[], "null", 0]);
  });

  test("with nothing unsent the texts are deleted at once", async () => {
    await open();
    server.trouble = "ended";
    const workbench = await open();
    expect([workbench.state.value.phase, device.stored]).toEqual(["ended", "null"]);
  });

  test("an annotator who regains access sends them after all", async () => {
    await endIt();
    server.trouble = "";
    await open();
    expect(sent()).toEqual([["a1", 10]]);
  });
});
