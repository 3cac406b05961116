import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test } from "vitest";

import { submit } from "../workbench/actions";
import { type Answer, EMPTY_ANSWER, type Item } from "../workbench/api";
import { sampleItem, samplePageData } from "../testing/sample_task";
import { INITIAL, type State } from "../workbench/state";
import { esa } from "../testing/sample_protocols";
import type { Change, Protocol, Stroke } from "./protocol";

const ITEM = sampleItem({ source: "All is well.", slots: [{ slot: "A", text: "Alles ist gut." }] });
const stroke = (key: string, part: Partial<Stroke> = {}): Stroke => ({ key, shift: false, slot: null, at: 0, ...part });

let root: HTMLElement;
let answer: Answer;
beforeEach(() => {
  document.body.innerHTML = "<main></main>";
  root = document.querySelector("main")!;
  answer = EMPTY_ANSWER;
});

function show(protocol: Protocol, item: Item = ITEM): void {
  const draw = () => {
    const Texts = protocol.Texts!;
    const change = (made: Change) => {
      answer = made.answer;
      draw();
    };
    render(<Texts item={item} answer={answer} isCurrent page={samplePageData()} change={change} />, root);
  };
  act(draw);
}

const words = (): HTMLElement[] => [...root.querySelectorAll<HTMLElement>("[data-side=target] [role=option]")];

function press(element: Element | null, key: string, part: KeyboardEventInit = {}): void {
  act(
    () => void element?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...part })),
  );
}

test("a digit over a selection is a severity, with nothing selected a score", () => {
  const protocol = esa();
  show(protocol);
  act(() => words()[0]?.focus());
  press(document.activeElement, "ArrowRight", { shiftKey: true });
  act(() => expect(protocol.look?.(stroke("7"), { item: ITEM, answer, typed: null })).toBe(true));
  act(() => expect(protocol.look?.(stroke("2"), { item: ITEM, answer, typed: null })).toBe(true));
  expect(answer.slots.A).toEqual({ spans: [{ side: "target", start: 0, end: 9, severity: "major", note: "" }] });
  expect(words()[1]?.getAttribute("aria-description")).toBe("error 1, major");
  expect(protocol.look?.(stroke("4"), { item: ITEM, answer, typed: null })).toBe(false);
  expect(protocol.press(stroke("4"), { item: ITEM, answer, typed: null })?.answer.slots.A).toMatchObject({
    score: 4,
    spans: [{ end: 9 }],
  });
});

test("with the scale in focus a digit is a score, whatever is selected; the hints say which it is", () => {
  const protocol = esa();
  show(protocol);
  const severity = { keys: ["1", "2"], does: "severity" };
  expect(protocol.hints(ITEM)).toContainEqual({ keys: ["7", "4"], does: "type a score" });
  expect(protocol.hints(ITEM)).not.toContainEqual(severity);
  act(() => words()[0]?.focus());
  press(document.activeElement, "ArrowRight", { shiftKey: true });
  expect(protocol.hints(ITEM)).toContainEqual(severity);
  expect(protocol.hints(ITEM)).not.toContainEqual({ keys: ["7", "4"], does: "type a score" });
  const onScale = { ...stroke("2"), slot: "A", part: "score" };
  expect(protocol.look?.(onScale, { item: ITEM, answer, typed: null })).toBe(false);
  expect(protocol.press(onScale, { item: ITEM, answer, typed: null })?.answer.slots.A).toMatchObject({ score: 2 });
});

test("neither the source nor missing content can be marked unless the campaign says so", () => {
  show(esa({ missing_content: false }));
  expect(root.querySelector("[data-side=source]")).toBeNull();
  const protocol = esa({ missing_content: false });
  show(protocol);
  expect(protocol.look?.(stroke("o"), { item: ITEM, answer, typed: null })).toBe(false);
});

describe("suggested errors", () => {
  const item = sampleItem({
    ...ITEM,
    suggested: [{ slot: "A", suggestion: 3, side: "target", start: 0, end: 5, severity: "minor" }],
  });

  test("are shown from the start, and a score alone keeps them", () => {
    const protocol = esa();
    show(protocol, item);
    expect(words()[0]?.getAttribute("aria-description")).toBe("error 1, minor");
    expect(protocol.press(stroke("9"), { item, answer, typed: null })?.answer.slots.A).toEqual({
      spans: [{ side: "target", start: 0, end: 5, severity: "minor", note: "", suggestion: 3 }],
      score: 9,
    });
  });

  test("a deleted one stays deleted, with its number", () => {
    show(esa(), item);
    act(() => root.querySelectorAll<HTMLElement>(".errs .tools button")[1]?.click());
    expect(answer.slots.A).toEqual({ spans: [] });
    expect(root.querySelector(".none")?.textContent).toBe("No errors.");
  });
});

test("a low score without an error is questioned once; the next attempt submits it", () => {
  const protocol = esa();
  const entered = protocol.press(stroke("5"), { item: ITEM, answer, typed: null })!.answer;
  const state: State = {
    ...INITIAL,
    phase: "judging",
    items: [ITEM],
    current: ITEM.id,
    works: { [ITEM.id]: { entered, submitted: null, revision: 0 } },
  };
  const first = submit(state, protocol);
  expect(first.answer).toBeNull();
  expect(first.state.complaint).toBe("A score of 5, but no error is marked. Mark the errors, or press Next again.");
  expect(submit(first.state, protocol).answer).toEqual(entered);
  expect(esa({ ask_below: 0 }).doubt?.(ITEM, entered)).toBe("");
  expect(protocol.doubt?.(ITEM, { ...entered, slots: { A: { spans: [], score: 66 } } })).toBe("");
});

test("a missing score is reported, with its translation", () => {
  const pair = sampleItem({
    ...ITEM,
    slots: [
      { slot: "A", text: "Alles." },
      { slot: "B", text: "Gut." },
    ],
  });
  const half: Answer = { ...EMPTY_ANSWER, slots: { A: { spans: [], score: 80 } } };
  expect(esa().missing(ITEM, EMPTY_ANSWER)).toBe("Choose a score first.");
  expect(esa().missing(pair, half)).toBe("Choose a score first. Missing: B.");
  expect(esa().missingAt?.(pair, half)).toBe("score-B");
  expect(esa().summary(pair, half)).toBe("80, –");
});
