import { expect, test } from "vitest";

import { anchorsOf, correspondingTo, wordsOf } from "./pairing";

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
