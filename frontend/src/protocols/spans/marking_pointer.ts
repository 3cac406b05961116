/* Mouse, pen and touch on a text to mark: a drag, two clicks, two taps. */

import type { Gestures } from "./gestures";
import { focusWord } from "./marking_keys";
import { boundsOf, isSamePlace, type Place, stretchTo } from "./marking_state";
import type { Cell, TextUnits, Unit } from "./text_units";

/** What of a text is under the pointer: a word, a letter of it, or the gap between two words. */
interface Pointed {
  readonly cell: Cell;
  readonly isGap: boolean;
}

type PointerOn = MouseEvent & { currentTarget: HTMLElement };

export class Pointing {
  private pressed: Cell | null = null;
  private isDragging = false;
  private isDone = false;

  /** A finger scrolls: it marks by taps. */
  down(event: PointerEvent & { currentTarget: HTMLElement }, gestures: Gestures, place: Place): void {
    this.isDone = false;
    if (event.button !== 0 || event.pointerType === "touch") return;
    const pointed = this.pointed(event, gestures, place);
    if (!pointed) return;
    event.preventDefault(); // no selection of the browser's beside ours
    this.pressed = pointed.cell;
    this.isDragging = false;
    try {
      event.currentTarget.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is gone already
    }
    if (!gestures.now.described) focusWord(gestures, place, pointed.cell.start, { preventScroll: true });
  }

  move(event: PointerOn, gestures: Gestures, place: Place): void {
    if (!this.pressed) return;
    const pointed = this.pointed(event, gestures, place);
    if (!pointed || pointed.isGap || (!this.isDragging && pointed.cell.start === this.pressed.start)) return;
    this.isDragging = true;
    if (this.pressed.start === this.pressed.end) this.pressed = pointed.cell; // a drag that began in a gap
    const { described, selection } = gestures.now;
    const isEdited = described && isSamePlace(selection, place); // the error being described gets other bounds
    gestures.select(place, { anchor: this.pressed, head: pointed.cell }, isEdited ? selection!.error : null);
  }

  up(event: PointerOn, gestures: Gestures, place: Place): void {
    const { pressed } = this;
    this.pressed = null;
    if (!pressed) return;
    this.isDone = true;
    if (!this.isDragging) this.choose(event, gestures, place, { cell: pressed, isGap: pressed.start === pressed.end });
    else if (!gestures.now.described) gestures.describe();
    this.isDragging = false;
  }

  cancel(): void {
    this.pressed = null;
    this.isDragging = false;
  }

  /** A click without a mouse: a tap, or a screen reader. */
  click(event: PointerOn, gestures: Gestures, place: Place): void {
    if (this.isDone) {
      this.isDone = false;
      return;
    }
    const pointed = this.pointed(event, gestures, place);
    if (pointed) this.choose(event, gestures, place, pointed);
  }

  private pointed(event: PointerOn, gestures: Gestures, place: Place): Pointed | null {
    const byLetters = gestures.now.byLetters !== (event.ctrlKey || event.metaKey || event.altKey);
    return pointedAt(event.currentTarget, event, gestures.units(place), byLetters);
  }

  /** The first click selects; the second, with the dialog still open, stretches the selection to its place. */
  private choose(event: PointerOn, gestures: Gestures, place: Place, { cell, isGap }: Pointed): void {
    const { selection, described } = gestures.now;
    const isHere = selection !== null && isSamePlace(selection, place) && !isGap;
    if (isHere && described && selection.error !== null) {
      const bounds = stretchTo(boundsOf(selection), cell);
      gestures.select(place, { anchor: bounds, head: bounds }, selection.error);
    } else if (isHere && (described || event.shiftKey)) {
      const { anchor } = selection;
      gestures.select(place, { anchor: anchor.start === anchor.end ? cell : anchor, head: cell });
      if (!described) gestures.describe();
    } else if (!isGap || gestures.marks.marksMissing) {
      gestures.select(place, { anchor: cell, head: cell });
      gestures.describe();
    }
  }
}

function pointedAt(list: HTMLElement, event: MouseEvent, units: TextUnits, byLetters: boolean): Pointed | null {
  if (units.units.length === 0) return { cell: { start: 0, end: 0 }, isGap: true };
  const under =
    document.elementFromPoint?.(event.clientX, event.clientY) ??
    (event.target instanceof Element ? event.target : null);
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
  const range = document.createRange();
  const from = placeIn(piece, utf16(letter.start - unit.start));
  const to = placeIn(piece, utf16(letter.end - unit.start), true);
  if (!from || !to) return [];
  range.setStart(...from);
  range.setEnd(...to);
  return [...range.getClientRects()];
}

/** The numbers of strokes are no part of the text. */
function placeIn(piece: HTMLElement, index: number, isEnd = false): [Node, number] | null {
  const walk = document.createTreeWalker(piece, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.parentElement?.closest("[aria-hidden]")) continue;
    const length = node.nodeValue?.length ?? 0;
    if (index < before + length || (isEnd && index === before + length)) return [node, index - before];
    before += length;
  }
  return null;
}
