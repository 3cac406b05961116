import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { judgment, sampleItem, sampleItems, SampleServer, sampleWorkbench, scored } from "../testing/sample_task";
import { workOf } from "./state";
import { complaintOf } from "./refusals";
import { memoryStorage, type Storage } from "./storage";
import type { Workbench } from "./workbench";

let server: SampleServer;
let storage: Storage;
let workbench: Workbench;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  sessionStorage.clear();
  server = new SampleServer();
  storage = memoryStorage();
  workbench = make();
});
afterEach(() => vi.useRealTimers());

function make(onWithdrawn = () => undefined as void): Workbench {
  return sampleWorkbench({ onWithdrawn, api: server, storage });
}

const soon = () => vi.advanceTimersByTimeAsync(1);
const state = () => workbench.state.value;

function judge(score: number): void {
  workbench.change({ answer: scored(score), merge: "typed:A", typed: null });
  workbench.submit();
}

async function judgeAll(): Promise<void> {
  for (const _ of server.allItems) {
    judge(50);
    await soon();
  }
}

describe("from the first item to the last", () => {
  test("every answer arrives once, and the page ends with the completion code", async () => {
    await workbench.open();
    await judgeAll();
    expect(server.judgments.map((sent) => sent.item)).toEqual(["a1", "a2", "a3", "b1", "b2"]);
    expect([state().phase, state().completionCode]).toEqual(["done", "K7QM-42XR-9TDA"]);
  });

  test("the next item is shown without waiting for the server", async () => {
    await workbench.open();
    vi.spyOn(server, "submit").mockImplementation(() => new Promise(() => {}));
    judge(50);
    expect(state().current).toBe("a2");
  });

  test("two texts are loaded ahead", async () => {
    server = new SampleServer(
      ["a", "b", "c", "d", "e"].map((document, position) => sampleItem({ id: `${document}1`, document, position })),
    );
    workbench = make();
    await workbench.open();
    expect(state().items.map((item) => item.id)).toEqual(["a1", "b1", "c1"]);
    judge(50);
    await soon();
    expect(state().items.map((item) => item.id)).toEqual(["a1", "b1", "c1", "d1"]);
    expect(server.requests).toEqual(["items ", "submit a1 next c1"]);
    await judgeAll();
    expect(state().phase).toBe("done");
  });

  test("items that wait for answers are loaded when these have arrived", async () => {
    server = new SampleServer(
      ["a", "b", "c", "d"].map((document, position) => sampleItem({ id: `${document}1`, document, position })),
    );
    workbench = make();
    await workbench.open();
    server.trouble = "failed";
    judge(50);
    judge(60);
    judge(70);
    await soon();
    expect([state().phase, state().items.length]).toEqual(["stranded", 3]);
    server.trouble = "";
    workbench.tryAgain();
    await vi.waitFor(() => expect([state().phase, state().current]).toEqual(["judging", "d1"]));
  });

  test("an assignment that is done shows its code at once", async () => {
    server = new SampleServer([sampleItem({ answer: scored(50), revision: 1 })]);
    workbench = make();
    await workbench.open();
    expect([state().phase, state().completionCode]).toEqual(["done", "K7QM-42XR-9TDA"]);
  });
});

describe("when the first texts cannot be loaded", () => {
  test.each([
    ["failed", "broken"],
    ["unreachable", "broken"],
    ["refused", "ended"],
    ["signed_out", "broken"],
  ] as const)("%s: the page is %s", async (trouble, phase) => {
    server.trouble = trouble;
    await workbench.open();
    expect(state().phase).toBe(phase);
    expect(state().dialog).toBe(trouble === "signed_out" ? "signed_out" : "");
  });

  test("trying again helps", async () => {
    server.trouble = "failed";
    await workbench.open();
    server.trouble = "";
    workbench.tryAgain();
    await soon();
    expect(state()).toMatchObject({ phase: "judging", current: "a1" });
  });
});

describe("without the network", () => {
  test("work continues with loaded items, then waits, then all answers arrive", async () => {
    await workbench.open();
    server.trouble = "unreachable";
    await judgeAll();
    expect([state().phase, workbench.saver.unsent]).toEqual(["sending", 5]);
    server.trouble = "";
    workbench.tryAgain();
    await soon();
    expect([state().phase, server.judgments.length]).toEqual(["done", 5]);
  });

  test("a reload continues after the stored answers", async () => {
    await workbench.open();
    server.trouble = "failed";
    judge(50);
    await soon();
    server.trouble = "";
    vi.spyOn(server, "submit").mockResolvedValue({ kind: "failed", status: 500 });
    workbench = make();
    await workbench.open();
    expect(state().current).toBe("a2");
  });

  test("a lost prefetch is repeated", async () => {
    server = new SampleServer(
      ["a", "b", "c", "d", "e"].map((document, position) => sampleItem({ id: `${document}1`, document, position })),
    );
    server.textsAPage = 1;
    workbench = make();
    await workbench.open();
    await soon();
    expect(state().items.map((item) => item.id)).toEqual(["a1", "b1", "c1"]);
    server.trouble = "unreachable";
    await judgeAll();
    expect(state().phase).toBe("stranded");
    server.trouble = "";
    await vi.advanceTimersByTimeAsync(60_000);
    await judgeAll();
    expect(state().phase).toBe("done");
  });
});

describe("two tabs", () => {
  beforeEach(async () => {
    await workbench.open();
    server.judgeElsewhere("a1", scored(70));
    judge(62);
    await soon();
  });

  test("the annotator is asked, with the answers of both", () => {
    expect(state().dialog).toBe("conflict");
    expect(workbench.saver.conflict?.newest.answer).toEqual(scored(62));
    expect(workbench.saver.conflict?.judgment.hold).toEqual({ why: "conflict", revision: 1, answer: scored(70) });
  });

  test("keeping theirs shows theirs", async () => {
    await workbench.decide("theirs");
    expect(workOf(state(), "a1").submitted).toEqual(scored(70));
    expect([state().dialog, server.judgments.length]).toEqual(["", 0]);
  });

  test("keeping mine makes it the next revision", async () => {
    await workbench.decide("mine");
    expect(server.allItems[0]).toMatchObject({ revision: 2, answer: scored(62) });
  });

  test("a postponed choice is offered again when the next dialog closes", () => {
    workbench.state.value = { ...state(), dialog: "" };
    workbench.openDialog("guidelines");
    workbench.closeDialog();
    expect(state().dialog).toBe("conflict");
  });
});

describe("a refused answer", () => {
  test("leads back to its item, and the next answer takes its place", async () => {
    server = new SampleServer([sampleItem()]);
    workbench = make();
    await workbench.open();
    await soon();
    server.trouble = "refused";
    judge(50);
    await soon();
    expect(state()).toMatchObject({ phase: "judging", current: "a1" });
    expect(complaintOf(workbench)).toBe(
      "The server did not accept this answer. A score is a whole number from 0 to 100.",
    );
    server.trouble = "";
    judge(60);
    expect(complaintOf(workbench)).toBe("");
    await soon();
    expect([state().phase, workbench.saver.unsent]).toEqual(["done", 0]);
  });

  test("does not lead away from an item that is begun, but comes after it", async () => {
    await workbench.open();
    server.trouble = "refused";
    judge(50);
    workbench.change({ answer: scored(9), merge: "", typed: null });
    await soon();
    expect(state().current).toBe("a2");
    server.trouble = "";
    workbench.submit();
    judge(70); // the last one of the text: what was left open before it is next
    expect([state().current, complaintOf(workbench)]).toEqual(["a1", expect.stringContaining("from 0 to 100")]);
    judge(60);
    await soon();
    expect([state().current, workbench.saver.unsent]).toEqual(["b1", 0]);
  });

  test("does not lead away from a dialog", async () => {
    await workbench.open();
    server.trouble = "refused";
    judge(50);
    workbench.openDialog("comment");
    await soon();
    expect(state()).toMatchObject({ current: "a2", dialog: "comment" });
  });
});

describe("drafts", () => {
  test("every change is saved, undoing too", async () => {
    await workbench.open();
    workbench.change({ answer: scored(50), merge: "", typed: null });
    await vi.advanceTimersByTimeAsync(900);
    expect(server.drafts.get("a1")).toEqual(scored(50));
    workbench.perform("undo");
    await vi.advanceTimersByTimeAsync(900);
    expect(server.drafts.get("a1")).toEqual({ slots: {}, comment: "", cannot_judge: null });
  });

  test("are shown again on the next visit", async () => {
    await workbench.open();
    workbench.change({ answer: scored(50), merge: "", typed: null });
    workbench.hidden();
    await soon();
    workbench = make();
    await workbench.open();
    expect(workOf(state(), "a1").entered).toEqual(scored(50));
  });
});

describe("time on an item", () => {
  test("counts from the moment it is shown, without the time away", async () => {
    await workbench.open();
    await vi.advanceTimersByTimeAsync(5_000);
    workbench.hidden();
    await vi.advanceTimersByTimeAsync(30_000);
    workbench.shown();
    await vi.advanceTimersByTimeAsync(2_000);
    judge(50);
    await soon();
    expect(server.judgments[0]).toMatchObject({
      elapsed_ms: 37_000,
      active_ms: 7_000,
      started: new Date(1_000_000).toISOString(),
    });
  });

  test("does not run in a tab opened in the background", async () => {
    workbench.hidden();
    await workbench.open();
    await vi.advanceTimersByTimeAsync(30_000);
    workbench.shown();
    await vi.advanceTimersByTimeAsync(2_000);
    judge(50);
    await soon();
    expect(server.judgments[0]).toMatchObject({ elapsed_ms: 32_000, active_ms: 2_000 });
  });

  test("continues after a reload in the same tab", async () => {
    await workbench.open();
    await vi.advanceTimersByTimeAsync(4_000);
    workbench.hidden();
    await vi.advanceTimersByTimeAsync(60_000);
    workbench = make();
    await workbench.open();
    await vi.advanceTimersByTimeAsync(3_000);
    judge(50);
    await soon();
    expect(server.judgments[0]).toMatchObject({
      elapsed_ms: 67_000,
      active_ms: 7_000,
      started: new Date(1_000_000).toISOString(),
    });
  });

  test("spent on another segment counts there", async () => {
    await workbench.open();
    await vi.advanceTimersByTimeAsync(3_000);
    workbench.perform("down");
    await vi.advanceTimersByTimeAsync(4_000);
    workbench.perform("up");
    await vi.advanceTimersByTimeAsync(1_000);
    judge(50);
    await soon();
    expect(server.judgments[0]).toMatchObject({ item: "a1", active_ms: 4_000 });
  });

  test("of a change counts from zero", async () => {
    await workbench.open();
    await vi.advanceTimersByTimeAsync(9_000);
    judge(50);
    workbench.perform("back");
    await vi.advanceTimersByTimeAsync(2_000);
    judge(60);
    await soon();
    expect(server.judgments[1]).toMatchObject({ base_revision: 1, elapsed_ms: 2_000 });
  });
});

describe("where consent was withdrawn", () => {
  test.each([
    ["an answer", async () => judge(50)],
    ["unfinished work", async () => workbench.change({ answer: scored(5), merge: "", typed: null })],
    ["the texts", async () => workbench.reload()],
    [
      "a report",
      async () => {
        workbench.report.value = { reason: "display", note: "", stage: "writing" };
        await workbench.sendReport();
      },
    ],
  ])("%s leads to the page that says so, without delay", async (_what, act) => {
    const left = vi.fn();
    workbench = make(left);
    await workbench.open();
    server.trouble = "withdrawn";
    await act();
    await vi.advanceTimersByTimeAsync(1000);
    expect([left.mock.calls.length, workbench.saver.isAtRisk]).toEqual([1, false]);
  });

  test("answers of another task cause no redirect", async () => {
    const left = vi.fn();
    workbench = make(left);
    await storage.put({ ...judgment("x1", scored(1)), assignment: "9" });
    const submit = server.submit.bind(server);
    vi.spyOn(server, "submit").mockImplementation((assignment, item, submission) =>
      assignment === "9" ? Promise.resolve({ kind: "withdrawn" }) : submit(assignment, item, submission),
    );
    await workbench.open();
    await judgeAll();
    expect([left.mock.calls.length, state().phase]).toEqual([0, "done"]);
  });
});

describe("a problem report", () => {
  test("goes to the organiser and changes no answer", async () => {
    await workbench.open();
    workbench.openDialog("report");
    workbench.report.value = { reason: "display", note: "Boxes.", stage: "writing" };
    await workbench.sendReport();
    expect(server.reports).toEqual([{ reason: "display", note: "Boxes." }]);
    expect(state()).toMatchObject({
      dialog: "",
      current: "a1",
      toast: "Your report was sent. The organiser will see it.",
    });
  });

  test("that cannot be sent loses no text", async () => {
    await workbench.open();
    server.trouble = "unreachable";
    workbench.report.value = { reason: "display", note: "Boxes.", stage: "writing" };
    await workbench.sendReport();
    expect(workbench.report.value).toEqual({ reason: "display", note: "Boxes.", stage: "failed" });
  });
});

test("the sample task has what its tests rely on", () => {
  expect(sampleItems().map((item) => item.document)).toEqual(["a", "a", "a", "b", "b"]);
});
