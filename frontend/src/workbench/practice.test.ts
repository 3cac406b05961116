import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { sampleItem, samplePageData, SampleServer, sampleWorkbench, scored } from "../testing/sample_task";
import type { Workbench } from "./workbench";

const WRONG = {
  is_right: false,
  text: "A trade is no deal.",
  verdicts: [{ slot: "A", measure: "Score", low: 0, high: 60, value: 84, is_right: false }],
  orders: [],
  texts: [],
  marks: [],
};

let server: SampleServer;
let workbench: Workbench;
const soon = () => vi.advanceTimersByTimeAsync(1);

function answer(score: number): void {
  workbench.change({ answer: scored(score), merge: "typed:A", typed: null });
  workbench.submit();
}

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  server = new SampleServer([sampleItem(), sampleItem({ id: "b1", document: "b", position: 1 })]);
  server.feedback = WRONG;
  workbench = sampleWorkbench({ api: server, page: samplePageData({ assignment: "practice:news" }) });
  await workbench.open();
});
afterEach(() => vi.useRealTimers());

test("feedback on an answer is shown, and leads to the next item", async () => {
  answer(84);
  await soon();
  expect(workbench.state.value).toMatchObject({
    dialog: "feedback",
    current: "b1",
    feedback: { item: "a1", text: "A trade is no deal." },
  });
  workbench.closeDialog();
  expect(workbench.state.value).toMatchObject({ dialog: "", current: "b1", phase: "judging" });
});

test("a practice item has no organiser to report it to", () => {
  workbench.openDialog("report");
  expect(workbench.state.value.dialog).toBe("");
  workbench.openDialog("comment");
  expect(workbench.state.value.dialog).toBe("comment");
});

test("an annotator may try again, and then returns to the same place", async () => {
  answer(84);
  await soon();
  workbench.practiseAgain();
  expect(workbench.state.value).toMatchObject({ dialog: "", current: "a1" });
  answer(40);
  await soon();
  expect(server.judgments.map((sent) => sent.base_revision)).toEqual([0, 1]);
  expect(workbench.state.value.current).toBe("b1");
});

test("practice ends after the last feedback was read", async () => {
  answer(84);
  await soon();
  workbench.closeDialog();
  answer(30);
  await soon();
  expect(workbench.state.value).toMatchObject({ dialog: "feedback", phase: "sending" });
  workbench.closeDialog();
  expect(workbench.state.value.phase).toBe("done");
});

test("the last one can also be tried again", async () => {
  answer(84);
  await soon();
  workbench.closeDialog();
  answer(84);
  await soon();
  workbench.practiseAgain();
  expect(workbench.state.value).toMatchObject({ phase: "judging", current: "b1" });
});
