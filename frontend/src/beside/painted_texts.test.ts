/* Ranges of hits among what a row shows: numbers of errors and hidden marks are no part of the text. */

import { expect, test } from "vitest";

import type { Item } from "../workbench/api";
import { sampleItem } from "../testing/sample_task";
import { rangesOf, textsIn } from "./painted_texts";

const RAW = "<p>Ihr 🥐-Korb, {n}.</p>";

function item(): Item {
  const term = { term: "basket", required: ["Korb"], forbidden: [], note: "" };
  return sampleItem({
    source: "Your basket, {n}.",
    slots: [
      { slot: "A", text: RAW },
      { slot: "B", text: RAW },
    ],
    beside: {
      codes: { A: [{ kind: "code", start: 15, end: 18 }] },
      lost: {},
      terms: [
        {
          term,
          source: [[5, 11]],
          outputs: [
            { required: [[9, 13]], forbidden: [] },
            { required: [], forbidden: [[9, 13]] },
          ],
        },
      ],
    },
  });
}

test("a text is found by its words, an equal one in the order of the slots", () => {
  const row = document.createElement("li");
  row.innerHTML =
    '<p class="read">Your basket, {n}.</p>' +
    '<p class="read">Ihr <i aria-hidden="true"><b>1</b></i>🥐-<mark>Ko</mark>rb, {n}.</p>' +
    '<p class="read">Ihr 🥐-Korb, {n}.<span class="tg">missing</span></p>' +
    '<p class="read">Another text</p>';
  const texts = textsIn(row, item());
  expect(texts.map(({ slot }) => slot)).toEqual(["", "A", "B"]);
  const found = texts.map((text) => rangesOf(item(), text).map(([look, range]) => [look, range.toString()]));
  expect(found[0]).toEqual([["term", "basket"]]);
  expect(found[1]).toEqual([
    ["code", "{n}"],
    ["required", "Korb"],
  ]);
  expect(found[2]).toEqual([["forbidden", "Korb"]]);
});
