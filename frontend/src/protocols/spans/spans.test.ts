/* Offsets, lanes and actions: examples, and properties over texts and sequences drawn from a seed. */

import { boundsOf, cellsOf, moveEdge, step, stretch, stretchTo } from "./marking_state";
import { describe, expect, test } from "vitest";

import { type Answer, EMPTY_ANSWER, type Item } from "../../workbench/api";
import { change, redo, undo } from "../../workbench/actions";
import { sampleItem } from "../../testing/sample_task";
import { INITIAL, type State, workOf } from "../../workbench/state";
import { draw, lanesOf } from "./pieces";
import { answeredSpans, put, refusal, remove, type Rules, type Span, spansAt, textOf, withSpans } from "./span";
import { cutUp, lengthOf, quote } from "./text_units";
import { best, choicesOf, matching, missingPart } from "./typology";
import { sampleCategories } from "../../testing/sample_typology";
import { quoteOf, shortened } from "./words";

const add = (item: Item, answer: Answer, slot: string, span: Span, rules: Rules) =>
  put(item, answer, slot, null, span, rules);
const clean = (answer: Answer, slot: string) => withSpans(answer, slot, []);

const FAMILY = "👩‍👩‍👧";
const TEXTS: readonly (readonly [text: string, language: string])[] = [
  ["Wir fragen nicht nach dem Mond.", "de"],
  [`Bis gleich im cafe\u0301 ${FAMILY} heute 🇩🇪🇫🇷 ja`, "de"],
  ["غادرت العبّارة متأخرة ساعة كاملة.", "ar"],
  ["הַמַּעְבּוֹרֶת אֵחֲרָה.", "he"],
  ["港口九点关门，渡轮不再出发。", "zh"],
  ["नमस्ते दुनिया", "hi"],
  ["  two  spaces\nand lines\t", "en"],
  ["👍🏽👍🏽 ok", "en"],
  ["", "en"],
];

/** The generator Mulberry: the same numbers each time. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

describe("a text in words and letters", () => {
  test.each(TEXTS)("%j: nothing is lost, and offsets count code points", (text, language) => {
    const { units, letters, length } = cutUp(text, language);
    expect(units.map((unit) => unit.text).join("")).toBe(text);
    expect(length).toBe([...text].length);
    for (const unit of units) expect(quote(text, unit)).toBe(unit.text);
    expect(letters.map((letter) => quote(text, letter)).join("")).toBe(text);
    const cuts = new Set(letters.flatMap(({ start, end }) => [start, end]));
    for (const { start, end } of units) expect([cuts.has(start), cuts.has(end)]).toEqual([true, true]);
  });

  test("a family is one letter of five code points, an accent goes with its letter, a flag with its other half", () => {
    const letters = cutUp(`e\u0301${FAMILY}🇩🇪🇫🇷`, "de").letters;
    expect(letters.map(({ start, end }) => end - start)).toEqual([2, 5, 2, 2]);
  });

  test("spans of Chinese may begin inside a word, of German not", () => {
    expect(cutUp("港口", "zh").words).toHaveLength(2);
    expect(cutUp("Hafen auf", "de").words.map(({ text }) => text)).toEqual(["Hafen", "auf"]);
    expect(cutUp("Hafen", "no such tag").words).toHaveLength(1);
  });

  test("where each character is a letter, the browser's own cutter finds the same letters", () => {
    const letters = new Intl.Segmenter("en", { granularity: "grapheme" });
    const points = Array.from({ length: 0x520 }, (_, at) => 0x20 + at);
    for (const point of points) {
      const text = `a${String.fromCodePoint(point)}b`;
      const starts = Array.from(letters.segment(text), ({ index }) => index);
      expect(
        cutUp(text, "en").letters.map(({ start }) => start),
        text,
      ).toEqual(starts);
    }
  });

  test("a browser that cannot cut keeps the same letters together", () => {
    const { Segmenter } = Intl;
    Reflect.deleteProperty(Intl, "Segmenter");
    try {
      const { letters, words } = cutUp(`ae\u0301 ${FAMILY} 🇩🇪🇫🇷`, "de");
      expect(letters.map(({ start, end }) => end - start)).toEqual([1, 2, 1, 5, 1, 2, 2]);
      expect(words[0]?.text).toBe("ae\u0301");
    } finally {
      Object.assign(Intl, { Segmenter });
    }
  });
});

describe("moving and stretching", () => {
  const units = cutUp("Wir fragen nicht nach dem Mond.", "de");
  const words = cellsOf(units, false);
  const at = (place: number) => words[place]!;

  test("steps from word to word and stays at the ends", () => {
    expect(step(words, at(0), 1)).toBe(at(1));
    expect(step(words, at(0), -1)).toBe(at(0));
    expect(step(words, at(words.length - 1), 1)).toBe(at(words.length - 1));
  });

  test("stretches both ways around where it began", () => {
    const two = stretch(words, { anchor: at(2), head: at(2) }, 1);
    expect(quote(units.text, boundsOf(two))).toBe("nicht nach");
    const back = stretch(words, stretch(words, two, -1), -1);
    expect(quote(units.text, boundsOf(back))).toBe("fragen nicht");
  });

  test("edges move by words and never turn a span over", () => {
    const span = { start: 4, end: 10 };
    expect(moveEdge(words, span, "end", 1)).toEqual({ start: 4, end: 16 });
    expect(moveEdge(words, span, "end", -1)).toEqual(span);
    expect(moveEdge(words, span, "start", -1)).toEqual({ start: 0, end: 10 });
    expect(moveEdge(cellsOf(units, true), span, "start", 1)).toEqual({ start: 5, end: 10 });
    expect(moveEdge(words, { start: 4, end: 4 }, "end", 1)).toEqual({ start: 11, end: 11 });
  });

  test("a second click moves the nearer end", () => {
    expect(stretchTo({ start: 4, end: 16 }, { start: 17, end: 21 })).toEqual({ start: 4, end: 21 });
    expect(stretchTo({ start: 4, end: 21 }, { start: 11, end: 16 })).toEqual({ start: 4, end: 16 });
    expect(stretchTo({ start: 4, end: 21 }, { start: 0, end: 3 })).toEqual({ start: 0, end: 21 });
  });

  test.each(TEXTS)("%j: whatever the keys, a selection is whole letters", (text, language) => {
    const draw = seeded(lengthOf(text) + 1);
    const cut = cutUp(text, language);
    if (!cut.words.length) return;
    const edges = new Set(cut.letters.flatMap(({ start, end }) => [start, end]));
    let selected = { anchor: cut.words[0]!, head: cut.words[0]! } as {
      anchor: { start: number; end: number };
      head: { start: number; end: number };
    };
    for (let turn = 0; turn < 200; turn += 1) {
      selected = stretch(cellsOf(cut, draw(2) > 0), selected, draw(2) ? 1 : -1);
      const bounds = boundsOf(selected);
      expect(bounds.start).toBeLessThan(bounds.end);
      expect([edges.has(bounds.start), edges.has(bounds.end)]).toEqual([true, true]);
    }
  });
});

describe("lanes and pieces", () => {
  test("overlapping spans have separate lanes, touching ones share one, points have none", () => {
    expect(
      lanesOf([
        { start: 4, end: 9 },
        { start: 0, end: 12 },
        { start: 12, end: 14 },
        { start: 5, end: 5 },
        { start: 4, end: 9 },
      ]),
    ).toEqual([1, 0, 0, 0, 2]);
  });

  test.each([1, 2, 3, 4, 5, 6])("no two spans of one lane overlap (seed %i)", (seed) => {
    const draw = seeded(seed);
    const spans = Array.from({ length: 40 }, () => {
      const start = draw(60);
      return { start, end: start + draw(12) };
    });
    const lanes = lanesOf(spans);
    spans.forEach((one, a) =>
      spans.forEach((other, b) => {
        if (a < b && lanes[a] === lanes[b] && one.start < one.end && other.start < other.end)
          expect(one.start >= other.end || other.start >= one.end).toBe(true);
      }),
    );
  });

  test.each(TEXTS)("%j: the pieces drawn are the text", (text, language) => {
    const units = cutUp(text, language);
    const next = seeded(units.length + 7);
    const spans = Array.from({ length: 12 }, () => span(next(units.length + 1), next(units.length + 1)));
    const drawing = draw(units, spans, "target", units.length > 2 ? { start: 1, end: 2 } : null);
    expect(drawing.units.flatMap(({ pieces }) => pieces.map((piece) => piece.text)).join("")).toBe(text);
    const holes = drawing.units
      .flatMap(({ before }) => before)
      .concat(drawing.after)
      .map(({ number }) => number);
    expect(holes.sort()).toEqual(spans.flatMap(({ start, end }, place) => (start === end ? [place + 1] : [])).sort());
  });
});

function span(a: number, b: number, part: Partial<Span> = {}): Span {
  return {
    side: "target",
    start: Math.min(a, b),
    end: Math.max(a, b),
    category: "accuracy/mistranslation",
    severity: "minor",
    note: "",
    ...part,
  };
}

const RULES: Rules = { choices: choicesOf(sampleCategories()), most: 4, mustConfirmNone: true };

describe("errors of a translation", () => {
  const item = sampleItem({
    slots: [
      { slot: "A", text: "Eins zwei drei." },
      { slot: "B", text: "Eins." },
    ],
  });

  test("no answer is not the same as no errors", () => {
    expect(answeredSpans(item, EMPTY_ANSWER, "A")).toBeNull();
    expect(answeredSpans(item, clean(EMPTY_ANSWER, "A"), "A")).toEqual([]);
    const one = add(item, EMPTY_ANSWER, "A", span(0, 4), RULES);
    expect(answeredSpans(item, remove(item, one, "A", 0, RULES), "A")).toBeNull();
    expect(answeredSpans(item, remove(item, one, "A", 0, { ...RULES, mustConfirmNone: false }), "A")).toEqual([]);
  });

  test("a category that annuls others takes the whole text alone, and then nothing can be added", () => {
    const two = add(item, add(item, EMPTY_ANSWER, "A", span(0, 4), RULES), "A", span(5, 9), RULES);
    const whole = add(
      item,
      two,
      "A",
      span(5, 9, { category: "non-translation", severity: "major", side: "source" }),
      RULES,
    );
    expect(answeredSpans(item, whole, "A")).toEqual([span(0, 15, { category: "non-translation", severity: "major" })]);
    expect(refusal(item, whole, "A", RULES)).toBe("annulled");
    expect(
      answeredSpans(item, put(item, two, "A", 1, span(5, 9, { category: "non-translation" }), RULES), "A"),
    ).toHaveLength(1);
  });

  test("no more than the campaign allows", () => {
    let answer: Answer = EMPTY_ANSWER;
    for (let turn = 0; turn < 4; turn += 1) answer = add(item, answer, "A", span(0, 4), RULES);
    expect(refusal(item, answer, "A", RULES)).toBe("full");
    expect(refusal(item, answer, "B", RULES)).toBe("");
    expect(refusal(item, answer, "A", { ...RULES, most: 0 })).toBe("");
  });

  test("suggested errors are there from the start, and keep their number", () => {
    const suggested = [{ slot: "A", suggestion: 1, side: "target" as const, start: 0, end: 4, severity: "major" }];
    const suggestedItem = sampleItem({ suggested });
    expect(answeredSpans(suggestedItem, EMPTY_ANSWER, "A")).toEqual([
      { side: "target", start: 0, end: 4, severity: "major", note: "", suggestion: 1 },
    ]);
    const changed = put(
      suggestedItem,
      EMPTY_ANSWER,
      "A",
      0,
      { ...answeredSpans(suggestedItem, EMPTY_ANSWER, "A")![0]!, end: 3 },
      { ...RULES, choices: [] },
    );
    expect(answeredSpans(suggestedItem, changed, "A")).toMatchObject([{ end: 3, suggestion: 1 }]);
  });

  test("the shortest error over a word is the one in focus", () => {
    expect(spansAt([span(0, 9), span(0, 4), span(2, 2), span(0, 4, { side: "source" })], "target", 0, 4)).toEqual([
      2, 1, 0,
    ]);
  });
});

describe("any sequence of actions", () => {
  const item = sampleItem({
    slots: [
      { slot: "A", text: "Eins zwei drei." },
      { slot: "B", text: "Eins." },
    ],
  });

  function act(answer: Answer, next: (below: number) => number): Answer {
    const slot = next(2) ? "A" : "B";
    const length = lengthOf(textOf(item, slot, "target"));
    const categories = ["accuracy/mistranslation", "accuracy/omission", "non-translation", "other"];
    const made = span(next(length + 1), next(length + 1), {
      category: categories[next(4)]!,
      severity: next(2) ? "major" : "neutral",
      note: next(2) ? "why" : "",
    });
    switch (next(5)) {
      case 0:
        return remove(item, answer, slot, next(4), RULES);
      case 1:
        return clean(answer, slot);
      case 2:
        return put(item, answer, slot, next(4), made, RULES);
      default:
        return refusal(item, answer, slot, RULES) ? answer : add(item, answer, slot, made, RULES);
    }
  }

  test.each(Array.from({ length: 25 }, (_, seed) => seed))(
    "undone step by step gives every state before, redone every state after (seed %i)",
    (seed) => {
      const next = seeded(seed);
      let state: State = {
        ...INITIAL,
        phase: "judging",
        items: [item],
        current: item.id,
        works: { [item.id]: { entered: EMPTY_ANSWER, submitted: null, revision: 0 } },
      };
      const entered = (now: State) => JSON.stringify(workOf(now, item.id).entered);
      const states = [entered(state)];
      for (let turn = 0; turn < 40; turn += 1) {
        state = change(state, { answer: act(workOf(state, item.id).entered, next), merge: "", typed: null }, turn);
        if (entered(state) !== states.at(-1)) states.push(entered(state));
      }
      expect(states.length).toBeGreaterThan(10);
      for (const before of states.slice(0, -1).reverse()) {
        state = undo(state);
        expect(entered(state)).toBe(before);
      }
      for (const after of states.slice(1)) {
        state = redo(state);
        expect(entered(state)).toBe(after);
      }
    },
  );

  test.each(Array.from({ length: 25 }, (_, seed) => seed))("leaves an answer within the rules (seed %i)", (seed) => {
    const next = seeded(1000 + seed);
    let answer: Answer = EMPTY_ANSWER;
    for (let turn = 0; turn < 60; turn += 1) {
      answer = act(answer, next);
      for (const { slot, text } of item.slots) {
        const spans = answeredSpans(item, answer, slot) ?? [];
        expect(spans.length).toBeLessThanOrEqual(RULES.most);
        for (const { start, end } of spans)
          expect(start >= 0 && start <= end && end <= lengthOf(text ?? "")).toBe(true);
        if (spans.some(({ category }) => category === "non-translation")) expect(spans).toHaveLength(1);
      }
    }
  });
});

describe("the typology", () => {
  const { choices } = RULES;

  test("offers what can be chosen, by its path", () => {
    expect(choices.map(({ path }) => path)).toEqual([
      "accuracy/mistranslation",
      "accuracy/omission",
      "style/awkward",
      "source-error",
      "other",
      "non-translation",
    ]);
  });

  test("matches the beginning of a word first, then its middle, then the group, ignoring accents", () => {
    expect(best(choices, "o")?.path).toBe("accuracy/omission");
    expect(matching(choices, "accu").map(({ name }) => name)).toEqual(["mistranslation", "omission"]);
    expect(matching(choices, "ÓMÍS").map(({ name }) => name)).toEqual(["omission"]);
    expect(best(choices, "")).toBeUndefined();
  });

  test("says what an error lacks: nothing is preselected", () => {
    expect(missingPart(choices, { category: "", severity: "", note: "" })).toBe("category");
    expect(missingPart(choices, { category: "other", severity: "", note: "" })).toBe("severity");
    expect(missingPart(choices, { category: "other", severity: "minor", note: " " })).toBe("note");
    expect(missingPart(choices, { category: "other", severity: "minor", note: "why" })).toBe("");
    expect(missingPart([], { category: "", severity: "minor", note: "" })).toBe("");
  });
});

describe("words quoted", () => {
  const around = (text: string, start: number) =>
    quoteOf(sampleItem({ slots: [{ slot: "A", text }] }), "A", {
      side: "target",
      start,
      end: start,
      severity: "minor",
      note: "",
    });

  test("are cut between letters, whatever these are made of", () => {
    expect(shortened(FAMILY.repeat(61))).toBe(`${FAMILY.repeat(60)}…`);
    expect(shortened(FAMILY.repeat(60))).toBe(FAMILY.repeat(60));
  });

  test("surround missing content; a mark shows what is cut", () => {
    expect(around(`${FAMILY.repeat(90)} ja`, 451)).toBe(`…${FAMILY.repeat(19)} ‸ja`);
    expect(around("Alles gut", 9)).toBe("Alles gut‸");
    expect(around("a".repeat(50), 25)).toBe(`…${"a".repeat(20)}‸${"a".repeat(20)}…`);
  });
});
