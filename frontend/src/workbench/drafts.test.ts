import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { judgment, SampleServer, scored } from "../testing/sample_task";
import { Saver } from "./save";
import { saveWords } from "./render/bar";
import { memoryStorage, type Storage } from "./storage";

let server: SampleServer;
let storage: Storage;
let saver: Saver;
const news = {
  onReceipt: vi.fn(),
  onConflict: vi.fn(),
  onSignedOut: vi.fn(),
  onRefused: vi.fn(),
  onEnded: vi.fn(),
  onWithdrawn: vi.fn(),
  onRetry: vi.fn(),
  nextAfter: () => "",
};

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  server = new SampleServer();
  storage = { ...memoryStorage(), lasting: true };
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  saver = new Saver({ api: server, storage, ...news });
});
afterEach(() => vi.useRealTimers());

const soon = () => vi.advanceTimersByTimeAsync(1);
const words = () => {
  const { text, aside = "" } = saveWords(saver.state.value, Date.now());
  return text + aside;
};

describe("drafts", () => {
  test("go to the server 800 ms after the last change", async () => {
    saver.drafts.change("1", "a1", scored(7), 0);
    await vi.advanceTimersByTimeAsync(700);
    saver.drafts.change("1", "a1", scored(74), 0);
    await vi.advanceTimersByTimeAsync(799);
    expect(server.drafts.size).toBe(0);
    await soon();
    expect(server.drafts.get("a1")).toEqual(scored(74));
    expect(words()).toBe("Draft saved");
  });

  test("are on this device before that, and deleted from it after", async () => {
    saver.drafts.change("1", "a1", scored(7), 0);
    await vi.advanceTimersByTimeAsync(200);
    expect(await storage.all()).toMatchObject([{ kind: "draft", item: "a1", answer: scored(7) }]);
    await vi.advanceTimersByTimeAsync(700);
    expect(await storage.all()).toEqual([]);
  });

  test("that led to a judgment are deleted, and never sent", async () => {
    saver.drafts.change("1", "a1", scored(7), 0);
    await vi.advanceTimersByTimeAsync(200);
    saver.keep(judgment("a1", scored(74)));
    await vi.advanceTimersByTimeAsync(2000);
    expect(await storage.all()).toEqual([]);
    expect(server.requests).toEqual(["submit a1"]);
  });

  test("go at once when the page is left", async () => {
    saver.drafts.change("1", "a1", scored(7), 0);
    saver.drafts.flush(true);
    saver.drafts.flush(true); // the browser says twice that it leaves
    await soon();
    expect(server.requests).toEqual(["draft a1"]);
    expect(server.drafts.get("a1")).toEqual(scored(7));
  });

  test("never arrive after the judgment they led to", async () => {
    let arrive = () => {};
    const saveDraft = server.saveDraft.bind(server);
    vi.spyOn(server, "saveDraft").mockImplementation(async (...sent) => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return saveDraft(...sent);
    });
    saver.drafts.change("1", "a1", scored(7), 0);
    saver.drafts.flush();
    saver.keep(judgment("a1", scored(74)));
    await soon();
    expect(server.requests).toEqual([]);
    arrive();
    await soon();
    expect(server.requests).toEqual(["draft a1", "submit a1"]);
  });

  test("that fail are tried again, and the page says what is unsaved", async () => {
    server.trouble = "failed";
    saver.drafts.change("1", "a1", scored(7), 0);
    await vi.advanceTimersByTimeAsync(801);
    expect(words()).toBe("Not saved, next try in 1 s");
    server.trouble = "";
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.drafts.get("a1")).toEqual(scored(7));
    expect(words()).toBe("Draft saved");
  });

  test("changed while one is being sent are sent after it", async () => {
    saver.drafts.change("1", "a1", scored(7), 0);
    saver.drafts.flush();
    saver.drafts.change("1", "a1", scored(74), 0);
    saver.drafts.flush();
    await vi.advanceTimersByTimeAsync(900);
    expect(server.drafts.get("a1")).toEqual(scored(74));
  });
});

test("a change of an answer that is still unsent is saved once the server has that answer", async () => {
  server.trouble = "unreachable";
  saver.keep(judgment("a1", scored(50)));
  await soon();
  saver.drafts.change("1", "a1", scored(60), 0);
  await vi.advanceTimersByTimeAsync(900);
  server.trouble = "";
  saver.retryNow();
  await vi.advanceTimersByTimeAsync(900);
  expect([server.judgments.length, server.drafts.get("a1"), await storage.all()]).toEqual([1, scored(60), []]);
  expect(words()).toBe("Draft saved");
});

test("a change of an answer in conflict is saved once the other answer was chosen", async () => {
  server.judgeElsewhere("a1", scored(70));
  saver.keep(judgment("a1", scored(50)));
  await soon();
  saver.drafts.change("1", "a1", scored(60), 0);
  await vi.advanceTimersByTimeAsync(900);
  await saver.keepTheirs(saver.state.value.judgments[0]!.key);
  await soon();
  expect([server.drafts.get("a1"), await storage.all()]).toEqual([scored(60), []]);
});

test("the page says when the device cannot store a draft; a failed one is sent after the next success", async () => {
  vi.spyOn(storage, "put").mockRejectedValue(new DOMException("full", "QuotaExceededError"));
  server.trouble = "failed";
  saver.drafts.change("1", "a2", scored(7), 0);
  await vi.advanceTimersByTimeAsync(801);
  expect([saver.state.value.lasting, saver.isAtRisk]).toEqual([false, true]);
  server.trouble = "";
  saver.keep(judgment("a1", scored(50)));
  await vi.advanceTimersByTimeAsync(1001);
  expect([server.drafts.get("a2"), saver.isAtRisk]).toEqual([scored(7), false]);
});

test("a draft the server refuses stays on this device", async () => {
  server.trouble = "refused";
  saver.drafts.change("1", "a1", scored(7), 0);
  await vi.advanceTimersByTimeAsync(900);
  expect(await storage.all()).toMatchObject([{ kind: "draft", item: "a1" }]);
});
