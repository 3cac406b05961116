import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { type Answer, EMPTY_ANSWER } from "../workbench/api";
import { DOCK, sampleItem } from "../testing/sample_task";
import { directAssessment, likert } from "../testing/sample_protocols";
import type { Protocol } from "./protocol";

const pair = sampleItem({
  slots: [
    { slot: "A", text: "Eins." },
    { slot: "B", text: "Ein." },
  ],
});
const answerWith = (slots: Answer["slots"]): Answer => ({ slots, comment: "", cannot_judge: null });
const scales = likert({ systems_per_screen: 2 });
const sliders = directAssessment({ systems_per_screen: 2 });

let root: HTMLElement;
beforeEach(() => {
  document.body.innerHTML = "<div></div>";
  root = document.body.firstElementChild as HTMLElement;
});

function show({ Texts = () => null, Control }: Protocol, answer = EMPTY_ANSWER, isCurrent = true) {
  const props = { ...DOCK, item: pair, answer, change: vi.fn() };
  act(() =>
    render(
      <>
        <Texts {...props} isCurrent={isCurrent} />
        <div id="dock">
          <Control {...props} />
        </div>
      </>,
      root,
    ),
  );
}

/** Whether the key reaches the page. */
function press(id: string, key: string): boolean {
  const heard = vi.fn();
  root.addEventListener("keydown", heard, { once: true });
  const element = document.getElementById(id);
  element?.focus();
  element?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  root.removeEventListener("keydown", heard);
  return heard.mock.calls.length > 0;
}

const focused = () => document.activeElement?.id;

test("each translation has its own controls, and the dock explains the marks", () => {
  show(scales, answerWith({ A: { adequacy: 4 } }));
  expect([...root.querySelectorAll("[role=group]")].map((group) => group.getAttribute("aria-label"))).toEqual([
    "Translation A",
    "Translation B",
  ]);
  expect([...root.querySelectorAll("legend")].map((legend) => legend.textContent)).toEqual([
    "Adequacymost meaning",
    "FluencyGerman alone",
    "AdequacyMeaning kept",
    "FluencyGerman alone",
  ]);
  expect(new Set([...root.querySelectorAll("input")].map(({ name }) => name)).size).toBe(4);
  expect(root.querySelector("#dock .key")?.textContent).toBe(
    "1: incomprehensible, 2: disfluent, 3: non-native, 4: good, 5: flawless",
  );
  expect(root.querySelector("#dock .order")?.textContent).toBe("to judge: A, B");
});

test("other items show only source or reference, unless the whole document is judged too", () => {
  show(scales, EMPTY_ANSWER, false);
  expect(root.querySelector("ol, .ranks")).toBeNull();
  expect(root.textContent).not.toContain("Eins.");
  show(directAssessment({ systems_per_screen: 2, document_scores: true }), EMPTY_ANSWER, false);
  expect(root.textContent).toContain("Eins.");
});

test("an item with a reason for not judging has no controls", () => {
  show(sliders, { ...EMPTY_ANSWER, cannot_judge: "other" });
  expect(root.querySelector(".ranks input")).toBeNull();
});

describe("keys", () => {
  test("up and down move to the same question of another translation; at the ends they belong to the page", () => {
    show(scales);
    expect(press("scale-A-fluency-1", "ArrowDown")).toBe(false);
    expect(focused()).toBe("scale-B-fluency-1");
    expect(press("scale-B-fluency-1", "ArrowUp")).toBe(false);
    expect(focused()).toBe("scale-A-fluency-1");
    expect(press("scale-A-fluency-1", "ArrowUp")).toBe(true);
  });

  test("Enter on a scored translation moves to the one without a score, then belongs to the page", () => {
    show(sliders, answerWith({ A: { score: 70 } }));
    expect(press("score-A", "Enter")).toBe(false);
    expect(focused()).toBe("score-B");
    expect(press("score-B", "Enter")).toBe(true);
    show(sliders, answerWith({ A: { score: 70 }, B: { score: 60 } }));
    expect(press("score-A", "Enter")).toBe(true);
  });
});
