/* What of a text lies under the pointer: a word, a letter of it, or the gap between two. */

import type { Cell, TextUnits, Unit } from "./text_units";

export interface Pointed {
  readonly cell: Cell;
  readonly isGap: boolean;
}

export function pointedAt(list: HTMLElement, event: MouseEvent, units: TextUnits, byLetters: boolean): Pointed | null {
  const root = list.ownerDocument;
  const under =
    root.elementFromPoint?.(event.clientX, event.clientY) ?? (event.target instanceof Element ? event.target : null);
  const piece = under?.closest<HTMLElement>("[data-at]");
  const unit =
    piece && list.contains(piece) ? units.units.find(({ start }) => start === Number(piece.dataset.at)) : undefined;
  if (!piece || !unit) return null;
  if (unit.isSpace) return { cell: { start: unit.end, end: unit.end }, isGap: true };
  return { cell: byLetters ? letterUnder(piece, unit, units, event) : unit, isGap: false };
}

function letterUnder(piece: HTMLElement, unit: Unit, { letters }: TextUnits, { clientX, clientY }: MouseEvent): Cell {
  const inside = letters.filter(({ start, end }) => start >= unit.start && end <= unit.end);
  const distances = inside.map((letter) => distance(rectsOf(piece, unit, letter), clientX, clientY));
  return inside[distances.indexOf(Math.min(...distances))] ?? unit;
}

function distance(rects: readonly DOMRect[], x: number, y: number): number {
  const beyond = (low: number, high: number, at: number) => Math.max(low - at, 0, at - high);
  return Math.min(
    Infinity,
    ...rects.map((rect) => beyond(rect.left, rect.right, x) + beyond(rect.top, rect.bottom, y)),
  );
}

function rectsOf(piece: HTMLElement, unit: Unit, letter: Cell): DOMRect[] {
  const utf16 = (points: number) => [...unit.text].slice(0, points).join("").length;
  const range = piece.ownerDocument.createRange();
  const from = placeIn(piece, utf16(letter.start - unit.start));
  const to = placeIn(piece, utf16(letter.end - unit.start), true);
  if (!from || !to) return [];
  range.setStart(...from);
  range.setEnd(...to);
  return [...range.getClientRects()];
}

/** The numbers of strokes are no part of the text. */
function placeIn(piece: HTMLElement, index: number, isEnd = false): [Node, number] | null {
  const walk = piece.ownerDocument.createTreeWalker(piece, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.parentElement?.closest("[aria-hidden]")) continue;
    const length = node.nodeValue?.length ?? 0;
    if (index < before + length || (isEnd && index === before + length)) return [node, index - before];
    before += length;
  }
  return null;
}
