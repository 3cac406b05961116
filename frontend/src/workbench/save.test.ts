import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { judgment, SampleServer, scored } from "../testing/sample_task";
import { backoffMs, Saver } from "./save";
import { saveWords } from "./render/bar";
import { memoryStorage, type Storage } from "./storage";

let server: SampleServer;
let storage: Storage;
let online: boolean;
let saver: Saver;
const news = {
  onReceipt: vi.fn(),
  onConflict: vi.fn(),
  onSignedOut: vi.fn(),
  onRefused: vi.fn(),
  onEnded: vi.fn(),
  onWithdrawn: vi.fn(),
  onRetry: vi.fn(),
  nextAfter: vi.fn(() => ""),
};

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.clearAllMocks();
  server = new SampleServer();
  storage = { ...memoryStorage(), lasting: true };
  online = true;
  vi.spyOn(navigator, "onLine", "get").mockImplementation(() => online);
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  saver = open();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function open(): Saver {
  return new Saver({ api: server, storage, ...news });
}

const soon = () => vi.advanceTimersByTimeAsync(1);
const words = () => {
  const { text, aside = "" } = saveWords(saver.state.value, Date.now());
  return text + aside;
};

describe("the way of a judgment", () => {
  test("it is stored on this device first, then sent, then deleted here", async () => {
    const order: string[] = [];
    vi.spyOn(storage, "put").mockImplementation(
      () => new Promise((resolve) => setTimeout(() => resolve(void order.push("kept")), 5)),
    );
    vi.spyOn(server, "submit").mockImplementation(
      async () => (
        order.push("sent"),
        { kind: "ok", status: 201, body: { revision: 1, done: 1, total: 5, completion_code: null } }
      ),
    );
    vi.spyOn(storage, "remove").mockImplementation(async (key) => void (key.startsWith("k") && order.push("removed")));
    saver.keep(judgment("a1", scored(50)));
    await vi.advanceTimersByTimeAsync(10);
    expect(order).toEqual(["kept", "sent", "removed"]);
    expect(words()).toBe("Saved");
  });

  test("what is sent is what was entered, with its times", async () => {
    saver.keep(judgment("a1", scored(50, "cut off")));
    await soon();
    expect(server.judgments[0]).toMatchObject({
      item: "a1",
      base_revision: 0,
      answer: scored(50, "cut off"),
      elapsed_ms: 9000,
      active_ms: 8000,
    });
  });

  test("a change of an answer still on its way is based on the revision that one makes", async () => {
    saver.keep(judgment("a1", scored(50)));
    saver.keep(judgment("a1", scored(60)));
    await soon();
    expect(server.judgments.map((sent) => [sent.base_revision, sent.answer.slots.A?.score])).toEqual([
      [0, 50],
      [1, 60],
    ]);
  });

  test("after a lost receipt the judgment is sent again with the same id, and stored once", async () => {
    const submit = server.submit.bind(server);
    vi.spyOn(server, "submit").mockImplementationOnce(async (...sent) => {
      await submit(...sent);
      return { kind: "unreachable" };
    });
    saver.keep(judgment("a1", scored(50)));
    await vi.advanceTimersByTimeAsync(1100);
    expect(server.judgments).toHaveLength(1);
    expect(saver.unsent).toBe(0);
  });
});

describe("when the server fails", () => {
  test("it is tried again after 1, 2, 4, 8, 16 and then every 30 seconds, give or take", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map((attempt) => backoffMs(attempt, 0.5))).toEqual([
      1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000,
    ]);
    expect([backoffMs(1, 0), backoffMs(1, 0.999)]).toEqual([800, 1200]);
  });

  test("the page says when, and the answers arrive in their order", async () => {
    server.trouble = "failed";
    saver.keep(judgment("a1", scored(50)));
    saver.keep(judgment("a2", scored(60)));
    await soon();
    expect(words()).toBe("Not saved, next try in 1 s");
    await vi.advanceTimersByTimeAsync(1000);
    expect(words()).toBe("Not saved, next try in 2 s");
    server.trouble = "";
    await vi.advanceTimersByTimeAsync(2000);
    expect(server.judgments.map((sent) => sent.item)).toEqual(["a1", "a2"]);
    expect(words()).toBe("Saved");
  });

  test("one failing answer does not delay the others", async () => {
    const submit = server.submit.bind(server);
    vi.spyOn(server, "submit").mockImplementation((...sent) =>
      sent[1] === "a1" ? Promise.resolve({ kind: "failed", status: 500 }) : submit(...sent),
    );
    saver.keep(judgment("a1", scored(50)));
    saver.keep(judgment("a2", scored(60)));
    await soon();
    expect(server.judgments.map((sent) => sent.item)).toEqual(["a2"]);
    expect(saver.unsent).toBe(1);
  });

  test("a failing server does not get every answer of a long queue", async () => {
    server.trouble = "failed";
    for (const item of ["a1", "a2", "a3", "b1", "b2"]) saver.keep(judgment(item, scored(1)));
    await soon();
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });

  test("a new answer neither hurries nor delays the next try", async () => {
    server.trouble = "failed";
    saver.keep(judgment("a1", scored(50)));
    await vi.advanceTimersByTimeAsync(1100); // the second try is to come in 2 s
    for (const item of ["a2", "a3", "b1"]) saver.keep(judgment(item, scored(1)));
    await soon();
    expect(server.requests).toHaveLength(2);
    expect(words()).toBe("Not saved, next try in 2 s");
    server.trouble = "";
    await vi.advanceTimersByTimeAsync(2000);
    expect(server.judgments.map((sent) => sent.item)).toEqual(["a1", "a2", "a3", "b1"]);
  });

  test("trying now does not wait", async () => {
    server.trouble = "failed";
    saver.keep(judgment("a1", scored(50)));
    await vi.advanceTimersByTimeAsync(20_000);
    saver.retryNow();
    await soon();
    expect(words()).toBe("Not saved, next try in 1 s");
    server.trouble = "";
    saver.retryNow();
    await soon();
    expect(words()).toBe("Saved");
  });
});

describe("when the network is gone", () => {
  test("the page says how many answers are stored, and sends them when it is back", async () => {
    online = false;
    server.trouble = "unreachable";
    saver.keep(judgment("a1", scored(50)));
    saver.keep(judgment("a2", scored(60)));
    await soon();
    expect(words()).toBe("Offline, 2 answers on this device");
    server.trouble = "";
    online = true;
    saver.retryNow();
    expect(words()).toBe("Sending 2 answers");
    await soon();
    expect(words()).toBe("Saved");
  });

  test("without storage they stay in this page only, and it says so", async () => {
    storage = memoryStorage();
    saver = open();
    online = false;
    server.trouble = "unreachable";
    saver.keep(judgment("a1", scored(50)));
    await soon();
    expect(words()).toBe("Offline, 1 answer in this tab");
  });

  test("the page says that storage failed, and still sends the answer", async () => {
    vi.spyOn(storage, "put").mockRejectedValue(new Error("full"));
    saver.keep(judgment("a1", scored(50)));
    await soon();
    expect([saver.state.value.lasting, saver.state.value.isFull]).toEqual([false, false]);
    expect(server.judgments).toHaveLength(1);
  });

  test("an answer removed while it was being sent does not come back with its refusal", async () => {
    let refuse = () => undefined as void;
    vi.spyOn(server, "submit").mockImplementation(
      () =>
        new Promise((resolve) => {
          refuse = () => resolve({ kind: "ended", message: "You were removed." });
        }),
    );
    saver.keep(judgment("a1", scored(50)));
    await soon();
    await saver.remove(await saver.allUnsent());
    refuse();
    await soon();
    expect([await storage.all(), saver.unsent]).toEqual([[], 0]);
  });

  test("after consent is withdrawn, answers of that assignment are deleted and others sent", async () => {
    const submit = server.submit.bind(server);
    vi.spyOn(server, "submit").mockImplementation((assignment, item, submission) =>
      assignment === "9" ? Promise.resolve({ kind: "withdrawn" }) : submit(assignment, item, submission),
    );
    online = false;
    saver.keep({ ...judgment("x1", scored(40)), assignment: "9" });
    saver.keep({ ...judgment("x2", scored(40)), assignment: "9" });
    saver.keep(judgment("a1", scored(50)));
    await soon();
    expect([saver.unsent, server.judgments.map(({ item }) => item)]).toEqual([0, ["a1"]]);
    expect(news.onWithdrawn.mock.calls).toEqual([["9"]]);
    expect(
      (await storage.all()).map(({ item }) => item),
      "the page that follows removes them and says so",
    ).toEqual(["x1", "x2"]);
  });

  test("the page says that the device is full", async () => {
    vi.spyOn(storage, "put").mockRejectedValue(new DOMException("", "QuotaExceededError"));
    saver.keep(judgment("a1", scored(50)));
    await soon();
    expect([saver.state.value.lasting, saver.state.value.isFull]).toEqual([false, true]);
  });

  test("answers of an earlier visit are sent by the next one", async () => {
    server.trouble = "unreachable";
    saver.keep(judgment("a1", scored(50)));
    saver.keep(judgment("a2", scored(60)));
    await soon();
    server.trouble = "";
    saver = open();
    expect((await saver.recover()).map((unsent) => unsent.item)).toEqual(["a1", "a2"]);
    await saver.pump();
    expect(server.judgments).toHaveLength(2);
    expect(await storage.all()).toEqual([]);
  });
});

describe("signed out", () => {
  test("the queue stays, and nothing more is sent until somebody signs in", async () => {
    server.trouble = "signed_out";
    saver.keep(judgment("a1", scored(50)));
    await soon();
    expect(news.onSignedOut).toHaveBeenCalledOnce();
    expect(words()).toBe("Signed out, 1 answer on this device");
    saver.keep(judgment("a2", scored(60)));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(server.requests).toHaveLength(1);
    server.trouble = "";
    saver.retryNow();
    await soon();
    expect(server.judgments).toHaveLength(2);
  });
});

describe("an answer changed elsewhere", () => {
  test("waits for the annotator, while others go on", async () => {
    server.judgeElsewhere("a1", scored(70));
    saver.keep(judgment("a1", scored(62)));
    saver.keep(judgment("a2", scored(60)));
    await soon();
    expect(news.onConflict).toHaveBeenCalledWith(
      expect.objectContaining({ item: "a1" }),
      { revision: 1, answer: scored(70) },
      false,
    );
    expect(server.judgments.map((sent) => sent.item)).toEqual(["a2"]);
    expect(words()).toBe("1 answer needs your decision");
  });

  test("our answer is sent as a revision of theirs, with all that followed it", async () => {
    server.judgeElsewhere("a1", scored(70));
    saver.keep(judgment("a1", scored(62)));
    saver.keep(judgment("a1", scored(63)));
    await soon();
    await saver.sendAgain(saver.state.value.judgments[0]!.key);
    expect(server.judgments.map((sent) => [sent.base_revision, sent.answer.slots.A?.score])).toEqual([
      [1, 62],
      [2, 63],
    ]);
  });

  test("their answer stays, and ours is dropped", async () => {
    server.judgeElsewhere("a1", scored(70));
    saver.keep(judgment("a1", scored(62)));
    saver.keep(judgment("a1", scored(63)));
    await soon();
    await saver.keepTheirs(saver.state.value.judgments[0]!.key);
    expect([saver.unsent, server.judgments.length, (await storage.all()).length]).toEqual([0, 0, 0]);
    expect(words()).toBe("Saved");
  });

  test("the same answer twice is no conflict", async () => {
    server.judgeElsewhere("a1", scored(62));
    saver.keep(judgment("a1", scored(62)));
    await soon();
    expect(news.onConflict).toHaveBeenCalledWith(expect.anything(), expect.anything(), true);
    expect(saver.unsent).toBe(0);
  });
});

test("a refused answer stays with its reason, and can be sent again or discarded", async () => {
  server.trouble = "refused";
  saver.keep(judgment("a1", scored(50)));
  await soon();
  const refused = saver.state.value.judgments[0]!;
  expect(refused.hold).toEqual({
    why: "refused",
    errors: { "slots.A.score": ["A score is a whole number from 0 to 100."] },
  });
  expect(await storage.all()).toHaveLength(1);
  server.trouble = "";
  await saver.sendAgain(refused.key);
  expect(server.judgments).toHaveLength(1);
});

test("another answer to the same item takes the place of the refused one", async () => {
  server.trouble = "refused";
  saver.keep(judgment("a1", scored(50)));
  await soon();
  expect(news.onRefused).toHaveBeenCalledOnce();
  server.trouble = "";
  saver.keep(judgment("a1", scored(60)));
  await soon();
  expect(server.judgments.map(({ answer }) => answer)).toEqual([scored(60)]);
  expect([saver.unsent, await storage.all(), words()]).toEqual([0, [], "Saved"]);
});

test("a signed-out annotator can try at once", async () => {
  server.trouble = "signed_out";
  saver.keep(judgment("a1", scored(50)));
  await soon();
  expect(saveWords(saver.state.value, Date.now()).canTryNow).toBe(true);
});

test("a slow request is shown only after 400 ms", async () => {
  vi.spyOn(server, "submit").mockImplementation(() => new Promise(() => {}));
  saver.keep(judgment("a1", scored(50)));
  await vi.advanceTimersByTimeAsync(399);
  expect(words()).toBe("Saved");
  await vi.advanceTimersByTimeAsync(10);
  expect(words()).toBe("Saving");
});
