/* Keys on a text to mark. Other keys belong to the page. */

import { isComposing, plainKey } from "../../workbench/keys";
import type { Gestures } from "./gestures";
import {
  boundsOf,
  cellAt,
  cellsOf,
  isSamePlace,
  type Place,
  type Stretch,
  stretch,
  type Way,
  wordId,
} from "./marking_state";
import { SEVERITIES } from "./span";
import type { Cell } from "./text_units";

type KeyOnText = KeyboardEvent & { currentTarget: HTMLElement };

export function onMarkingKey(event: KeyOnText, gestures: Gestures, place: Place, singleKeys: boolean): void {
  if (isComposing(event) || !isTaken(event, gestures, place, singleKeys)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** True when the key did something here. */
function isTaken(event: KeyOnText, gestures: Gestures, place: Place, singleKeys: boolean): boolean {
  const { altKey, shiftKey } = event;
  const isControl = event.ctrlKey || event.metaKey;
  const forward: Way = isRightToLeft(event.currentTarget) ? -1 : 1;
  switch (event.key) {
    case "ArrowLeft":
      return onArrow(event, gestures, place, forward === 1 ? -1 : 1);
    case "ArrowRight":
      return onArrow(event, gestures, place, forward);
    case "Home":
    case "End":
      return onEdge(event, gestures, place);
    case "Enter":
    case " ":
      return !isControl && !altKey && !shiftKey && !event.repeat && describeHere(gestures, place);
    case "Escape":
      return leave(gestures, place);
    case "Delete":
    case "Backspace":
      if (!isControl) gestures.removeInFocus();
      return !isControl;
    case "[":
    case "]":
      return singleKeys && isControl === altKey && gestures.goTo(event.key === "]" ? 1 : -1); // AltGr is Ctrl and Alt
  }
  const key = plainKey(event);
  return singleKeys && !isControl && !altKey && /^\d$/.test(key) && rateWord(gestures, place, Number(key));
}

function isRightToLeft(element: HTMLElement): boolean {
  return getComputedStyle(element).direction === "rtl" || element.dir === "rtl";
}

/** The current cell, in words or letters, and the selection stretched from it. */
function positionIn(
  gestures: Gestures,
  place: Place,
  byLetters: boolean,
): { cells: readonly Cell[]; at: Cell; selected: Stretch | null } | null {
  const { cursor, selection } = gestures.now;
  const cells = cellsOf(gestures.units(place), byLetters);
  const selected = selection?.error === null && isSamePlace(selection, place) ? selection : null;
  const at = selected?.head ?? cellAt(cells, cursor && isSamePlace(cursor, place) ? cursor.at : 0);
  return at && { cells, at, selected };
}

function onArrow({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, gestures: Gestures, place: Place, way: Way) {
  if (altKey && !shiftKey) return false; // back to the segment before
  const { selection, byLetters } = gestures.now;
  const fine = byLetters !== (ctrlKey || metaKey);
  if (shiftKey && selection && selection.error !== null) {
    gestures.moveEdge(altKey ? "start" : "end", way, fine);
    return true;
  }
  const here = positionIn(gestures, place, fine);
  if (!here || altKey) return false;
  const { head, anchor } = stretch(here.cells, here.selected ?? { anchor: here.at, head: here.at }, way);
  if (shiftKey) gestures.select(place, { anchor, head });
  else gestures.moveTo(place, head.start);
  focusWord(gestures, place, head.start);
  return true;
}

/** Home and End, and with Shift as far as the edge. */
function onEdge(event: KeyboardEvent, gestures: Gestures, place: Place): boolean {
  const here = positionIn(gestures, place, false);
  const cell = here?.cells.at(event.key === "Home" ? 0 : -1);
  if (!here || !cell || event.altKey || event.ctrlKey || event.metaKey) return false;
  if (event.shiftKey) gestures.select(place, { anchor: here.selected?.anchor ?? here.at, head: cell });
  else gestures.moveTo(place, cell.start);
  focusWord(gestures, place, cell.start);
  return true;
}

/** At once, not with the next frame: the next key may come before. */
export function focusWord(gestures: Gestures, place: Place, at: number, options?: FocusOptions): void {
  const word = cellAt(gestures.units(place).words, at);
  if (word) document.getElementById(wordId(place, word.start))?.focus(options);
}

/** Describes what is selected, else the current word; where there is no word, something is missing. */
function describeHere(gestures: Gestures, place: Place): boolean {
  const { selection, byLetters } = gestures.now;
  const isHere = isSamePlace(selection, place);
  const at = isHere ? null : positionIn(gestures, place, byLetters)?.at;
  if (at) gestures.select(place, { anchor: at, head: at });
  if (isHere || at) gestures.describe();
  else gestures.describeGap(false);
  return true;
}

/** In protocols without a score, a digit also marks the current word. */
function rateWord(gestures: Gestures, place: Place, rank: number): boolean {
  const { choices, severities } = gestures.marks;
  const severity = SEVERITIES[rank];
  const { selection, byLetters } = gestures.now;
  if (choices.length === 0 || !severity || !severities.includes(severity) || selection) return false;
  const at = positionIn(gestures, place, byLetters)?.at;
  if (at) gestures.select(place, { anchor: at, head: at });
  return at !== undefined && gestures.describe({ severity });
}

function leave(gestures: Gestures, place: Place): boolean {
  const { selection } = gestures.now;
  if (selection) gestures.deselect({ announcement: "", cursor: { ...place, at: boundsOf(selection).start } });
  return selection !== null;
}
