import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { EMPTY_ANSWER } from "../workbench/api";
import { sampleItem, samplePageData } from "../testing/sample_task";
import { mqm } from "./mqm";
import type { Stroke } from "./protocol";
import {
  clear,
  field,
  focus,
  answerWith,
  ITEM,
  marked,
  PAIR,
  press,
  screen,
  show,
  spans,
  type,
  words,
} from "../testing/sample_screen";
import { OPTIONS } from "../testing/sample_typology";

const stroke = (key: string, part: Partial<Stroke> = {}): Stroke => ({ key, shift: false, slot: null, at: 0, ...part });

beforeEach(() => {
  vi.useRealTimers();
  clear();
});

describe("what is read out", () => {
  test("each word of an error names its errors; other words name none", () => {
    screen.answer = answerWith(
      marked(0, 9),
      marked(6, 13, { category: "style/awkward", severity: "minor" }),
      marked(13, 13, { category: "accuracy/omission", severity: "neutral" }),
      marked(4, 6, { side: "source" }),
    );
    show(mqm(OPTIONS));
    expect(words().map((word) => [word.textContent?.replace(/\d/, ""), word.getAttribute("aria-description")])).toEqual(
      [
        ["Alles", "error 1, major, mistranslation"],
        ["ist", "error 1, major, mistranslation; error 2, minor, awkward"],
        ["gut", "error 2, minor, awkward"],
        [".", "error 3, neutral, omission, missing content before it"],
      ],
    );
    expect(words("source").map((word) => word.getAttribute("aria-description"))).toEqual([
      null,
      "error 4, major, mistranslation",
      null,
      null,
    ]);
  });

  test("each error of the list has its description and its buttons", () => {
    screen.answer = answerWith(marked(0, 5, { note: "why" }), marked(4, 6, { side: "source" }));
    show(mqm(OPTIONS));
    const entries = [...screen.root.querySelectorAll(".errs li")];
    expect(entries.map((entry) => entry.querySelector(".what")?.textContent)).toEqual([
      "Mistranslation Accuracy",
      "Mistranslation Accuracy",
    ]);
    expect(entries.map((entry) => entry.querySelector(".quote")?.textContent)).toEqual(["Alles", "In the source: is"]);
    const edit = entries[0]?.querySelector("button");
    expect(edit?.getAttribute("aria-label")).toBe("Edit error 1, major, mistranslation");
    expect(document.getElementById(edit?.getAttribute("aria-describedby") ?? "")?.textContent).toBe("Alles");
    expect(entries[0]?.querySelector(".noted")?.textContent).toBe("why");
  });

  test("the list of words has a name, a direction and one tab stop", () => {
    show(mqm(OPTIONS));
    const list = screen.root.querySelector("[data-side=target]");
    expect(list?.getAttribute("aria-label")).toBe("Translation, word by word");
    expect([
      list?.getAttribute("role"),
      list?.getAttribute("aria-multiselectable"),
      list?.getAttribute("lang"),
      list?.getAttribute("dir"),
    ]).toEqual(["listbox", "true", "de", "ltr"]);
    expect(words().map((word) => word.tabIndex)).toEqual([0, -1, -1, -1]);
    expect(words().map((word) => word.hasAttribute("data-first"))).toEqual([true, false, false, false]);
  });
});

describe("by keyboard", () => {
  test("words are walked and stretched, the category typed, the severity a digit; the focus comes back", async () => {
    show(mqm(OPTIONS));
    focus(words()[0]);
    press(document.activeElement, "ArrowRight");
    expect(document.activeElement).toBe(words()[1]);
    press(document.activeElement, "ArrowRight", { shiftKey: true });
    expect(words().map((word) => word.getAttribute("aria-selected"))).toEqual(["false", "true", "true", "false"]);
    press(document.activeElement, "Enter");
    expect(screen.root.querySelector("[role=dialog]")?.getAttribute("aria-label")).toBe("Mark an error");
    expect(screen.root.querySelector("[role=dialog] input:checked")).toBeNull();
    expect(screen.root.querySelector("#categories [aria-selected=true]")).toBeNull();
    press(field(), "Enter");
    expect(screen.root.querySelector(".pop [role=alert]")?.textContent).toBe("Choose a category.");
    type("mis");
    expect(field()?.getAttribute("aria-activedescendant")).toBe("category-accuracy-mistranslation");
    press(field(), "Enter");
    expect(screen.root.querySelector(".pop [role=alert]")?.textContent).toBe("Choose a severity: 0, 1, 2.");
    press(field(), "2");
    press(field(), "Enter");
    expect(spans()).toEqual([marked(6, 13)]);
    await Promise.resolve();
    expect(document.activeElement).toBe(words()[1]);
    expect(screen.root.querySelector("[role=status]")?.textContent).toBe("Marked: error 1, major, mistranslation.");
  });

  test("a digit begins with the severity, an edge moves by word and by letter, Del takes the error away", () => {
    show(mqm(OPTIONS));
    focus(words()[1]);
    press(document.activeElement, "1");
    type("omis");
    press(field(), "Enter");
    expect(spans()).toEqual([marked(6, 9, { category: "accuracy/omission", severity: "minor" })]);
    const protocol = mqm(OPTIONS);
    expect(protocol.look?.(stroke("x"), { item: ITEM, answer: screen.answer, typed: null })).toBe(false);
    focus(words()[0]);
    press(document.activeElement, "]");
    press(document.activeElement, "ArrowRight", { shiftKey: true });
    expect(spans()[0]).toMatchObject({ start: 6, end: 13 });
    press(document.activeElement, "ArrowRight", { shiftKey: true, altKey: true, ctrlKey: true });
    expect(spans()[0]).toMatchObject({ start: 7, end: 13 });
    press(document.activeElement, "Delete");
    expect(screen.answer.slots.A).toEqual({});
  });

  test("missing content is marked before or after a word, and its place read out", () => {
    const protocol = mqm(OPTIONS);
    show(protocol);
    focus(words()[2]);
    act(() => expect(protocol.look?.(stroke("o"), { item: ITEM, answer: screen.answer, typed: null })).toBe(true));
    type("omis");
    press(field(), "2");
    press(field(), "Enter");
    expect(spans()).toEqual([marked(10, 10, { category: "accuracy/omission" })]);
    expect(words()[2]?.getAttribute("aria-description")).toBe("error 1, major, omission, missing content before it");
  });

  test("Esc leaves the dialog, then the selection; keys of input methods are ignored", () => {
    show(mqm(OPTIONS));
    focus(words()[0]);
    press(document.activeElement, "Enter", { isComposing: true });
    expect(screen.root.querySelector("[role=dialog]")).toBeNull();
    press(document.activeElement, "Enter");
    press(field(), "Escape");
    expect(screen.root.querySelector("[role=dialog]")).toBeNull();
    expect(spans()).toEqual([]);
  });
});

describe("rules of categories", () => {
  function describeFirst(protocol = mqm(OPTIONS), side = "target"): void {
    show(protocol);
    focus(words(side)[0]);
    press(document.activeElement, "Enter");
  }

  test("a forced severity is set by itself, and the others cannot be chosen", () => {
    describeFirst();
    press(field(), "2");
    type("awk");
    expect(
      [...screen.root.querySelectorAll<HTMLInputElement>(".pop [type=radio]")].map(({ checked, disabled }) => [
        checked,
        disabled,
      ]),
    ).toEqual([
      [false, true],
      [true, false],
      [false, true],
    ]);
    press(field(), "Enter");
    expect(spans()[0]).toMatchObject({ category: "style/awkward", severity: "minor" });
  });

  test("a note that is needed is asked for", () => {
    describeFirst();
    type("other");
    press(field(), "1");
    press(field(), "Enter");
    expect(screen.root.querySelector(".pop [role=alert]")?.textContent).toBe("This category needs a note.");
    const note = screen.root.querySelector<HTMLInputElement>("#note")!;
    note.value = " odd ";
    act(() => void note.dispatchEvent(new InputEvent("input", { bubbles: true })));
    press(note, "Enter");
    expect(spans()[0]).toMatchObject({ category: "other", note: "odd" });
  });

  test("what belongs to the source cannot be chosen in the translation, and says so", () => {
    describeFirst();
    type("source");
    expect(screen.root.querySelector("#category-source-error")?.getAttribute("aria-disabled")).toBe("true");
    expect(screen.root.querySelector("#category-source-error .where")?.textContent).toBe("only in the source");
    press(field(), "1");
    press(field(), "Enter");
    expect(spans()).toEqual([]);
  });

  test("one that replaces the others covers the whole text; then nothing else can be marked", () => {
    screen.answer = answerWith(marked(0, 5), marked(6, 9));
    describeFirst();
    type("non");
    press(field(), "Enter");
    expect(spans()).toEqual([marked(0, 14, { category: "non-translation" })]);
    focus(words()[1]);
    press(document.activeElement, "Enter");
    expect(screen.root.querySelector("[role=dialog]")).toBeNull();
    expect(screen.root.querySelector("[role=alert]")?.textContent).toContain("One error covers the whole translation.");
  });

  test("no more errors than the campaign allows", () => {
    screen.answer = answerWith(marked(0, 5), marked(6, 9), marked(10, 13));
    describeFirst();
    expect(screen.root.querySelector("[role=dialog]")).toBeNull();
    expect(screen.root.querySelector("[role=alert]")?.textContent).toBe(
      "The limit of 3 errors is reached. Change or delete one.",
    );
    expect(mqm(OPTIONS).missing(ITEM, answerWith(marked(0, 5), marked(0, 5), marked(0, 5), marked(0, 5)))).toContain(
      "At most 3 errors",
    );
  });
});

describe("the whole answer", () => {
  test("the annotator must confirm that there are no errors; N does it and moves on", () => {
    const protocol = mqm(OPTIONS);
    expect(protocol.missing(ITEM, EMPTY_ANSWER)).toBe("Mark the errors, or choose “No errors”.");
    show(protocol);
    const made = protocol.press(stroke("n"), { item: ITEM, answer: screen.answer, typed: null });
    expect(made).toMatchObject({ answer: { slots: { A: { spans: [] } } }, focus: "submit" });
    expect(protocol.missing(ITEM, made!.answer)).toBe("");
    expect(protocol.pressWithAlt?.(stroke("n"), { item: ITEM, answer: screen.answer, typed: null })?.answer).toEqual(
      made!.answer,
    );
  });

  test("side by side each translation is marked, and N leads to the next", () => {
    const protocol = mqm({ ...OPTIONS, systems_per_screen: 2 });
    show(protocol, PAIR);
    expect(protocol.missing(PAIR, EMPTY_ANSWER)).toContain("Not marked yet: A, B.");
    expect(protocol.press(stroke("n"), { item: PAIR, answer: screen.answer, typed: null })?.focus).toBe(
      "word-B-target-0",
    );
    expect(protocol.missingAt?.(PAIR, { ...EMPTY_ANSWER, slots: { A: { spans: [] } } })).toBe("word-B-target-0");
    focus(words("target", "B")[0]);
    expect(screen.root.querySelector<HTMLInputElement>(".source-for :checked")?.parentElement?.textContent).toBe(
      "for B",
    );
    focus(words("source", "B")[0]);
    press(document.activeElement, "2");
    type("omis");
    press(field(), "Enter");
    expect(spans("B")).toEqual([marked(0, 3, { side: "source", category: "accuracy/omission" })]);
    expect(protocol.summary(PAIR, screen.answer)).toBe("0, 1");
  });

  test("an error being described is not lost by continuing", () => {
    const protocol = mqm(OPTIONS);
    screen.answer = answerWith();
    show(protocol);
    focus(words()[0]);
    press(document.activeElement, "Enter");
    expect(protocol.missing(ITEM, screen.answer)).toBe("Finish or close the error you are describing.");
    expect(document.getElementById(protocol.missingAt!(ITEM, screen.answer))).toBe(
      screen.root.querySelector("[role=dialog]"),
    );
  });

  test("an item that is not current shows its errors, and nothing can be marked", () => {
    const Texts = mqm(OPTIONS).Texts!;
    act(() =>
      render(
        <Texts
          item={ITEM}
          answer={answerWith(marked(0, 5))}
          isCurrent={false}
          page={samplePageData()}
          change={() => undefined}
        />,
        screen.root,
      ),
    );
    expect(screen.root.querySelector("[role=listbox]")).toBeNull();
    expect(screen.root.querySelector(".tgt")?.textContent).toBe("Alles1 ist gut.");
    expect(mqm(OPTIONS).quote?.(ITEM, answerWith(marked(0, 5)))).toBe(
      "error 1, major, mistranslation, target 0-5: Alles",
    );
  });

  test("beside another answer, words of the interface and of the texts each have their own direction", () => {
    const { AnswerText, quote } = mqm(OPTIONS);
    const page = { ...samplePageData(), target: { language: "ar", direction: "rtl", name: "Arabic" } } as const;
    const Answered = AnswerText!;
    act(() => render(<Answered item={ITEM} answer={answerWith(marked(0, 5))} page={page} />, screen.root));
    expect(screen.root.querySelector("li .what")?.textContent).toContain("Mistranslation");
    expect(
      [...screen.root.querySelectorAll("[dir]")].map((element) => [element.getAttribute("dir"), element.textContent]),
    ).toEqual([["rtl", "Alles"]]);
    const twice = sampleItem({ slots: [{ slot: "A", text: "so, so" }] });
    expect(quote?.(twice, answerWith(marked(0, 2)))).not.toBe(quote?.(twice, answerWith(marked(4, 6))));
  });

  test("only digits of available severities are shown", () => {
    const protocol = mqm(OPTIONS);
    for (const shown of [protocol.hints(sampleItem()), protocol.keys])
      expect(shown.flatMap((hint) => hint.keys).filter((key) => /^\d$/.test(key))).toEqual(["0", "1", "2"]);
  });

  test("a required note has the focus; a search in one text is not carried to another", () => {
    screen.answer = answerWith(marked(0, 5));
    show(mqm(OPTIONS));
    focus(words()[1]);
    press(document.activeElement, "Enter");
    type("omis");
    act(() =>
      [...screen.root.querySelectorAll<HTMLElement>(".pop-tools button")]
        .find(({ textContent }) => textContent === "Add a note")
        ?.click(),
    );
    expect(document.activeElement?.id).toBe("note");
    press(document.activeElement, "Escape");
    focus(words()[1]);
    press(document.activeElement, "Enter");
    type("omis");
    act(() => void words("source")[0]?.click());
    expect(screen.root.querySelector<HTMLInputElement>("#category")?.value).toBe("");
  });
});

describe("what was written about an unfinished error", () => {
  const note = () => screen.root.querySelector<HTMLInputElement>("#note");
  const beginToWrite = (protocol = mqm(OPTIONS)) => {
    show(protocol);
    focus(words()[1]);
    press(document.activeElement, "Enter");
    type("omis");
    press(document.activeElement, "n", { altKey: true, code: "KeyN" });
    const field = note()!;
    field.value = "the subject";
    act(() => void field.dispatchEvent(new InputEvent("input", { bubbles: true })));
  };

  test("survives a reload", () => {
    beginToWrite();
    act(() => render(null, screen.root));
    show(mqm(OPTIONS));
    expect(note()?.value).toBe("the subject");
    expect(screen.root.querySelector(".pop .quote")?.textContent).toBe("ist");
    expect(mqm(OPTIONS).missing(ITEM, screen.answer)).toBe("Finish or close the error you are describing.");
  });

  test("survives a look at another item", () => {
    const protocol = mqm(OPTIONS);
    beginToWrite(protocol);
    show(protocol, PAIR);
    expect(note()).toBeNull();
    show(protocol);
    expect(note()?.value).toBe("the subject");
  });

  test("is not lost by clicking another text or an error, nor by deleting one", () => {
    screen.answer = answerWith(marked(0, 5), marked(10, 13));
    beginToWrite();
    act(() => void words("source")[0]?.click());
    expect(note()?.value).toBe("the subject");
    expect(screen.root.textContent).toContain("Finish or close the error you are describing.");
    for (const name of ["Edit error 2, major, mistranslation", "Delete error 1, major, mistranslation"]) {
      act(() => screen.root.querySelector<HTMLElement>(`[aria-label="${name}"]`)?.click());
    }
    expect(spans()).toEqual([marked(10, 13)]);
    expect(note()?.value).toBe("the subject");
  });

  test("gets new bounds from another word of its text", () => {
    beginToWrite();
    act(() => void words()[2]?.click());
    expect(screen.root.querySelector(".pop .quote")?.textContent).toBe("ist gut");
    expect(note()?.value).toBe("the subject");
  });

  test("is gone once the dialog was closed", () => {
    beginToWrite();
    press(note(), "Escape");
    expect(sessionStorage.getItem("assay-begun")).toBeNull();
    act(() => render(null, screen.root));
    show(mqm(OPTIONS));
    expect(note()).toBeNull();
  });
});
