import { describe, expect, test } from "vitest";

import { commandFor, isAltForProtocol, isForProtocol, type KeyPress, plainKey } from "./keys";

function press(key: string, part: Partial<KeyPress> = {}): KeyPress {
  return {
    key,
    code: "",
    control: false,
    alt: false,
    shift: false,
    repeat: false,
    composing: false,
    place: "page",
    ...part,
  };
}

const command = (key: string, part: Partial<KeyPress> = {}, singleKeys = true) =>
  commandFor(press(key, part), singleKeys);

describe("Enter", () => {
  test("submits from the page, but belongs to buttons and text fields", () => {
    expect(command("Enter")).toBe("submit");
    expect(command("Enter", { place: "button" })).toBeNull();
    expect(command("Enter", { place: "text" })).toBeNull();
  });

  test("with Ctrl submits everywhere outside of dialogs", () => {
    for (const place of ["page", "button", "text", "choice"] as const)
      expect(command("Enter", { place, control: true })).toBe("submit");
    expect(command("Enter", { place: "dialog", control: true })).toBeNull();
  });

  test("held down submits nothing", () => {
    expect(command("Enter", { repeat: true })).toBeNull();
  });
});

describe("the scheme", () => {
  test.each([
    ["ArrowLeft", { alt: true }, "back"],
    ["z", { control: true }, "undo"],
    ["Z", { control: true, shift: true }, "redo"],
    ["y", { control: true }, "redo"],
    ["ArrowUp", {}, "up"],
    ["ArrowDown", {}, "down"],
    ["f", {}, "report"],
    ["G", {}, "guidelines"],
    ["?", { shift: true }, "keys"],
  ] as const)("%s with %o is %s", (key, part, expected) => {
    expect(command(key, part)).toBe(expected);
  });

  test("a text field undoes for itself and keeps its letters", () => {
    expect(command("z", { control: true, place: "text" })).toBeNull();
    expect(command("g", { place: "text" })).toBeNull();
    expect(command("ArrowUp", { place: "text" })).toBeNull();
  });

  test("Alt and an arrow go back from a text too, except on a Mac, where they move by words", () => {
    expect(command("ArrowLeft", { alt: true, place: "text" })).toBe("back");
    expect(command("ArrowLeft", { alt: true, place: "text", isMac: true })).toBeNull();
    expect(command("ArrowLeft", { alt: true, isMac: true })).toBe("back");
  });

  test("no key is handled while an input method composes, or in a dialog", () => {
    expect(command("g", { composing: true })).toBeNull();
    expect(command("Enter", { composing: true, control: true })).toBeNull();
    expect(command("g", { place: "dialog" })).toBeNull();
    expect(isForProtocol(press("7", { composing: true }), true)).toBe(false);
  });
});

describe("single keys switched off", () => {
  test("letters, digits and ? do nothing", () => {
    for (const key of ["f", "g", "?"]) expect(command(key, {}, false)).toBeNull();
    expect(isForProtocol(press("7"), false)).toBe(false);
  });

  test("arrows, Enter and keys with Ctrl and Alt still work", () => {
    expect(isForProtocol(press("ArrowRight"), false)).toBe(true);
    expect(command("Enter", {}, false)).toBe("submit");
    expect(command("z", { control: true }, false)).toBe("undo");
    expect(command("ArrowLeft", { alt: true }, false)).toBe("back");
  });
});

test("the protocol has digits and arrows, not from text fields, arrows not from radios", () => {
  expect(isForProtocol(press("7"), true)).toBe(true);
  expect(isForProtocol(press("7", { place: "text" }), true)).toBe(false);
  expect(isForProtocol(press("7", { control: true }), true)).toBe(false);
  expect(isForProtocol(press("ArrowLeft", { place: "choice" }), true)).toBe(false);
});

test("digits of every script and letters of every layout are what they mean", () => {
  expect([..."٧۷७৭๗７7"].map((key) => plainKey({ key, code: "Digit7" }))).toEqual(Array(7).fill("7"));
  expect(plainKey({ key: "я", code: "KeyZ" })).toBe("z");
  expect(plainKey({ key: "ArrowLeft", code: "ArrowLeft" })).toBe("ArrowLeft");
});

test("Alt and a letter reach the protocol from within a text, whatever character the keyboard types", () => {
  expect(isAltForProtocol(press("n", { alt: true, place: "text" }))).toBe(true);
  expect(isAltForProtocol(press("n", { alt: true, place: "dialog" }))).toBe(false);
  expect(isAltForProtocol(press("n", { alt: true, control: true }))).toBe(false); // AltGr on some systems
  expect(plainKey({ key: "Dead", code: "KeyN" })).toBe("n");
  expect(plainKey({ key: "®", code: "KeyR" })).toBe("r");
});
