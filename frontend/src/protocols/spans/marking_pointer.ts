/* Mouse, pen and touch on a text to mark: a drag, two clicks, two taps. */

import { type Marking, type Place, wordId } from "./marking_state";
import type { Gestures } from "./gestures";
import { type Pointed, pointedAt } from "./pointing";
import { boundsOf, cellAt, stretchTo } from "./selection";
import type { Cell } from "./text_units";

type PointerOn = MouseEvent & { currentTarget: HTMLElement };

export class Pointing {
  private pressed: Cell | null = null;
  private isDragging = false;
  private isDone = false;
  private at: Place | null = null;

  /** A finger scrolls: it marks by taps. */
  down(event: PointerEvent & { currentTarget: HTMLElement }, gestures: Gestures, place: Place): void {
    this.isDone = false;
    if (event.button !== 0 || event.pointerType === "touch") return;
    const pointed = this.pointed(event, gestures, place);
    if (!pointed) return;
    event.preventDefault(); // no selection of the browser's beside ours
    this.pressed = pointed.cell;
    this.isDragging = false;
    this.at = place;
    try {
      event.currentTarget.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is gone already
    }
    if (markingOf(gestures)?.described) return;
    const word = cellAt(gestures.units(place).words, pointed.cell.start);
    if (word)
      event.currentTarget.ownerDocument.getElementById(wordId(place, word.start))?.focus({ preventScroll: true });
  }

  move(event: PointerOn, gestures: Gestures, place: Place): void {
    if (!this.pressed || !this.at) return;
    const pointed = this.pointed(event, gestures, place);
    if (!pointed || pointed.isGap || pointed.cell.start === this.pressed.start) {
      if (!this.isDragging) return;
      if (!pointed || pointed.isGap) return;
    }
    const isFirstMove = !this.isDragging;
    this.isDragging = true;
    const anchor = this.pressed.start === this.pressed.end ? pointed.cell : this.pressed;
    if (isFirstMove && anchor !== this.pressed) this.pressed = anchor;
    gestures.select(place, { anchor, head: pointed.cell }, editing(gestures, place));
  }

  up(event: PointerOn, gestures: Gestures, place: Place): void {
    const { pressed } = this;
    this.pressed = null;
    if (!pressed) return;
    this.isDone = true;
    if (!this.isDragging) this.choose(event, gestures, place, { cell: pressed, isGap: pressed.start === pressed.end });
    else if (!markingOf(gestures)?.described) gestures.describe();
    this.isDragging = false;
  }

  cancel(): void {
    this.pressed = null;
    this.isDragging = false;
  }

  /** What no mouse did: a tap, or a press by what reads the screen. */
  click(event: PointerOn, gestures: Gestures, place: Place): void {
    if (this.isDone) {
      this.isDone = false;
      return;
    }
    const pointed = this.pointed(event, gestures, place);
    if (pointed) this.choose(event, gestures, place, pointed);
  }

  private pointed(event: PointerOn, gestures: Gestures, place: Place): Pointed | null {
    const byLetters = (markingOf(gestures)?.byLetters ?? false) !== (event.ctrlKey || event.metaKey || event.altKey);
    return pointedAt(event.currentTarget, event, gestures.units(place), byLetters);
  }

  /** The first click selects; the second, with the dialog still open, stretches what is selected to where it falls. */
  private choose(event: PointerOn, gestures: Gestures, place: Place, { cell, isGap }: Pointed): void {
    const marking = markingOf(gestures);
    const selection = marking?.selection;
    const isHere = selection && selection.slot === place.slot && selection.side === place.side;
    const isOpen = Boolean(marking?.described);
    if (isHere && !isGap && isOpen && selection.of !== null) {
      const bounds = stretchTo(boundsOf(selection), cell);
      gestures.select(place, { anchor: bounds, head: bounds }, selection.of);
    } else if (isHere && !isGap && (isOpen || event.shiftKey)) {
      gestures.select(place, {
        anchor: selection.anchor.start === selection.anchor.end ? cell : selection.anchor,
        head: cell,
      });
      if (!isOpen) gestures.describe();
    } else if (!isGap) {
      gestures.select(place, { anchor: cell, head: cell });
      gestures.describe();
    } else if (gestures.desk.marks.marksMissing) {
      gestures.selectGap(place, cell.start);
      gestures.describe();
    }
  }
}

function markingOf({ desk }: Gestures): Marking | null {
  return desk.shown && desk.of(desk.shown.item);
}

/** A drag while an error is described anew gives it other bounds. */
function editing(gestures: Gestures, place: Place): number | null {
  const marking = markingOf(gestures);
  const selection = marking?.described ? marking.selection : null;
  return selection && selection.slot === place.slot && selection.side === place.side ? selection.of : null;
}
