import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { type Answer, EMPTY_ANSWER, type Item } from "../workbench/api";
import { DOCK, sampleItem, samplePageData } from "../testing/sample_task";
import { postEditing } from "./post_editing";
import type { Protocol } from "./protocol";

const item = sampleItem({ source: "He came to the pier.", slots: [{ slot: "A", text: "Er kam am Pier an." }] });
const page = samplePageData();
const stroke = (key: string) => ({ key, shift: false, slot: null, at: 0 });

let root: HTMLElement;
let protocol: Protocol;
let answer: Answer;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  document.body.innerHTML = "<div></div>";
  root = document.body.firstElementChild as HTMLElement;
  protocol = postEditing({ show_source: true });
  answer = EMPTY_ANSWER;
});
afterEach(() => vi.useRealTimers());

/** The row and the dock together, as the page draws them after each change. */
function draw(shown: Item = item, isCurrent = true): void {
  const change = (made: { answer: Answer }) => {
    answer = made.answer;
    draw(shown, isCurrent);
  };
  const { Texts, Control, Second = () => null, Tools = () => null } = protocol;
  const dock = { ...DOCK, item: shown, answer, change, activeMs: () => Date.now() - 1_000_000 };
  act(() =>
    render(
      <>
        {Texts && <Texts item={shown} answer={answer} isCurrent={isCurrent} page={page} change={change} />}
        <Control {...dock} />
        <Tools {...dock} />
        <Second {...dock} />
      </>,
      root,
    ),
  );
}

const editor = () => root.querySelector("textarea") as HTMLTextAreaElement;
const button = (words: string) =>
  [...root.querySelectorAll("button")].find(({ textContent }) => textContent?.startsWith(words)) as HTMLButtonElement;
const values = () => answer.slots.A as { text: string; keystrokes: number; steps: unknown[] };

function input(text: string, inputType = "insertText"): void {
  editor().value = text;
  act(() => void editor().dispatchEvent(new InputEvent("input", { bubbles: true, inputType })));
}

function key(name: string, part: KeyboardEventInit = {}): void {
  editor().dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, ...part }));
}

test("the editor begins with the translation, and that is not an answer yet", () => {
  draw();
  expect(editor().value).toBe("Er kam am Pier an.");
  expect(protocol.missing(item, answer)).toBe("Edit the translation, or choose “No edit needed”.");
  expect(root.textContent).toContain("No changes.");
});

test("what is typed is the answer, with its keystrokes and timed steps", () => {
  draw();
  vi.advanceTimersByTime(2500);
  for (const name of ["A", "n", "Shift", "ArrowLeft"]) key(name);
  key("x", { repeat: true });
  input("Er kam am Anleger an.");
  expect(values()).toEqual({ text: "Er kam am Anleger an.", keystrokes: 3, steps: [[2500, 10, 2, "Anleg"]] });
  expect(protocol.missing(item, answer)).toBe("");
  expect(protocol.summary(item, answer)).toBe("1");
});

test("the difference, the count and the estimate follow", () => {
  draw();
  input("Er kam am Anleger an.");
  expect(root.querySelector("#changes")?.innerHTML).toContain("<del>Pier</del> <ins>Anleger</ins>");
  expect(root.querySelector("#facts")?.textContent).toContain("edited words1HTER, estimated0.17");
});

test("an input method is not disturbed, and its result is one change", () => {
  draw();
  act(() => void editor().dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true })));
  input("Er kam am Pier anに", "insertCompositionText");
  input("Er kam am Pier an日", "insertCompositionText");
  expect(answer).toBe(EMPTY_ANSWER);
  act(() => void editor().dispatchEvent(new CompositionEvent("compositionend", { bubbles: true })));
  expect(values()).toMatchObject({ text: "Er kam am Pier an日", steps: [[0, 17, 1, "日"]] });
});

test("a paste is marked with everything it replaced, even when alike", () => {
  draw();
  editor().setSelectionRange(0, 18);
  editor().dispatchEvent(new InputEvent("beforeinput", { bubbles: true, inputType: "insertFromPaste" }));
  input("Er kam am Pier an!", "insertFromPaste");
  expect(values().steps).toEqual([[0, 0, 18, "Er kam am Pier an!", "pasted"]]);
});

test("“no edit needed” is an answer, by button and by Alt+N", () => {
  draw();
  button("No edit needed").click();
  expect(values()).toEqual({ text: "Er kam am Pier an.", keystrokes: 0, steps: [] });
  expect(protocol.pressWithAlt?.(stroke("n"), { item, answer: EMPTY_ANSWER, typed: null })?.answer).toEqual(answer);
  expect(protocol.summary(item, answer)).toBe("0");
});

test("a reset can be taken back", () => {
  draw();
  expect(button("Reset").getAttribute("aria-disabled")).toBe("true");
  input("Er kam am Anleger an.");
  act(() => button("Reset").click());
  expect(editor().value).toBe("Er kam am Pier an.");
  act(() => button("Restore my edits").click());
  expect(editor().value).toBe("Er kam am Anleger an.");
  expect(values().steps.map((step) => (step as unknown[])[4])).toEqual([undefined, "reset", "restored"]);
  expect(protocol.pressWithAlt?.(stroke("r"), { item, answer, typed: null })?.answer.slots.A).toMatchObject({
    text: "Er kam am Pier an.",
  });
});

test("undoing from outside writes into the editor", () => {
  draw();
  input("Er kam.");
  answer = EMPTY_ANSWER;
  draw();
  expect(editor().value).toBe("Er kam am Pier an.");
});

test("an empty text is reported as missing", () => {
  draw();
  input("  ");
  expect(protocol.missing(item, answer)).toBe("The translation is empty.");
});

test("D hides the changes and shows them again", () => {
  draw();
  input("Er kam.");
  act(() => void protocol.look?.(stroke("d"), { item, answer, typed: null }));
  expect(root.querySelector("del")).toBeNull();
  act(() => void protocol.look?.(stroke("d"), { item, answer, typed: null }));
  expect(root.querySelector("del")).not.toBeNull();
  expect(protocol.look?.(stroke("x"), { item, answer, typed: null })).toBe(false);
});

test("working time runs by the second and shows when it is paused", () => {
  draw();
  act(() => void vi.advanceTimersByTime(64_000));
  expect(root.querySelector("#facts")?.textContent).toContain("1:04");
});

test("rows that are not current show the edited text", () => {
  draw();
  input("Er kam.");
  draw(item, false);
  expect(root.querySelector("textarea")).toBeNull();
  expect(root.querySelector(".tgt")?.textContent).toBe("Er kam.");
});

test("the source is shown, or hidden", () => {
  draw();
  expect(root.querySelector(".src")?.textContent).toBe("He came to the pier.");
  protocol = postEditing({ show_source: false });
  draw();
  expect(root.querySelector(".src")).toBeNull();
});

test("steps continue in time after a reload, and other line ends are not an edit", () => {
  const old = sampleItem({ slots: [{ slot: "A", text: "Eins.\r\nZwei." }] });
  answer = { ...EMPTY_ANSWER, slots: { A: { text: "Eins.\r\nDrei.", keystrokes: 1, steps: [[9000, 7, 4, "Drei"]] } } };
  draw(old);
  vi.advanceTimersByTime(1000);
  input("Eins.\nZwei.");
  expect(values()).toMatchObject({
    text: "Eins.\r\nZwei.",
    steps: [
      [9000, 7, 4, "Drei"],
      [10_000, 7, 2, "Zw"],
    ],
  });
});
