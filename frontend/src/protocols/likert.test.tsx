import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { type Answer, EMPTY_ANSWER, type Item } from "../workbench/api";
import { DOCK, sampleItem } from "../testing/sample_task";
import { likert } from "../testing/sample_protocols";
import type { Change } from "./protocol";

const protocol = likert({});
const pair = sampleItem({
  slots: [
    { slot: "A", text: "Eins." },
    { slot: "B", text: "Ein." },
  ],
});
const answerWith = (slots: Answer["slots"]): Answer => ({ slots, comment: "", cannot_judge: null });

let root: HTMLElement;
beforeEach(() => {
  document.body.innerHTML = "<div></div>";
  root = document.body.firstElementChild as HTMLElement;
});

function show(options: Record<string, unknown> = {}, item: Item = sampleItem(), answer = EMPTY_ANSWER) {
  const change = vi.fn<(change: Change) => void>();
  const { Control } = likert(options);
  act(() => render(<Control {...DOCK} item={item} answer={answer} change={change} />, root));
  return change;
}

function showTexts(options: Record<string, unknown>, item: Item, answer = EMPTY_ANSWER) {
  const change = vi.fn<(change: Change) => void>();
  const Texts = likert(options).Texts ?? (() => null);
  act(() => render(<Texts item={item} answer={answer} isCurrent change={change} page={DOCK.page} />, root));
  return change;
}

function type(
  key: string,
  answer = EMPTY_ANSWER,
  { item = sampleItem(), slot = null as string | null, part = null as string | null, options = {} } = {},
) {
  return likert(options).press({ key, shift: false, slot, part, at: 0 }, { item, answer, typed: null });
}

const legends = () => [...root.querySelectorAll("legend")].map((legend) => legend.firstChild?.textContent);
const marked = () => [...root.querySelectorAll(".scale.now legend")].map((legend) => legend.firstChild?.textContent);

describe("digits", () => {
  test("answer the first open scale and lead on to the next, then to the main button", () => {
    const first = type("4");
    expect(first?.answer.slots).toEqual({ A: { adequacy: 4 } });
    expect(first?.focus).toBe("scale-A-fluency-1");
    const second = type("5", first?.answer);
    expect(second?.answer.slots).toEqual({ A: { adequacy: 4, fluency: 5 } });
    expect(second?.focus).toBe("submit");
  });

  test("answer the scale in focus, and lead back to what was left out", () => {
    const change = type("5", EMPTY_ANSWER, { slot: "A", part: "fluency" });
    expect(change?.answer.slots).toEqual({ A: { fluency: 5 } });
    expect(change?.focus).toBe("scale-A-adequacy-1");
  });

  test("outside the scale do nothing, nor do other keys, nor any once all is answered", () => {
    expect([type("0"), type("6"), type("x"), type("ArrowRight")]).toEqual([null, null, null, null]);
    expect(type("3", answerWith({ A: { adequacy: 4, fluency: 5 } }))).toBeNull();
    expect(
      type("3", answerWith({ A: { adequacy: 4, fluency: 5 } }), { slot: "A", part: "adequacy" })?.answer.slots.A,
    ).toEqual({ adequacy: 3, fluency: 5 });
  });

  test("go through the translations side by side one after the other", () => {
    const change = type("2", answerWith({ A: { adequacy: 4 } }), { item: pair });
    expect(change?.answer.slots).toEqual({ A: { adequacy: 4, fluency: 2 } });
    expect(change?.focus).toBe("scale-B-adequacy-1");
  });

  test("take back a reason for not judging", () => {
    const withheld = { slots: {}, comment: "cut off", cannot_judge: "broken_text" };
    expect(type("4", withheld)?.answer).toEqual({
      slots: { A: { adequacy: 4 } },
      comment: "cut off",
      cannot_judge: null,
    });
  });
});

describe("what is missing", () => {
  test("is named, with the translation where there are several", () => {
    expect(protocol.missing(sampleItem(), EMPTY_ANSWER)).toBe("Not answered yet: Adequacy, Fluency.");
    expect(protocol.missing(sampleItem(), answerWith({ A: { adequacy: 1, fluency: 5 } }))).toBe("");
    expect(protocol.missing(pair, answerWith({ A: { adequacy: 1, fluency: 5 }, B: { adequacy: 2 } }))).toBe(
      "Not answered yet: B Fluency.",
    );
  });
});

test("an answer in a word, and its heading", () => {
  expect(protocol.summary(sampleItem(), answerWith({ A: { adequacy: 4, fluency: 5 } }))).toBe("4 · 5");
  expect(protocol.summary(pair, answerWith({ A: { adequacy: 4, fluency: 5 }, B: { adequacy: 1, fluency: 2 } }))).toBe(
    "A 4 · 5, B 1 · 2",
  );
  expect(protocol.answerHeading).toBe("A · F");
});

describe("the control", () => {
  test("names the target language where fluency is asked, and preselects nothing", () => {
    show();
    expect(root.querySelectorAll("fieldset")[1]?.querySelector("legend span")?.textContent).toBe("German alone");
    expect(root.querySelectorAll("input:checked")).toHaveLength(0);
    expect(root.querySelector("[data-first]")?.id).toBe("scale-A-adequacy-1");
  });

  test("marks the first open scale, or the one in focus", () => {
    show({}, sampleItem(), answerWith({ A: { adequacy: 4 } }));
    expect(marked()).toEqual(["Fluency"]);
    expect(root.querySelector<HTMLInputElement>("#scale-A-adequacy-4")?.checked).toBe(true);
    act(() => root.querySelector<HTMLInputElement>("#scale-A-adequacy-4")?.focus());
    expect(marked()).toEqual(["Adequacy"]);
  });

  test("a reopened item starts at its answer", () => {
    show({}, sampleItem(), answerWith({ A: { adequacy: 4, fluency: 5 } }));
    expect(root.querySelector("[data-first]")?.id).toBe("scale-A-adequacy-4");
    expect(marked()).toEqual([]);
  });

  test("a click answers", () => {
    const change = show();
    act(() => root.querySelector<HTMLInputElement>("#scale-A-fluency-3")?.click());
    expect(change.mock.calls[0]?.[0].answer).toEqual(answerWith({ A: { fluency: 3 } }));
  });

  test("asks other scales with other points, some without a label", () => {
    show({
      scales: [
        {
          name: "psqm",
          title: "Quality",
          question: "",
          points: [
            [0, "nothing"],
            [1, ""],
            [2, "all"],
          ],
        },
      ],
    });
    expect(legends()).toEqual(["Quality"]);
    expect([...root.querySelectorAll("label")].map((label) => label.textContent)).toEqual(["0nothing", "1", "2all"]);
  });
});

describe("fluency first", () => {
  const options = { fluency_first: true, systems_per_screen: 2 };
  const first = likert(options);

  test("hides the source until fluency is answered", () => {
    expect(first.withholds?.(sampleItem(), EMPTY_ANSWER)).toBe("The source is shown once fluency is answered.");
    expect(first.withholds?.(sampleItem(), answerWith({ A: { fluency: 3 } }))).toBe("");
    expect(first.withholds?.(pair, answerWith({ A: { fluency: 3 } }))).not.toBe("");
    expect(first.withholds?.(sampleItem(), { ...EMPTY_ANSWER, cannot_judge: "other" })).toBe("");
    expect(protocol.withholds).toBeUndefined();
  });

  test("asks it first, of all translations, and the other scales only then", () => {
    showTexts(options, pair, answerWith({ A: { fluency: 3 } }));
    expect(root.querySelector(".withheld")).not.toBeNull();
    expect(root.textContent).not.toContain(pair.source);
    expect(root.querySelector("[data-first]")?.id).toBe("scale-B-fluency-1");
    expect([...root.querySelectorAll("fieldset")].map((fieldset) => fieldset.disabled)).toEqual([
      false,
      true,
      false,
      true,
    ]);
    const change = type("4", answerWith({ A: { fluency: 3 } }), { item: pair, options });
    expect(change?.answer.slots.B).toEqual({ fluency: 4 });
    expect(change?.focus).toBe("scale-A-adequacy-1");
  });

  test("needs both scales to continue", () => {
    expect(first.missing(sampleItem(), answerWith({ A: { fluency: 3 } }))).toBe("Not answered yet: Adequacy.");
  });
});
