/* Mouse, pen and finger on a text: a drag marks, a click goes there, two taps mark from the first word to the last. */

import { rawOffset, shownOffset } from "../../workbench/markup";
import type { Side } from "../spans/span";
import type { Cell } from "../spans/text_units";
import { marksOf } from "./cell_answer";
import { offsetAt, rangeOf, showDrawn } from "./caret";
import { characters } from "./runs";
import { isSamePlace, type Place } from "./desk";
import { markOver, type MarkingDesk } from "./marking_desk";

type PointerOn = PointerEvent & { currentTarget: HTMLElement };
type ClickOn = MouseEvent & { currentTarget: HTMLElement };

const DRAG_PX = 4;

export class Pointing {
  private pressed: { readonly word: Cell; readonly x: number; readonly y: number } | null = null;
  private drawn: Cell | null = null;
  private wasTouch = false;

  constructor(private readonly desk: MarkingDesk) {}

  /** A finger scrolls: it marks by taps. */
  down(event: PointerOn, place: Place, side: Side): void {
    this.wasTouch = event.pointerType === "touch";
    if (event.button !== 0 || this.wasTouch) return;
    const word = this.wordAt(event, place, side);
    if (!word) return;
    event.preventDefault(); // no selection of the browser's beside ours
    this.pressed = { word, x: event.clientX, y: event.clientY };
    this.drawn = null;
    try {
      event.currentTarget.setPointerCapture(event.pointerId);
    } catch {
      return; // a pointer that is gone already
    }
  }

  move(event: PointerOn, place: Place, side: Side): void {
    const { pressed } = this;
    if (!pressed) return;
    const way = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
    const word = this.wordAt(event, place, side);
    if (!word || (way < DRAG_PX && !this.drawn)) return;
    this.drawn = { start: Math.min(pressed.word.start, word.start), end: Math.max(pressed.word.end, word.end) };
    const points = characters(this.desk.units(place, side).text);
    const [start, end] = [this.drawn.start, this.drawn.end].map((at) => shownOffset(points, at));
    showDrawn(rangeOf(event.currentTarget, start!, end!));
  }

  up(event: PointerOn, place: Place, side: Side): void {
    const { pressed, drawn } = this;
    this.cancel();
    if (!pressed) return;
    const { desk } = this;
    if (drawn) {
      this.enter(place, side, drawn.start);
      desk.mark(drawn, "", side);
    } else if (event.shiftKey && isSamePlace(place, desk.here)) {
      const from = desk.focus.value.anchor ?? desk.focus.value.at;
      desk.put({ anchor: from, at: pressed.word.start, side, chosen: null });
    } else {
      this.enter(place, side, pressed.word.start);
      desk.choose(this.markAt(place, side, pressed.word.start));
    }
  }

  cancel(): void {
    this.pressed = null;
    this.drawn = null;
    showDrawn(null);
  }

  doubleClick(event: ClickOn, place: Place, side: Side): void {
    const word = this.wordAt(event, place, side);
    if (word && !this.wasTouch && !this.desk.focus.value.chosen) this.desk.mark(word, "", side);
  }

  /** A tap. Clicks of a mouse were handled when it was pressed. */
  click(event: ClickOn, place: Place, side: Side): void {
    if (!this.wasTouch) return;
    const { desk } = this;
    const word = this.wordAt(event, place, side);
    if (!word) return;
    const { anchor, side: sideNow } = desk.focus.value;
    const isHere = isSamePlace(place, desk.here) && sideNow === side;
    if (isHere && anchor !== null) {
      const isAlone = anchor === word.start && desk.focus.value.at === word.start;
      return desk.put(isAlone ? { anchor: null } : { at: word.start, chosen: null });
    }
    this.enter(place, side, word.start);
    const mark = this.markAt(place, side, word.start);
    desk.put(mark ? { chosen: mark, anchor: null } : { anchor: word.start, chosen: null });
  }

  private enter(place: Place, side: Side, at: number): void {
    const { desk } = this;
    if (isSamePlace(place, desk.here)) desk.put({ at, side, anchor: null, chosen: null });
    else desk.go(place, { at, side, takesFocus: false });
  }

  private markAt({ item, cell }: Place, side: Side, at: number) {
    return markOver(marksOf(this.desk.answerTo(item), cell.slot), side, at);
  }

  private wordAt(event: MouseEvent & { currentTarget: HTMLElement }, place: Place, side: Side): Cell | null {
    const at = offsetAt(event.currentTarget, event.clientX, event.clientY);
    if (at === null) return null;
    const { text, words } = this.desk.units(place, side);
    const raw = rawOffset(characters(text), at);
    return words.find(({ end }) => end > raw) ?? words.at(-1) ?? null;
  }
}
