import { beforeEach, describe, expect, it } from "vitest";

import { segmentKey } from "./segments";

describe("keys of the page of segments", () => {
  beforeEach(() => {
    document.body.innerHTML = `<div data-found><a href="/">One</a></div><input type="text"><input type="checkbox">`;
  });

  function press(key: string, part: KeyboardEventInit = {}, on = "body", singleKeys = true) {
    let command = null;
    const take = (event: KeyboardEvent) => (command = segmentKey(event, singleKeys));
    document.addEventListener("keydown", take, { once: true });
    document.querySelector(on)?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...part }));
    return command;
  }

  it("go on and back by single letters, unless these are switched off", () => {
    expect(press("j")).toBe("next");
    expect(press("k", {}, "[type=checkbox]")).toBe("previous");
    expect(press("j", {}, "body", false)).toBeNull();
  });

  it("ignore what is typed, composed or meant for the browser", () => {
    expect(press("j", {}, "[type=text]")).toBeNull();
    expect(press("j", { isComposing: true })).toBeNull();
    expect(press("j", { ctrlKey: true })).toBeNull();
    expect(press("j", { altKey: true })).toBeNull();
  });

  it("move through the list by arrows where it has the focus, and let the page scroll elsewhere", () => {
    expect(press("ArrowDown")).toBeNull();
    expect(press("ArrowDown", {}, "a", false)).toBe("down");
    expect(press("ArrowUp", {}, "a", false)).toBe("up");
  });
});
