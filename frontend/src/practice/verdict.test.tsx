import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Feedback as PracticeFeedback } from "../workbench/api";
import { sampleItem, samplePageData, SampleServer, sampleWorkbench, scored } from "../testing/sample_task";
import type { Workbench } from "../workbench/workbench";
import { lessonsOf } from "./lessons";
import { Verdict } from "./verdict";
import { WorkbenchPage } from "../workbench/render/workbench_page";

const NOTHING: PracticeFeedback = {
  is_right: true,
  text: "Resume is not end.",
  verdicts: [],
  orders: [],
  texts: [],
  marks: [],
};

let root: HTMLElement;
let workbench: Workbench;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  document.body.innerHTML = "<div></div>";
  root = document.body.firstElementChild as HTMLElement;
});
afterEach(() => {
  act(() => render(null, root));
  vi.useRealTimers();
});

async function feedbackText(feedback: Partial<PracticeFeedback>): Promise<string> {
  const server = new SampleServer([
    sampleItem({
      slots: [
        { slot: "A", text: "Eins." },
        { slot: "B", text: "Zwei." },
      ],
    }),
  ]);
  server.feedback = { ...NOTHING, ...feedback };
  workbench = sampleWorkbench({ api: server, page: samplePageData({ assignment: "practice:news" }) });
  await workbench.open();
  workbench.change({
    answer: { ...scored(50), slots: { A: { score: 50 }, B: { score: 60 } } },
    merge: "",
    typed: null,
  });
  workbench.submit();
  await vi.advanceTimersByTimeAsync(1);
  act(() => render(<Verdict workbench={workbench} lessons={lessonsOf(workbench)} />, root));
  return root.textContent ?? "";
}

test("a number is shown with its bounds and its translation", async () => {
  const words = await feedbackText({
    is_right: false,
    verdicts: [{ slot: "B", measure: "Score", low: 0, high: 40, value: 60, is_right: false }],
  });
  expect(words).toContain("Look again");
  expect(words).toContain("B. Score: you answered 60, correct is 0 to 40.");
  expect(words).toContain("Only your first answer counts.");
});

test("feedback on two translations says which is better", async () => {
  const orders = [{ better: "B", worse: "A", is_right: false }];
  expect(await feedbackText({ is_right: false, orders })).toContain("B is better than A; you ranked them differently.");
  expect(await feedbackText({ orders: [{ better: "B", worse: "A", is_right: true }] })).toContain(
    "Correct: B is better than A.",
  );
});

test("a correction is shown beside accepted ones", async () => {
  const words = await feedbackText({
    is_right: false,
    texts: [{ slot: "A", given: "Ein.", accepted: ["Eins!", "Eine Eins."], is_right: false }],
  });
  expect(words).toContain("You wrote:Ein.");
  expect(words).toContain("Correct answers:Eins!Eine Eins.");
});

test("every expected mark is told with what was given for it, and a mark too many", async () => {
  const marks: PracticeFeedback["marks"] = [
    {
      slot: "A",
      outcome: "found",
      expected: { start: [0, 0], end: [4, 4] },
      given: { start: 0, end: 4, severity: "major" },
      is_right: true,
    },
    {
      slot: "A",
      outcome: "missed",
      expected: { tag: "missing", severity: "major", note: "The date." },
      given: null,
      is_right: false,
    },
    {
      slot: "B",
      outcome: "other_kind",
      expected: { start: [0, 0], end: [4, 4], severity: "major" },
      given: { start: 0, end: 4, severity: "minor" },
      is_right: false,
    },
    {
      slot: "B",
      outcome: "other_place",
      expected: { start: [0, 0], end: [5, 5] },
      given: { start: 2, end: 5 },
      is_right: false,
    },
    { slot: "B", outcome: "extra", expected: null, given: { start: 4, end: 5 }, is_right: true },
  ];
  const words = await feedbackText({ is_right: false, marks });
  expect(words).toContain("Found: “Eins”, major");
  expect(words).toContain("Missed: Missing content, majorThe date.");
  expect(words).toContain("Almost: “Zwei”: you chose minor, expected is major.");
  expect(words).toContain("Almost: you marked “ei.”, expected is “Zwei.”.");
  expect(words).toContain("Not expected: “.”");
  const both = [...root.querySelectorAll(".is-expected.is-given")].map((mark) => mark.textContent);
  expect(both).toEqual(["Eins", "Zw", "ei", "."]);
});

test("a note alone is for comparison, and nothing counts", async () => {
  const words = await feedbackText({});
  expect(words).toContain("For comparison");
  expect(words).toContain("Resume is not end.");
  expect(words).not.toContain("counts");
});

test("after the last feedback no answer is on its way", async () => {
  await feedbackText({});
  act(() => render(<WorkbenchPage workbench={workbench} />, root));
  expect(root.textContent).toContain("All answered");
  expect(root.textContent).not.toContain("on their way");
});
