import { afterEach, beforeEach, expect, test } from "vitest";

import {
  type Changeable,
  changeableIn,
  fitting,
  LEFT_HAND,
  meaningOf,
  refusalOf,
  RIGHT_HAND,
  translateKey,
} from "./own_keys";

const ALL: Changeable[] = [
  { cap: "→", does: "Next word" },
  { cap: "N", does: "No errors" },
  { cap: "G", does: "Guidelines" },
  { cap: "Enter", does: "Submit" },
];
const key = (name: string, init: Partial<KeyboardEventInit> = {}) =>
  new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...init });
let heard: string[];
const listen = (event: KeyboardEvent) => void heard.push(`${event.altKey ? "Alt " : ""}${event.key}`);

beforeEach(() => {
  heard = [];
  document.body.innerHTML = "<p tabindex=0></p><textarea></textarea><button>Go on</button>";
  document.addEventListener("keydown", listen);
});
afterEach(() => document.removeEventListener("keydown", listen));

function press(
  name: string,
  own: Record<string, string>,
  init: KeyboardEventInit = {},
  on = "p",
  single = true,
): string[] {
  heard = [];
  const translate = (event: KeyboardEvent) => translateKey(event, ALL, own, single);
  window.addEventListener("keydown", translate, { capture: true });
  document.querySelector(on)!.dispatchEvent(key(name, init));
  window.removeEventListener("keydown", translate, { capture: true });
  return heard;
}

test("single keys can be changed; what types scores, and what needs Ctrl, cannot", () => {
  const hints = [
    { keys: ["←", "→"], does: "Word" },
    { keys: ["Shift", "→"], does: "Extend" },
    { keys: ["7", "4"], does: "Type a score" },
    { keys: ["Ctrl", "Z"], does: "Undo" },
    { keys: ["Alt", "N"], does: "No edit" },
    { keys: ["1", "…", "5"], does: "Rank" },
    { keys: ["Tab"], does: "Other question" },
    { keys: ["Del"], does: "Delete" },
  ];
  expect(changeableIn(hints).map(({ cap, does }) => `${cap} ${does}`)).toEqual([
    "← Word",
    "→ Word",
    "Del Delete",
    "N No edit",
  ]);
});

test.each([
  [key("n"), "“N” already does something: No errors. Change that first."],
  [key("7"), "Digits are for scores, ranks and severities."],
  [key("٧"), "Digits are for scores, ranks and severities."],
  [key("l", { ctrlKey: true }), "Press one key, without Ctrl, Alt or Cmd: these belong to the browser."],
  [key("F5"), "The browser or the text needs this key. Choose a letter, a sign or an arrow."],
  [key("Tab"), "The browser or the text needs this key. Choose a letter, a sign or an arrow."],
  [key("g"), ""],
  [key("ö"), ""],
])("a key that cannot be taken says why: %#", (event, words) => expect(refusalOf(event, "G", ALL, {})).toBe(words));

test("a key that was given up is free for others", () => {
  expect(refusalOf(key("n"), "G", ALL, { N: "X" })).toBe("");
  expect(refusalOf(key("x"), "G", ALL, { N: "X" })).toContain("No errors");
});

test("what is pressed becomes what is meant, and a key that was moved away does nothing", () => {
  const own = { G: "L", N: "G" };
  expect([press("l", own), press("g", own), press("n", own), press("x", own)]).toEqual([["g"], ["n"], [], ["x"]]);
  expect(press("ArrowRight", { "→": "D" })).toEqual([]);
  expect([press("d", { "→": "D" }, { altKey: true }), press("Q", { N: "Q" }, { shiftKey: true })]).toEqual([
    ["Alt ArrowRight"],
    ["n"],
  ]);
});

test("in a text, with Ctrl, while composing, and with single keys off a key is as it is", () => {
  const own = { G: "L" };
  expect(press("l", own, {}, "textarea")).toEqual(["l"]);
  expect(press("l", own, { altKey: true }, "textarea")).toEqual(["Alt g"]);
  expect(press("l", own, { ctrlKey: true })).toEqual(["l"]);
  expect(press("l", own, { isComposing: true })).toEqual(["l"]);
  expect(press("l", own, {}, "p", false)).toEqual(["l"]);
});

test("the key for Enter presses the button in focus, as Enter does", () => {
  let presses = 0;
  document.querySelector("button")!.onclick = () => (presses += 1);
  expect(press("e", { Enter: "E" }, {}, "button")).toEqual(["Enter"]);
  expect(presses).toBe(1);
});

test("a set for one hand leaves out what would collide on this desk", () => {
  const desk = [...ALL, { cap: "D", does: "Differences" }, { cap: "E", does: "Everything" }];
  const own = fitting(LEFT_HAND, desk);
  expect(own).toEqual({ "→": "D", N: "Q", D: "C" });
  const pressed = desk.map(({ cap }) => own[cap as keyof typeof own] ?? cap);
  expect(new Set(pressed).size).toBe(pressed.length);
  expect(fitting(RIGHT_HAND, ALL)).toEqual({ G: "L" });
});

test("a key given back to itself means itself", () => expect(meaningOf("G", ALL, { G: "G" })).toBeNull());
