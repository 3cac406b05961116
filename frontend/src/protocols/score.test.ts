import { describe, expect, test } from "vitest";

import type { Typed } from "../workbench/state";
import { keyScore } from "./score";

function type(keys: [key: string, at: number][], from: Typed | null = null): (number | undefined)[] {
  let typed = from;
  return keys.map(([key, at]) => {
    const keyed = keyScore({ key, shift: false, slot: null, at }, "A", null, typed);
    typed = keyed?.typed ?? null;
    return keyed?.score;
  });
}

const step = (key: string, score: number | null, shift = false) =>
  keyScore({ key, shift, slot: null, at: 0 }, "A", score, null)?.score;

describe("typed digits", () => {
  test("7 and 4 are 74, 1 0 0 are 100", () => {
    expect(
      type([
        ["7", 0],
        ["4", 400],
      ]),
    ).toEqual([7, 74]);
    expect(
      type([
        ["1", 0],
        ["0", 400],
        ["0", 800],
      ]),
    ).toEqual([1, 10, 100]);
  });

  test("a pause of a second and a half starts anew", () => {
    expect(
      type([
        ["7", 0],
        ["4", 1500],
      ]),
    ).toEqual([7, 4]);
    expect(
      type([
        ["7", 0],
        ["4", 1499],
      ]),
    ).toEqual([7, 74]);
  });

  test("a digit that would lead beyond 100 starts anew", () => {
    expect(
      type([
        ["7", 0],
        ["4", 100],
        ["5", 200],
      ]),
    ).toEqual([7, 74, 5]);
    expect(
      type([
        ["1", 0],
        ["0", 100],
        ["1", 200],
      ]),
    ).toEqual([1, 10, 1]);
  });

  test("a leading zero is a zero", () => {
    expect(
      type([
        ["0", 0],
        ["7", 100],
      ]),
    ).toEqual([0, 7]);
  });

  test("another slot starts anew", () => {
    expect(type([["4", 100]], { text: "7", slot: "B", at: 0 })).toEqual([4]);
  });
});

describe("steps", () => {
  test("arrows move by one, with Shift by ten, and stop at the ends", () => {
    expect([step("ArrowRight", 62), step("ArrowLeft", 62)]).toEqual([63, 61]);
    expect([step("ArrowRight", 62, true), step("ArrowLeft", 62, true)]).toEqual([72, 52]);
    expect([step("ArrowRight", 100), step("ArrowLeft", 4, true)]).toEqual([100, 0]);
    expect([step("Home", 62), step("End", 62), step("PageUp", 62), step("PageDown", 62)]).toEqual([0, 100, 72, 52]);
  });

  test("before the first answer they start in the middle", () => {
    expect(step("ArrowRight", null)).toBe(51);
  });

  test("other keys do nothing", () => {
    expect(step("x", 62)).toBeUndefined();
    expect(step("Enter", 62)).toBeUndefined();
  });
});
