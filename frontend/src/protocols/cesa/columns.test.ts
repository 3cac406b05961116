import { expect, test } from "vitest";

import { sampleItem } from "../../testing/sample_task";
import { cellAt, cellName, cellsOf, columnCount, drawnCells, sameWords } from "./columns";

const apart = sampleItem({
  slots: [
    { slot: "A", text: "gleich", columns: [1, 3] },
    { slot: "B", text: "anders", columns: [2] },
  ],
});
const together = sampleItem({
  slots: [
    { slot: "A", text: "anders", columns: [1] },
    { slot: "B", text: "gleich", columns: [2, 3] },
  ],
});

test("equal translations side by side are one cell across their columns", () => {
  expect(drawnCells(together, 3)).toMatchObject([
    { kind: "cell", column: 1, span: 1 },
    { kind: "cell", column: 2, span: 2 },
  ]);
  expect(sameWords(cellsOf(together)[1]!)).toBe("B and C are the same");
});

test("equal translations apart are a cell and a reference to it", () => {
  expect(drawnCells(apart, 3).map(({ kind }) => kind)).toEqual(["cell", "cell", "same"]);
  expect(cellName(cellsOf(apart)[0]!)).toBe("A and C");
});

test("a column without a translation stays empty", () => {
  const gap = sampleItem({ slots: [{ slot: "A", text: "Eins.", columns: [2] }] });
  expect(drawnCells(gap, 2).map(({ kind }) => kind)).toEqual(["none", "cell"]);
  expect(cellAt(cellsOf(gap), 1)?.slot).toBe("A");
});

test("a page without columns has a slot in each", () => {
  const plain = sampleItem({
    slots: [
      { slot: "A", text: "Eins." },
      { slot: "B", text: "Ein." },
    ],
  });
  expect(columnCount([plain])).toBe(2);
  expect(cellAt(cellsOf(plain), 2)?.slot).toBe("B");
});
