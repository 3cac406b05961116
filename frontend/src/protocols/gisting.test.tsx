import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { type Answer, EMPTY_ANSWER, type Item } from "../workbench/api";
import { DOCK, sampleItem, samplePageData } from "../testing/sample_task";
import { gisting } from "./gisting";
import type { Change, Protocol } from "./protocol";

const WHY = { name: "why", text: "Why?", choices: ["Fog", "A strike", "The text does not say"] };
const WHAT = { name: "what", text: "What was picked?", choices: [] };
const WHEN = { name: "when", text: "When?", choices: ["At noon", "At night"] };
const item = sampleItem({
  level: "document",
  source: null,
  slots: [{ slot: "A", text: null }],
  questions: [WHY, WHAT, WHEN],
});
const answerWith = (answers: Record<string, string>): Answer => ({
  slots: { A: { answers } },
  comment: "",
  cannot_judge: null,
});
const ALL = answerWith({ why: "Fog", what: "pears", when: "At noon" });

let root: HTMLElement;
beforeEach(() => {
  document.body.innerHTML = "<div></div><button id='submit'></button>";
  root = document.body.firstElementChild as HTMLElement;
});

/** A page that keeps what is entered. */
class Page {
  answer: Answer;
  readonly change = vi.fn((change: Change) => {
    this.answer = change.answer;
    this.draw();
  });

  constructor(
    answer: Answer = EMPTY_ANSWER,
    readonly protocol: Protocol = gisting({ when_asked: "while_reading" }),
    readonly of: Item = item,
  ) {
    this.answer = answer;
    this.draw();
  }

  draw(): void {
    const { Control, Second = () => null } = this.protocol;
    const props = { ...DOCK, item: this.of, answer: this.answer, change: this.change };
    act(() =>
      render(
        <>
          <Control {...props} />
          <Second {...props} />
        </>,
        root,
      ),
    );
  }

  press(key: string): Change | null {
    const stroke = { key, shift: false, slot: null, part: null, at: 0 };
    const shown = { item: this.of, answer: this.answer, typed: null };
    if (this.protocol.look?.(stroke, shown)) return (this.draw(), null);
    const change = this.protocol.press(stroke, shown);
    if (change) this.change(change);
    return change;
  }

  get question(): string {
    return root.querySelector(".gq .q")?.textContent ?? "";
  }

  get field(): HTMLInputElement {
    return root.querySelector("#typed") as HTMLInputElement;
  }

  type(text: string): void {
    this.field.value = text;
    act(() => void this.field.dispatchEvent(new InputEvent("input", { bubbles: true })));
  }

  enter(init: KeyboardEventInit = {}): void {
    act(
      () =>
        void this.field.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init }),
        ),
    );
  }
}

describe("by keyboard", () => {
  test("digits choose, what is typed ends with Enter, and the last answer leads to the main button", () => {
    const page = new Page();
    expect(page.question).toBe("Why?");
    page.press("2");
    expect(page.question).toBe("What was picked?");
    expect(document.activeElement).toBe(page.field);
    page.type("pears");
    expect(page.question).toBe("What was picked?");
    page.enter();
    expect(page.question).toBe("When?");
    expect(page.press("1")?.focus).toBe("submit");
    expect(page.answer).toEqual(answerWith({ why: "A strike", what: "pears", when: "At noon" }));
    expect(page.protocol.missing(item, page.answer)).toBe("");
  });

  test("a digit without a choice does nothing, and no digit does where the answer is typed", () => {
    const page = new Page();
    expect([page.press("4"), page.press("0"), page.press("x")]).toEqual([null, null, null]);
    page.press("1");
    expect(page.press("1")).toBeNull();
  });

  test("brackets turn to other questions, and an answer leads back to what was left out", () => {
    const page = new Page();
    page.press("]");
    page.press("]");
    expect(page.question).toBe("When?");
    page.press("]");
    expect(page.question).toBe("When?");
    page.press("2");
    expect(page.question).toBe("Why?");
  });

  test("Enter on an empty field says that the text does not say", () => {
    const page = new Page(answerWith({ why: "Fog" }));
    expect(page.protocol.missing(item, page.answer)).toBe("Not answered yet: 2, 3.");
    page.enter();
    expect(page.answer).toEqual(answerWith({ why: "Fog", what: "" }));
    expect(page.question).toBe("When?");
  });

  test("Enter from an input method, from a key held down or with Ctrl does not continue", () => {
    const page = new Page(answerWith({ why: "Fog" }));
    page.enter({ isComposing: true });
    page.enter({ repeat: true });
    page.enter({ ctrlKey: true });
    expect(page.question).toBe("What was picked?");
  });

  test("an answer changed after all are answered keeps its question", () => {
    const page = new Page(ALL);
    page.press("[");
    page.press("[");
    expect(page.press("3")?.focus).toBe("submit");
    expect(page.question).toBe("Why?");
    expect(page.answer.slots.A).toEqual({ answers: { why: "The text does not say", what: "pears", when: "At noon" } });
  });

  test("an undone answer is asked again", () => {
    const page = new Page();
    page.press("2");
    page.answer = EMPTY_ANSWER;
    page.draw();
    expect(page.question).toBe("Why?");
  });
});

describe("by mouse and touch", () => {
  test("a click chooses and continues; numbers lead to other questions and show which are answered", () => {
    const page = new Page();
    act(
      () =>
        void root.querySelectorAll("input")[1]?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 })),
    );
    expect(page.answer).toEqual(answerWith({ why: "A strike" }));
    const numbers = [...root.querySelectorAll<HTMLButtonElement>(".numbers button")];
    expect(numbers.map((button) => button.getAttribute("aria-label"))).toEqual([
      "Question 1, answered",
      "Question 2",
      "Question 3",
    ]);
    expect(numbers.map((button) => button.getAttribute("aria-current"))).toEqual([null, "step", null]);
    act(() => numbers[0]?.click());
    expect(page.question).toBe("Why?");
    expect(root.querySelectorAll<HTMLInputElement>("input")[1]?.checked).toBe(true);
  });

  test("an arrow key chooses without continuing", () => {
    const page = new Page();
    act(() => root.querySelectorAll("input")[0]?.click());
    expect(page.answer).toEqual(answerWith({ why: "Fog" }));
    expect(page.question).toBe("Why?");
  });

  test("a typed answer has a button to continue", () => {
    const page = new Page(answerWith({ why: "Fog" }));
    page.type("apples");
    act(() => root.querySelector<HTMLButtonElement>(".gq .btn")?.click());
    expect(page.question).toBe("When?");
  });

  test("nothing is preselected", () => {
    new Page();
    expect(root.querySelectorAll("input:checked")).toHaveLength(0);
    expect(root.querySelector("[data-first]")?.parentElement?.textContent).toBe("1Fog");
  });
});

describe("the text", () => {
  const line = (part: object) => ({ document: "a", position: 0, source: null, reference: null, text: null, ...part });
  const show = (
    protocol: Protocol,
    lines: ReturnType<typeof line>[],
    answer: Answer = EMPTY_ANSWER,
    of: Item = item,
  ) => {
    const WholeText = protocol.WholeText as NonNullable<Protocol["WholeText"]>;
    act(() => render(<WholeText item={of} answer={answer} lines={lines} page={samplePageData()} />, root));
  };

  test("is a translation, or the source in its own language", () => {
    show(gisting({ when_asked: "while_reading" }), [line({ text: "Eins." }), line({ text: "Zwei." })]);
    expect([...root.querySelectorAll(".read")].map((p) => [p.textContent, p.getAttribute("lang")])).toEqual([
      ["Eins.", "de"],
      ["Zwei.", "de"],
    ]);
    expect(root.textContent).toContain("The source is hidden in this task.");
    show(gisting({ when_asked: "while_reading" }), [line({ source: "One." })]);
    expect(root.querySelector(".read")?.getAttribute("lang")).toBe("en");
    expect(root.textContent).toContain("English, source");
  });

  test("of a practice item is its own", () => {
    show(gisting({ when_asked: "while_reading" }), [], EMPTY_ANSWER, {
      ...item,
      slots: [{ slot: "A", text: "Alles." }],
    });
    expect(root.querySelector(".read")?.textContent).toBe("Alles.");
  });

  test("is hidden once read, when questions are answered from memory, and stays hidden", () => {
    const protocol = gisting({ when_asked: "after_reading" });
    const page = new Page(EMPTY_ANSWER, protocol);
    expect(page.question).toBe("");
    expect(page.press("1")).toBeNull();
    expect(protocol.missing(item, page.answer)).toBe("Read the document, then continue with the questions.");
    act(() => root.querySelector<HTMLButtonElement>("[data-first]")?.click());
    expect(page.answer).toEqual(answerWith({}));
    expect(page.question).toBe("Why?");
    expect((document.activeElement as HTMLInputElement).type).toBe("radio");
    show(protocol, [line({ text: "Eins." })], EMPTY_ANSWER); // undone
    expect(root.textContent).not.toContain("Eins.");
    show(gisting({ when_asked: "after_reading" }), [line({ text: "Eins." })], ALL, { ...item, revision: 1 });
    expect(root.textContent).not.toContain("Eins.");
  });
});

test("an answer in a word", () => {
  const protocol = gisting({ when_asked: "while_reading" });
  expect(protocol.summary(item, answerWith({ why: "Fog", what: "" }))).toBe("2 of 3 answered");
});
