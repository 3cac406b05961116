import { describe, expect, it } from "vitest";

import { segmentKey } from "./segments";

const press = { key: "j", isModified: false, isComposing: false, isInField: false, isInList: false };

describe("keys of the page of segments", () => {
  it("go on and back by single letters, unless these are switched off", () => {
    expect(segmentKey(press, true)).toBe("next");
    expect(segmentKey({ ...press, key: "k" }, true)).toBe("previous");
    expect(segmentKey(press, false)).toBeNull();
  });

  it("ignore what is typed, composed or meant for the browser", () => {
    expect(segmentKey({ ...press, isInField: true }, true)).toBeNull();
    expect(segmentKey({ ...press, isComposing: true }, true)).toBeNull();
    expect(segmentKey({ ...press, isModified: true }, true)).toBeNull();
  });

  it("move through the list by arrows where it has the focus, and let the page scroll elsewhere", () => {
    expect(segmentKey({ ...press, key: "ArrowDown" }, true)).toBeNull();
    expect(segmentKey({ ...press, key: "ArrowDown", isInList: true }, false)).toBe("down");
    expect(segmentKey({ ...press, key: "ArrowUp", isInList: true }, false)).toBe("up");
  });
});
