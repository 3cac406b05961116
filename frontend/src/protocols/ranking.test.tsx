import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { type Answer, EMPTY_ANSWER } from "../workbench/api";
import { DOCK, sampleItem } from "../testing/sample_task";
import type { Change, Protocol } from "./protocol";
import { ranking } from "../testing/sample_protocols";

const ITEM = sampleItem({ slots: [..."ABC"].map((slot) => ({ slot, text: `Text ${slot}.` })) });
const PAIR = sampleItem({ slots: [..."AB"].map((slot) => ({ slot, text: `Text ${slot}.` })) });
const ranked = (...ranks: number[]): Answer => ({
  ...EMPTY_ANSWER,
  slots: Object.fromEntries(ranks.map((rank, place) => ["ABC"[place], { rank }])),
});
const SHOWN = { item: ITEM, answer: EMPTY_ANSWER, typed: null };
const stroke = (key: string, slot: string | null = null) => ({ key, shift: false, slot, at: 0 });

let root: HTMLElement;
beforeEach(() => {
  document.body.innerHTML = "<div></div>";
  root = document.body.firstElementChild as HTMLElement;
});

function show(protocol: Protocol, item = ITEM, answer = EMPTY_ANSWER, isCurrent = true) {
  const change = vi.fn<(change: Change) => void>();
  const Texts = protocol.Texts!;
  act(() =>
    render(
      <>
        <Texts item={item} answer={answer} isCurrent={isCurrent} page={DOCK.page} change={change} />
        <protocol.Control {...DOCK} item={item} answer={answer} change={change} />
      </>,
      root,
    ),
  );
  return change;
}

const radio = (id: string) => root.querySelector<HTMLInputElement>(`#${id}`)!;

test("the summary is the order in signs, the best first", () => {
  const { summary } = ranking({ systems_per_item: 3 });
  expect(summary(ITEM, ranked(2, 1, 2))).toBe("B > A = C");
  expect(summary(ITEM, ranked(1, 2, 1))).toBe("A = C > B");
  expect(summary(ITEM, EMPTY_ANSWER)).toBe("");
});

describe("ranking several", () => {
  const protocol = ranking({ systems_per_item: 3 });

  test("names missing ranks; gaps between ranks are closed when it is submitted", () => {
    expect(protocol.missing(ITEM, ranked(1))).toBe("Give every translation a rank first. Missing: B, C.");
    expect(protocol.missing(ITEM, ranked(1, 1, 3))).toBe("");
    expect(protocol.settled!(ITEM, ranked(1, 1, 3))).toEqual(ranked(1, 1, 2));
    expect(protocol.settled!(ITEM, ranked(2, 3, 2))).toEqual(ranked(1, 2, 1));
    expect(protocol.settled!(ITEM, ranked(3, 3, 3))).toEqual(ranked(1, 1, 1));
  });

  test("the keys shown are the ranks there are", () => {
    expect(protocol.hints(PAIR)[0]!.keys).toEqual(["1", "…", "2"]);
  });

  test("a digit ranks the row in focus, else the first without a rank, and leads to the next", () => {
    const press = (key: string, slot: string | null, answer: Answer) =>
      protocol.press(stroke(key, slot), { item: ITEM, answer, typed: null });
    expect(press("2", "B", EMPTY_ANSWER)).toMatchObject({ answer: { slots: { B: { rank: 2 } } }, focus: "rank-C-1" });
    expect(press("1", null, ranked(2))).toMatchObject({ answer: ranked(2, 1), focus: "rank-C-1" });
    expect(press("1", "C", { ...EMPTY_ANSWER, slots: { B: { rank: 2 } } })).toMatchObject({ focus: "rank-A-1" });
    expect(press("3", "C", ranked(1, 2))).toMatchObject({ answer: ranked(1, 2, 3), focus: "submit" });
    expect(press("1", "A", ranked(3, 2, 1))).toMatchObject({ answer: ranked(1, 2, 1), focus: "rank-B-2" });
  });

  test.each([
    ["4", "A"],
    ["0", "A"],
    ["x", "A"],
    ["1", null],
  ])("key %s in row %s does nothing when it has no meaning", (key, slot) => {
    const answer = slot ? EMPTY_ANSWER : ranked(1, 2, 3);
    expect(protocol.press(stroke(key, slot), { item: ITEM, answer, typed: null })).toBeNull();
  });

  test("no rank is preselected, and the order so far is shown", () => {
    show(protocol);
    expect(root.querySelectorAll(":checked:not([type=checkbox])")).toHaveLength(0);
    expect(root.querySelector("[role=status]")?.textContent).toBe("to rank: A, B, C");
    show(protocol, ITEM, ranked(2, 1, 2));
    expect(radio("rank-A-2").checked).toBe(true);
    expect(root.querySelector("[role=status]")?.textContent).toBe("B better than A = C");
  });

  test("a click ranks", () => {
    const change = show(protocol);
    radio("rank-C-2").click();
    expect(change.mock.calls[0]?.[0].answer.slots).toEqual({ C: { rank: 2 } });
  });

  test("up and down move from row to row, to the chosen rank, and change no rank", () => {
    const change = show(protocol, ITEM, ranked(1, 3));
    radio("rank-A-1").focus();
    const arrow = (key: string) =>
      act(
        () =>
          void document.activeElement?.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
          ),
      );
    arrow("ArrowDown");
    expect(document.activeElement?.id).toBe("rank-B-3");
    arrow("ArrowDown");
    expect(document.activeElement?.id).toBe("rank-C-1");
    arrow("ArrowDown");
    expect(document.activeElement?.id).toBe("rank-C-1");
    arrow("ArrowUp");
    expect(document.activeElement?.id).toBe("rank-B-3");
    expect(change).not.toHaveBeenCalled();
  });

  test("an item with fewer translations has fewer ranks", () => {
    show(protocol, PAIR);
    expect(root.querySelectorAll(".rank")).toHaveLength(2);
    expect(root.querySelectorAll(".rank input")).toHaveLength(4);
  });
});

describe("comparing two", () => {
  const protocol = ranking({ systems_per_item: 2 });

  test.each([
    ["1", ranked(1, 2)],
    ["2", ranked(1, 1)],
    ["3", ranked(2, 1)],
  ])("key %s is an answer whole", (key, answer) => {
    expect(protocol.press(stroke(key), { item: PAIR, answer: EMPTY_ANSWER, typed: null })).toMatchObject({
      answer,
      focus: "submit",
    });
    expect(protocol.missing(PAIR, answer)).toBe("");
  });

  test("nothing is preselected at first; the choice is shown, and its translation framed", () => {
    show(protocol, PAIR);
    expect(root.querySelectorAll("[type=radio]:checked, .picked")).toHaveLength(0);
    expect(protocol.missing(PAIR, EMPTY_ANSWER)).toBe("First choose the better translation.");
    show(protocol, PAIR, ranked(2, 1));
    expect(root.querySelector("label:has([type=radio]:checked)")?.textContent).toContain("B better");
    expect(root.querySelector(".picked b")?.textContent).toBe("B");
    show(protocol, PAIR, ranked(1, 1));
    expect(root.querySelector("label:has([type=radio]:checked)")?.textContent).toContain("About equal");
    expect(root.querySelector(".picked")).toBeNull();
  });

  test("a click answers for both translations", () => {
    const change = show(protocol, PAIR);
    root.querySelectorAll<HTMLInputElement>("[type=radio]")[2]?.click();
    expect(change.mock.calls[0]?.[0].answer).toEqual(ranked(2, 1));
  });

  test("an answer takes back a reason for not judging and keeps the comment", () => {
    const withheld = { slots: {}, comment: "cut off", cannot_judge: "broken_text" };
    expect(protocol.press(stroke("2"), { item: PAIR, answer: withheld, typed: null })?.answer).toEqual({
      ...ranked(1, 1),
      comment: "cut off",
    });
  });
});

describe("differences", () => {
  test("are marked as the campaign says; D or the switch changes it for later items", () => {
    const protocol = ranking({ systems_per_item: 2, show_differences: false });
    show(protocol, PAIR);
    expect(root.querySelector(".showdiff")).toBeNull();
    act(() => expect(protocol.look?.(stroke("d"), SHOWN)).toBe(true));
    expect(root.querySelector(".showdiff mark")?.textContent).toBe("A");
    show(protocol, sampleItem({ ...PAIR, id: "next" }));
    expect(root.querySelector<HTMLInputElement>(".switch input")?.checked).toBe(true);
    act(() => root.querySelector<HTMLInputElement>(".switch input")?.click());
    expect(root.querySelector(".showdiff")).toBeNull();
    expect(protocol.look?.(stroke("x"), SHOWN)).toBe(false);
  });
});

test("source and reference are above, and only the current item shows its translations", () => {
  const item = { ...ITEM, reference: "Eins." };
  show(ranking({ judge_against: "both" }), item);
  expect([...root.querySelectorAll(".against .read")].map((text) => text.textContent)).toEqual(["One.", "Eins."]);
  show(ranking({ judge_against: "reference" }), item, EMPTY_ANSWER, false);
  expect([...root.querySelectorAll(".read")].map((text) => text.textContent)).toEqual(["Eins."]);
});
