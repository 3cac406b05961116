import { describe, expect, test, vi } from "vitest";

import { commandFor, isAltForProtocol, isForProtocol, type Place, plainKey } from "./keys";

const press = (key: string, init: KeyboardEventInit = {}) => new KeyboardEvent("keydown", { key, ...init });

const command = (
  key: string,
  { place = "page", ...init }: KeyboardEventInit & { place?: Place } = {},
  singleKeys = true,
) => commandFor(press(key, init), place, singleKeys);

describe("Enter", () => {
  test("submits from the page, but belongs to buttons and text fields", () => {
    expect(command("Enter")).toBe("submit");
    expect(command("Enter", { place: "button" })).toBeNull();
    expect(command("Enter", { place: "text" })).toBeNull();
  });

  test("with Ctrl submits everywhere outside of dialogs", () => {
    for (const place of ["page", "button", "text", "choice"] as const)
      expect(command("Enter", { place, ctrlKey: true })).toBe("submit");
    expect(command("Enter", { place: "dialog", ctrlKey: true })).toBeNull();
  });

  test("held down submits nothing", () => {
    expect(command("Enter", { repeat: true })).toBeNull();
  });
});

describe("the scheme", () => {
  test.each([
    ["ArrowLeft", { altKey: true }, "back"],
    ["z", { ctrlKey: true }, "undo"],
    ["Z", { ctrlKey: true, shiftKey: true }, "redo"],
    ["y", { ctrlKey: true }, "redo"],
    ["ArrowUp", {}, "up"],
    ["ArrowDown", {}, "down"],
    ["f", {}, "report"],
    ["G", {}, "guidelines"],
    ["?", { shiftKey: true }, "keys"],
  ] as const)("%s with %o is %s", (key, part, expected) => {
    expect(command(key, part)).toBe(expected);
  });

  test("a text field undoes for itself and keeps its letters", () => {
    expect(command("z", { ctrlKey: true, place: "text" })).toBeNull();
    expect(command("g", { place: "text" })).toBeNull();
    expect(command("ArrowUp", { place: "text" })).toBeNull();
  });

  test("Alt and an arrow go back from a text too, except on a Mac, where they move by words", () => {
    expect(command("ArrowLeft", { altKey: true, place: "text" })).toBe("back");
    const platform = vi.spyOn(navigator, "platform", "get").mockReturnValue("MacIntel");
    expect(command("ArrowLeft", { altKey: true, place: "text" })).toBeNull();
    expect(command("ArrowLeft", { altKey: true })).toBe("back");
    platform.mockRestore();
  });

  test("no key is handled while an input method composes, or in a dialog", () => {
    expect(command("g", { isComposing: true })).toBeNull();
    expect(command("Enter", { isComposing: true, ctrlKey: true })).toBeNull();
    expect(command("g", { place: "dialog" })).toBeNull();
    expect(isForProtocol(press("7", { isComposing: true }), "page", true)).toBe(false);
  });
});

describe("single keys switched off", () => {
  test("letters, digits and ? do nothing", () => {
    for (const key of ["f", "g", "?"]) expect(command(key, {}, false)).toBeNull();
    expect(isForProtocol(press("7"), "page", false)).toBe(false);
  });

  test("arrows, Enter and keys with Ctrl and Alt still work", () => {
    expect(isForProtocol(press("ArrowRight"), "page", false)).toBe(true);
    expect(command("Enter", {}, false)).toBe("submit");
    expect(command("z", { ctrlKey: true }, false)).toBe("undo");
    expect(command("ArrowLeft", { altKey: true }, false)).toBe("back");
  });
});

test("the protocol has digits and arrows, not from text fields, arrows not from radios", () => {
  expect(isForProtocol(press("7"), "page", true)).toBe(true);
  expect(isForProtocol(press("7"), "text", true)).toBe(false);
  expect(isForProtocol(press("7", { ctrlKey: true }), "page", true)).toBe(false);
  expect(isForProtocol(press("ArrowLeft"), "choice", true)).toBe(false);
});

test("digits of every script and letters of every layout are what they mean", () => {
  expect([..."٧۷७৭๗７7"].map((key) => plainKey({ key, code: "Digit7" }))).toEqual(Array(7).fill("7"));
  expect(plainKey({ key: "я", code: "KeyZ" })).toBe("z");
  expect(plainKey({ key: "ArrowLeft", code: "ArrowLeft" })).toBe("ArrowLeft");
});

test("Alt and a letter reach the protocol from within a text, whatever character the keyboard types", () => {
  expect(isAltForProtocol(press("n", { altKey: true }), "text")).toBe(true);
  expect(isAltForProtocol(press("n", { altKey: true }), "dialog")).toBe(false);
  expect(isAltForProtocol(press("n", { altKey: true, ctrlKey: true }), "page")).toBe(false); // AltGr on some systems
  expect(plainKey({ key: "Dead", code: "KeyN" })).toBe("n");
  expect(plainKey({ key: "®", code: "KeyR" })).toBe("r");
});
