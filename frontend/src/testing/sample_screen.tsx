/* For tests of marking: a screen with texts to mark, and functions that mark them. */

import { render } from "preact";
import { act } from "preact/test-utils";

import { type Answer, EMPTY_ANSWER, type Item } from "../workbench/api";
import { sampleItem, samplePageData } from "./sample_task";
import type { Change, Protocol } from "../protocols/protocol";
import type { Span } from "../protocols/spans/span";

export const ITEM = sampleItem({ source: "All is well.", slots: [{ slot: "A", text: "Alles ist gut." }] });
export const PAIR = sampleItem({
  id: "pair",
  source: "All is well.",
  slots: [
    { slot: "A", text: "Alles gut." },
    { slot: "B", text: "Gut." },
  ],
});

/** A screen and the answer entered on it. */
export const screen = { root: document.body, answer: EMPTY_ANSWER };

export function clear(): void {
  sessionStorage.clear();
  document.body.innerHTML = "<main></main>";
  screen.root = document.querySelector("main")!;
  screen.answer = EMPTY_ANSWER;
}

/** The item's texts; what is entered is drawn at once, as on the page. */
export function show(protocol: Protocol, item: Item = ITEM): void {
  const change = (made: Change) => {
    screen.answer = made.answer;
    draw();
  };
  const draw = () => {
    const Texts = protocol.Texts!;
    render(<Texts item={item} answer={screen.answer} isCurrent page={samplePageData()} change={change} />, screen.root);
  };
  act(draw);
}

export const words = (side = "target", slot = "A"): HTMLElement[] => [
  ...screen.root.querySelectorAll<HTMLElement>(`[data-side=${side}][data-slot=${slot}] [role=option]`),
];
export const spans = (slot = "A"): Span[] => (screen.answer.slots[slot]?.spans ?? []) as Span[];

export function press(element: Element | null | undefined, key: string, part: KeyboardEventInit = {}): void {
  act(
    () => void element?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...part })),
  );
}

export function focus(element: HTMLElement | undefined): void {
  act(() => element?.focus());
}

export function type(words: string): void {
  const field = screen.root.querySelector<HTMLInputElement>("#category")!;
  field.value = words;
  act(() => void field.dispatchEvent(new InputEvent("input", { bubbles: true })));
}

export const field = () => screen.root.querySelector("#category");
export const marked = (start: number, end: number, part: Partial<Span> = {}): Span => ({
  side: "target",
  start,
  end,
  category: "accuracy/mistranslation",
  severity: "major",
  note: "",
  ...part,
});
export const answerWith = (...all: Span[]): Answer => ({ ...EMPTY_ANSWER, slots: { A: { spans: all } } });
