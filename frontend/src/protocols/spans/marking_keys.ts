/* Keys on a text to mark. What is not taken here belongs to the page. */

import { plainKey } from "../../workbench/keys";
import { type Place, wordId } from "./marking_state";
import type { Gestures } from "./gestures";
import { boundsOf, cellAt, cellsOf, step, type Stretch, stretch, type Way } from "./selection";
import { SEVERITIES } from "./span";
import type { Cell } from "./text_units";

export function onMarkingKey(
  event: KeyboardEvent & { currentTarget: HTMLElement },
  gestures: Gestures,
  place: Place,
  singleKeys: boolean,
): void {
  if (event.isComposing || event.keyCode === 229) return;
  if (!keyOnText(event, gestures, place, singleKeys)) return;
  event.preventDefault();
  event.stopPropagation();
}

type ListEvent = KeyboardEvent & { currentTarget: HTMLElement };

/** True when the key meant something here. */
function keyOnText(event: ListEvent, gestures: Gestures, place: Place, singleKeys: boolean): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  switch (event.key) {
    case "ArrowLeft":
      return onArrow(event, gestures, place, isRightToLeft(event.currentTarget) ? 1 : -1);
    case "ArrowRight":
      return onArrow(event, gestures, place, isRightToLeft(event.currentTarget) ? -1 : 1);
    case "Home":
      return onEdge(event, gestures, place, "first");
    case "End":
      return onEdge(event, gestures, place, "last");
    case "Enter":
    case " ":
      return !isControl && !event.altKey && !event.shiftKey && !event.repeat && open(gestures, place);
    case "Escape":
      return leave(gestures, place);
    case "Delete":
    case "Backspace":
      return !isControl && removeInFocus(gestures);
    // with AltGr they come with Ctrl and Alt
    case "[":
    case "]":
      return (
        singleKeys &&
        isControl === event.altKey &&
        gestures.goTo(event.key === "]" ? 1 : -1, event.currentTarget.ownerDocument)
      );
    default:
      return (
        singleKeys &&
        !isControl &&
        !event.altKey &&
        /^\d$/.test(plainKey(event)) &&
        rateWord(gestures, place, Number(plainKey(event)))
      );
  }
}

function isRightToLeft(element: HTMLElement): boolean {
  return getComputedStyle(element).direction === "rtl" || element.dir === "rtl";
}

/** Where one stands, in words or letters, and what is stretched from there. */
function standing(
  gestures: Gestures,
  place: Place,
  byLetters: boolean,
): { cells: readonly Cell[]; at: Cell; selected: Stretch | null } | null {
  const { item } = gestures.desk.shown ?? {};
  if (!item) return null;
  const { cursor, selection } = gestures.desk.of(item);
  const cells = cellsOf(gestures.units(place), byLetters);
  const selected =
    selection && selection.of === null && selection.slot === place.slot && selection.side === place.side
      ? selection
      : null;
  const isHere = cursor !== null && cursor.slot === place.slot && cursor.side === place.side;
  const at = selected?.head ?? cellAt(cells, isHere ? cursor.at : 0);
  return at && { cells, at, selected };
}

function onArrow(event: ListEvent, gestures: Gestures, place: Place, way: Way): boolean {
  const isByLetter = event.ctrlKey || event.metaKey;
  if (event.altKey && !event.shiftKey) return false; // back to the segment before
  const { item } = gestures.desk.shown ?? {};
  if (!item) return false;
  const { selection, byLetters } = gestures.desk.of(item);
  const fine = byLetters !== isByLetter;
  if (event.shiftKey && selection && selection.of !== null) {
    gestures.moveEdge(event.altKey ? "start" : "end", way, fine);
    return true;
  }
  const here = standing(gestures, place, fine);
  if (!here || event.altKey) return false;
  if (event.shiftKey) {
    const next = stretch(here.cells, here.selected ?? { anchor: here.at, head: here.at }, way);
    gestures.select(place, next);
    focus(event, gestures, place, next.head.start);
  } else {
    goTo(event, gestures, place, step(here.cells, here.at, way));
  }
  return true;
}

function onEdge(event: ListEvent, gestures: Gestures, place: Place, which: "first" | "last"): boolean {
  const here = standing(gestures, place, false);
  const cell = which === "first" ? here?.cells[0] : here?.cells.at(-1);
  if (!here || !cell || event.altKey || event.ctrlKey || event.metaKey) return false;
  if (!event.shiftKey) goTo(event, gestures, place, cell);
  else {
    gestures.select(place, { anchor: here.selected?.anchor ?? here.at, head: cell });
    focus(event, gestures, place, cell.start);
  }
  return true;
}

function goTo(event: ListEvent, gestures: Gestures, place: Place, cell: Cell): void {
  gestures.moveTo(place, cell.start);
  focus(event, gestures, place, cell.start);
}

/** At once, not with the next picture: the next key may come before. */
function focus({ currentTarget }: ListEvent, gestures: Gestures, place: Place, at: number): void {
  const word = cellAt(gestures.units(place).words, at);
  if (word) currentTarget.ownerDocument.getElementById(wordId(place, word.start))?.focus();
}

/** What is selected, else the word one stands on, is described. */
function open(gestures: Gestures, place: Place): boolean {
  const { item } = gestures.desk.shown ?? {};
  if (!item) return false;
  const { selection, byLetters } = gestures.desk.of(item);
  const isHere = selection && selection.slot === place.slot && selection.side === place.side;
  const at = isHere ? null : standing(gestures, place, byLetters)?.at;
  if (at) gestures.select(place, { anchor: at, head: at });
  if (isHere || at) gestures.describe();
  return true;
}

/** Where no number is asked, a digit marks the word one stands on, too. */
function rateWord(gestures: Gestures, place: Place, rank: number): boolean {
  const { item } = gestures.desk.shown ?? {};
  const { marks } = gestures.desk;
  const severity = SEVERITIES[rank];
  if (
    !item ||
    marks.choices.length === 0 ||
    !severity ||
    !marks.severities.includes(severity) ||
    gestures.desk.of(item).selection
  )
    return false;
  const at = standing(gestures, place, gestures.desk.of(item).byLetters)?.at;
  if (at) gestures.select(place, { anchor: at, head: at });
  return at !== undefined && gestures.describe({ severity });
}

function leave(gestures: Gestures, place: Place): boolean {
  const { item } = gestures.desk.shown ?? {};
  const selection = item && gestures.desk.of(item).selection;
  if (!item || !selection) return false;
  const { start } = boundsOf(selection);
  gestures.desk.drop(item, { said: "", cursor: { ...place, at: start } });
  return true;
}

function removeInFocus(gestures: Gestures): boolean {
  const error = gestures.inFocus();
  if (error) gestures.remove(error.slot, error.place);
  return true;
}
