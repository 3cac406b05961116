import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, expect, test, vi } from "vitest";

import { EMPTY_ANSWER, type Item } from "../workbench/api";
import { DOCK, sampleItem, scored } from "../testing/sample_task";
import { directAssessment, SAMPLES } from "../testing/sample_protocols";
import { PROTOCOLS } from "./index";
import type { Change } from "./protocol";

const protocol = directAssessment({});
const twoSlots = sampleItem({
  slots: [
    { slot: "A", text: "Eins." },
    { slot: "B", text: "Ein." },
  ],
});

let root: HTMLElement;
beforeEach(() => {
  document.body.innerHTML = "<div></div>";
  root = document.body.firstElementChild as HTMLElement;
});

function show(options: Record<string, unknown>, item: Item = sampleItem(), answer = EMPTY_ANSWER) {
  const change = vi.fn<(change: Change) => void>();
  const { Control } = directAssessment(options);
  act(() => render(<Control {...DOCK} item={item} answer={answer} change={change} />, root));
  const slider = root.querySelector("input") as HTMLInputElement;
  return { change, slider, frame: root.querySelector(".slide") as HTMLElement };
}

test("an answer without a score says that the score is missing", () => {
  expect(protocol.missing(sampleItem(), EMPTY_ANSWER)).toBe("Choose a score first.");
  expect(protocol.missing(sampleItem(), scored(0))).toBe("");
  expect(protocol.missing(twoSlots, scored(50))).toBe("Not scored yet: B.");
});

test("a typed digit answers the slot in focus, else the first without a score", () => {
  const press = (slot: string | null, answer = EMPTY_ANSWER) =>
    protocol.press({ key: "7", shift: false, slot, at: 0 }, { item: twoSlots, answer, typed: null })?.answer.slots;
  expect(press(null)).toEqual({ A: { score: 7 } });
  expect(press("B")).toEqual({ B: { score: 7 } });
  expect(press(null, scored(50))).toEqual({ A: { score: 50 }, B: { score: 7 } });
});

test("typing a score takes back a reason for not judging", () => {
  const withheld = { slots: {}, comment: "cut off", cannot_judge: "broken_text" };
  const change = protocol.press(
    { key: "7", shift: false, slot: null, at: 0 },
    { item: sampleItem(), answer: withheld, typed: null },
  );
  expect(change?.answer).toEqual({ slots: { A: { score: 7 } }, comment: "cut off", cannot_judge: null });
});

test("the slider has no thumb and no value until the first answer", () => {
  const { frame, slider } = show({});
  expect(frame.dataset.unset).toBe("");
  expect(slider.getAttribute("aria-valuetext")).toBe("not rated yet");
  expect(root.querySelector("output")?.textContent).toBe("–");
  expect(root.querySelector(".nearest")?.textContent).toMatch(
    /^0: \u2068[^\u2069]+\u2069 – 100: \u2068[^\u2069]+\u2069$/,
  );
});

test("a click where the hidden thumb lies is an answer", () => {
  const { change, slider } = show({});
  slider.click();
  expect(change.mock.calls[0]?.[0].answer).toEqual(scored(50));
});

test("an answered slider shows its value and reads it out", () => {
  const { frame, slider } = show({}, sampleItem(), scored(62));
  expect(frame.dataset.unset).toBeUndefined();
  expect(frame.style.getPropertyValue("--v")).toBe("62%");
  expect(slider.getAttribute("aria-valuetext")).toBe("62 of 100");
  expect(root.querySelector("output")?.textContent).toBe("62");
});

test("a campaign can hide the number, in rows too", () => {
  show({ show_number: false }, sampleItem(), scored(62));
  expect(root.querySelector("output")).toBeNull();
  expect(directAssessment({ show_number: false }).summary(sampleItem(), scored(62))).toBe("Judged");
  expect(protocol.summary(sampleItem(), scored(62))).toBe("62");
});

test.each([
  [{}, {}, "How much of the meaning of the source does the translation carry?"],
  [
    { judge_against: "reference" },
    { reference: "Eins." },
    "How far does the translation say the same as the reference?",
  ],
  [{}, { level: "document" }, "How much of the meaning of the whole text does the translation carry?"],
  [{ question: "How good is it?" }, {}, "How good is it?"],
] as const)("with %o the question about an item like %o is: %s", (options, part, question) => {
  show(options, sampleItem(part as Partial<Item>));
  expect(root.querySelector("#question")?.textContent).toContain(question);
});

test("the anchors are shown under the slider and read out with the question", () => {
  show({
    anchors: [
      [0, "Nothing"],
      [50, "Half"],
      [100, "All"],
    ],
  });
  expect(
    [...root.querySelectorAll<HTMLElement>(".anchors > span")].map((span) => span.style.getPropertyValue("--x")),
  ).toEqual(["0%", "50%", "100%"]);
  expect(root.querySelector("#question .vh")?.textContent).toContain("50: Half");
});

test("every protocol of the dict implements the interface", () => {
  expect(Object.keys(SAMPLES)).toEqual(Object.keys(PROTOCOLS));
  for (const make of Object.values(SAMPLES)) {
    const made = make();
    expect(made.missing(sampleItem(), EMPTY_ANSWER)).not.toBe("");
    expect(made.keys.length).toBeGreaterThan(0);
  }
});
