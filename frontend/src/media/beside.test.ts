import { beforeEach, expect, test, vi } from "vitest";

import type { Medium } from "../workbench/api";
import type { PageData } from "../workbench/page";
import { INITIAL, type State } from "../workbench/state";
import { Beside } from "./beside";
import { clock } from "./player";

const PAGE = {
  catalogue: {},
  single_keys: true,
  source: { language: "en", name: "English", direction: "ltr" },
  urls: { media: "/assignments/1/media/" },
} as unknown as PageData;

function medium(file: string, kind: Medium["kind"], more: Partial<Medium> = {}): Medium {
  const size = { width: 4, height: 3, duration_ms: null };
  return { file, kind, type: "", alt: "", name: `${file}.x`, has_captions: false, of_document: true, ...size, ...more };
}

function at(current: string, media: Record<string, Medium[]>): State {
  const items = Object.entries(media).map(([id, beside]) => ({ id, media: beside }));
  return { ...INITIAL, phase: "judging", current, items: items as unknown as State["items"] };
}

let beside: Beside;

beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, "load").mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  beside = new Beside(PAGE);
  document.body.replaceChildren(beside.panel);
});

test("the panel shows what lies beside the current item, and nothing beside others", () => {
  const state = { a: [medium("v", "video")], b: [] };
  beside.follow(at("a", state));
  expect(beside.panel.hidden).toBe(false);
  expect(beside.panel.getAttribute("aria-label")).toBe("Video of this text");
  expect(beside.panel.querySelector("video")?.getAttribute("src")).toBe("/assignments/1/media/v");
  beside.follow(at("b", state));
  expect(beside.panel.hidden).toBe(true);
});

test("a player goes on where the next item has the same file", () => {
  const video = medium("v", "video");
  beside.follow(at("a", { a: [video], b: [video, medium("p", "picture")] }));
  const before = beside.panel.querySelector("video");
  beside.follow(at("b", { a: [video], b: [video, medium("p", "picture")] }));
  expect(beside.panel.querySelector("video")).toBe(before);
  expect(beside.panel.querySelectorAll("img")).toHaveLength(1);
});

test("what is shown to nobody any more stops", () => {
  beside.follow(at("a", { a: [medium("s", "audio")] }));
  beside.follow({ ...at("a", { a: [medium("s", "audio")] }), phase: "done" });
  expect(HTMLMediaElement.prototype.pause).toHaveBeenCalled();
});

test("P plays, but not from a text field, with Ctrl, or where single keys are off", () => {
  beside.follow(at("a", { a: [medium("s", "audio")] }));
  const press = (init: KeyboardEventInit, target: Element = document.body) => {
    const event = new KeyboardEvent("keydown", { cancelable: true, bubbles: true, ...init });
    Object.defineProperty(event, "target", { value: target });
    beside.press(event);
    return event.defaultPrevented;
  };
  expect(press({ key: "p" })).toBe(true);
  expect(HTMLMediaElement.prototype.play).toHaveBeenCalledTimes(1);
  expect(press({ key: "p" }, document.createElement("textarea"))).toBe(false);
  expect(press({ key: "p", ctrlKey: true })).toBe(false);
  expect(press({ key: "q" })).toBe(false);
});

test("a picture keeps the room of its size and is named by its description", () => {
  beside.follow(at("a", { a: [medium("p", "picture", { alt: "A quay" })] }));
  const image = beside.panel.querySelector("img")!;
  expect([image.width, image.height, image.alt]).toEqual([4, 3, "A quay"]);
  expect(beside.panel.querySelector("button")?.getAttribute("aria-label")).toBe("Show the picture large: A quay");
});

test("times are read as on a clock", () => {
  expect([0, 65.9, 600, 3_725].map(clock)).toEqual(["0:00", "1:05", "10:00", "62:05"]);
});
