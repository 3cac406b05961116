import { expect, test } from "vitest";

import { alignedTo, anchorsOf, correspondingTo, tokensOf, wordsOf } from "./pairing";
import { visible } from "../workbench/markup";

function pairs(source: string, target: string, word: string, languages = ["en", "de"]): string[] {
  const [from, to] = [wordsOf(source, languages[0]!), wordsOf(target, languages[1]!)];
  const own = from.find(({ text }) => text === word)!;
  return correspondingTo(own, from, to, [source.length, target.length]).map(({ text }) => text);
}

test("words of a script without spaces are words too", () => {
  expect(wordsOf("夜市搬走了", "zh").length).toBeGreaterThan(1);
  expect(wordsOf("All is well.", "en").map(({ text }) => text)).toEqual(["All", "is", "well"]);
});

test("the same place by proportion", () => {
  expect(pairs("one two three four", "eins zwei drei vier", "three")).toEqual(["drei"]);
  expect(pairs("one two three four", "eins zwei drei vier", "one")).toEqual(["eins"]);
  expect(pairs("well", "alles gut und schön", "well")).toEqual(["alles", "gut", "und", "schön"]);
});

test("what stands in both as it is holds the rest in place", () => {
  const [source, target] = [
    "The train of 7.15 to Lyon is late",
    "Verspätet ist heute leider der Zug um 7.15 nach Lyon",
  ];
  expect(pairs(source, target, "Lyon")).toEqual(["Lyon"]);
  expect(pairs(source, target, "to")).toEqual(["nach"]);
  expect(pairs(source, target, "late")).toEqual([]);
});

test("anchors that cross are not all kept", () => {
  const [from, to] = ["Anna saw 1999 Berlin and 2001", "2001 Anna 1999 Berlin"].map((text) => wordsOf(text, "en"));
  expect(anchorsOf(from!, to!).map(([{ text }]) => text)).toEqual(["Anna", "1999", "Berlin"]);
});

test("a text without words corresponds to nothing", () => {
  expect(pairs("All is well", "", "is")).toEqual([]);
  expect(pairs("All is well", "…", "is")).toEqual([]);
});

function aligned(source: string, target: string, alignment: string, word: string, side: "source" | "translation") {
  const [from, to] = side === "source" ? [source, target] : [target, source];
  const start = from.indexOf(word);
  const found = alignedTo({ start, end: start + word.length }, alignment, [source, target], side);
  return found.map((each) => to.slice(each.start, each.end));
}

test("an alignment says it from both sides", () => {
  const texts = ["He gave it up.", "Er hat es  aufgegeben."] as const;
  const alignment = "0-0 1-3 3-3 3-1 2-2";
  expect(aligned(...texts, alignment, "up", "source")).toEqual(["hat", "aufgegeben."]);
  expect(aligned(...texts, alignment, "aufgegeben", "translation")).toEqual(["gave", "up."]);
  expect(aligned(...texts, "0-0", "up", "source")).toEqual([]);
  expect(aligned(...texts, "", "up", "source")).toEqual([]);
});

test("tokens are parted by any white space, and what is not shown takes no place", () => {
  const text = "<p>🙂\u00a0a\u3000\ufeffb\n</p> <p>c\u0085d";
  const shown = visible(text);
  const tokens = tokensOf(text).map(({ start, end }) => shown.slice(start, end));
  expect(tokens).toEqual(["🙂", "a", "\ufeffb", "", "c", "d"]);
});
