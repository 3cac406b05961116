/* Folders that are dropped: all files below them, without what file managers add. */

import { expect, test } from "vitest";
import { filesIn, pathOf } from "./uploads";

function file(name: string): File {
  return new File(["x"], name);
}

function entryOf(one: File, fullPath = ""): FileSystemEntry {
  return { isFile: true, isDirectory: false, fullPath, file: (done: (one: File) => void) => done(one) } as never;
}

function folderOf(...portions: FileSystemEntry[][]): FileSystemEntry {
  const left = [...portions, []];
  const reader = { readEntries: (done: (each: FileSystemEntry[]) => void) => done(left.shift() ?? []) };
  return { isFile: false, isDirectory: true, createReader: () => reader } as never;
}

function dropped(files: File[], ...entries: FileSystemEntry[]): Parameters<typeof filesIn>[0] {
  return { files, items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) } as never;
}

test("files of a folder come in all portions, with those of folders within", async () => {
  const inner = folderOf([entryOf(file("Heron.jsonl"))]);
  const folder = folderOf([entryOf(file("set.jsonl")), entryOf(file(".DS_Store"))], [inner]);
  const files = await filesIn(dropped([], folder));
  expect(files.map((each) => each.name)).toEqual(["set.jsonl", "Heron.jsonl"]);
});

test("files alone are sent as they are", async () => {
  const files = [file("a.csv"), file("b.csv")];
  expect(await filesIn(dropped(files, ...files.map((each) => entryOf(each))))).toEqual(files);
});

test("scores of metrics, of which a folder has hundreds, are not sent", async () => {
  const text = entryOf(file("en-de.txt"), "/wmt23/sources/en-de.txt");
  const score = entryOf(file("BLEU-refA.seg.score"), "/wmt23/metric-scores/en-de/BLEU-refA.seg.score");
  const files = await filesIn(dropped([], folderOf([text, score])));
  expect(files.map((each) => each.name)).toEqual(["en-de.txt"]);
});

test("a file of a folder is sent with its place in it", async () => {
  const [found] = await filesIn(dropped([], folderOf([entryOf(file("en-de.txt"), "/wmt23/sources/en-de.txt")])));
  expect(pathOf(found!)).toBe("/wmt23/sources/en-de.txt");
});
