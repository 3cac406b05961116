/* Ranges of a text on the page, painted by the browser's highlights: not an element more, and nothing to undo. */

import type { Item } from "../workbench/api";
import { pointsShown, visible } from "../workbench/markup";

export const LOOKS = ["term", "required", "forbidden", "code", "key"] as const;
export type Look = (typeof LOOKS)[number];

interface Painted {
  readonly look: Look;
  readonly start: number;
  readonly end: number;
}

/** A text of the item on the page: the source is under the empty slot. */
export interface ShownText {
  readonly slot: string;
  readonly text: string;
  readonly nodes: readonly Text[];
  readonly element: HTMLElement;
}

/** Half-open, in code points of the whole text. */
export function paintedIn(item: Item, slot: string): Painted[] {
  const { beside } = item;
  if (!beside) return [];
  const place = item.slots.findIndex((each) => each.slot === slot);
  const codes = (beside.codes[slot] ?? []).map(({ kind, start, end }): Painted => ({
    look: kind === "key" ? "key" : "code",
    start,
    end,
  }));
  const ranges = (look: Look, pairs: readonly number[][] = []) =>
    pairs.map(([start = 0, end = 0]): Painted => ({ look, start, end }));
  const terms = beside.terms.flatMap(({ source, outputs }) =>
    slot === ""
      ? ranges("term", source)
      : [...ranges("required", outputs[place]?.required), ...ranges("forbidden", outputs[place]?.forbidden)],
  );
  return [...codes, ...terms];
}

/** The texts of an item in its row: told by their words, for every protocol arranges them in its own way. */
export function textsIn(row: Element, item: Item): ShownText[] {
  const open = new Map([["", item.source ?? ""], ...item.slots.map(({ slot, text }) => [slot, text ?? ""] as const)]);
  return [...row.querySelectorAll<HTMLElement>(".read")].flatMap((element) => {
    const nodes = nodesOf(element);
    const words = nodes.map(({ data }) => data).join("");
    const found = [...open].find(([, text]) => text && visible(text) === words);
    if (!found) return [];
    const [slot, text] = found;
    if (slot) open.delete(slot); // two equal outputs, each in its place
    return [{ slot, text, nodes, element }];
  });
}

/** Numbers of errors, tags and hints are no part of the text. */
function nodesOf(element: HTMLElement): Text[] {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest("[aria-hidden], .tg, .no-output, .vh")
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  const nodes: Text[] = [];
  while (walk.nextNode()) nodes.push(walk.currentNode as Text);
  return nodes;
}

export function rangesOf(item: Item, { slot, text, nodes }: ShownText): [Look, Range][] {
  const painted = paintedIn(item, slot);
  if (painted.length === 0) return [];
  const points = pointsShown(text);
  const starts = startsOf(nodes);
  return painted.flatMap(({ look, start, end }) => {
    const from = unitAt(points, start);
    const to = unitAt(points, end);
    const range = from < to ? rangeBetween(starts, from, to) : null;
    return range ? [[look, range] as [Look, Range]] : [];
  });
}

/** UTF-16 units shown before a place. */
function unitAt(points: readonly string[], place: number): number {
  return points.slice(0, place).join("").length;
}

function startsOf(nodes: readonly Text[]): { node: Text; start: number }[] {
  let start = 0;
  return nodes.map((node) => {
    const own = { node, start };
    start += node.length;
    return own;
  });
}

/** Half-open, in UTF-16 units of what the nodes show together. */
export function rangeIn(nodes: readonly Text[], from: number, to: number): Range | null {
  return rangeBetween(startsOf(nodes), from, to);
}

function rangeBetween(nodes: readonly { node: Text; start: number }[], from: number, to: number): Range | null {
  const first = nodes.find(({ node, start }) => from < start + node.length);
  const last = nodes.find(({ node, start }) => to <= start + node.length);
  if (!first || !last) return null;
  const range = document.createRange();
  range.setStart(first.node, from - first.start);
  range.setEnd(last.node, to - last.start);
  return range;
}

/** Nothing in browsers that cannot; the list of terms says it in words. */
export function paint(ranges: readonly [Look, Range][]): void {
  if (!("highlights" in CSS) || typeof Highlight === "undefined") return;
  LOOKS.forEach((look, priority) => {
    const own = ranges.filter(([kind]) => kind === look).map(([, range]) => range);
    const highlight = new Highlight(...own);
    highlight.priority = priority;
    if (own.length) CSS.highlights.set(`beside-${look}`, highlight);
    else CSS.highlights.delete(`beside-${look}`);
  });
}
