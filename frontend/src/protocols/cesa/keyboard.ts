/* Keys of the screen. They are read before those of the page; what has no meaning here is left to it. */

import { isComposing, isControl, plainKey } from "../../workbench/keys";
import { giveFocus } from "../../workbench/render/controls";
import { scoreOf } from "./cell_answer";
import type { MarkingDesk } from "./marking_desk";

const ENTER_IS_THEIRS = "button, a[href], summary";

/** Where the focus is. `field`: the number of a score. */
type At = "text" | "field" | "slider" | "radio" | "button" | "page" | "elsewhere";

export function onScreenKey(desk: MarkingDesk, event: KeyboardEvent): void {
  if (isComposing(event) || document.querySelector("dialog[open]")) return;
  if (desk.workbench.state.value.phase !== "judging" || !isTaken(desk, event, placeOf(event))) return;
  event.preventDefault();
  event.stopPropagation();
}

function placeOf({ target }: KeyboardEvent): At {
  if (!(target instanceof Element)) return "page";
  if (target.closest("[data-text]")) return "text";
  if (target.matches(".sc input[type=range]")) return "slider";
  if (target.matches(".sc input")) return "field";
  if (target.matches("input[type=radio]")) return "radio";
  if (target.closest("input, textarea, select, [contenteditable]")) return "elsewhere";
  return target.closest(ENTER_IS_THEIRS) ? "button" : "page";
}

function isTaken(desk: MarkingDesk, event: KeyboardEvent, at: At): boolean {
  const key = plainKey(event);
  const isAltGr = event.ctrlKey && event.altKey;
  if (key === "Enter" && isControl(event)) return !event.repeat && did(desk.submit());
  if (at === "elsewhere") return false;
  if (event.altKey && !isAltGr) return onAlt(desk, key);
  if (isControl(event) && !isAltGr) return at === "field" && key === "z" && travel(desk, event.shiftKey);
  const isJudged = desk.here !== null && desk.answerTo(desk.here.item).cannot_judge === null;
  return onMove(desk, event, at) || (isJudged && (onEdit(desk, event, at) || onSingle(desk, key, at)));
}

function travel(desk: MarkingDesk, isRedo: boolean): boolean {
  return did(desk.workbench.travelBy(isRedo ? "redo" : "undo"));
}

function onAlt(desk: MarkingDesk, key: string): boolean {
  if (key === "ArrowUp") return did(desk.stepScore(1));
  if (key === "ArrowDown") return did(desk.stepScore(-1));
  return key === "ArrowLeft" && did(desk.back());
}

/** Through words, rows and columns. */
function onMove(desk: MarkingDesk, event: KeyboardEvent, at: At): boolean {
  const { key, shiftKey } = event;
  const isOwnArrow = at === "slider" || at === "radio";
  switch (key) {
    case "ArrowLeft":
    case "ArrowRight":
      return !isOwnArrow && at !== "field" && onArrow(desk, key === "ArrowRight" ? 1 : -1, shiftKey);
    case "ArrowUp":
    case "ArrowDown":
      if (isOwnArrow || shiftKey) return false;
      if (at === "field") return did(desk.stepScore(key === "ArrowUp" ? 1 : -1));
      return did(desk.step(key === "ArrowDown" ? 1 : -1, 0));
    case "Home":
    case "End":
      return at !== "field" && at !== "slider" && onEdge(desk, key === "End", shiftKey);
    case "Enter":
      return at !== "button" && !event.repeat && did(desk.goOn(shiftKey ? -1 : 1));
    case "Escape":
      return leave(desk);
  }
  return false;
}

function onEdit(desk: MarkingDesk, event: KeyboardEvent, at: At): boolean {
  switch (event.key) {
    case " ":
      return (at === "text" || at === "page") && !event.repeat && did(startOrEnd(desk));
    case "Delete":
    case "Backspace":
      return at !== "field" && at !== "slider" && desk.remove();
    case "ArrowLeft":
    case "ArrowDown":
    case "Home":
      return at === "slider" && isUnscored(desk) && did(desk.score(0, "stepped")); // the thumb is there already
  }
  return false;
}

/** Letters, digits and signs, while the annotator has them on. */
function onSingle(desk: MarkingDesk, key: string, at: At): boolean {
  if (!desk.workbench.page.single_keys) return false;
  if (/^\d$/.test(key)) return at !== "field" && onDigit(desk, key);
  switch (key) {
    case "[":
    case "]":
      return desk.goToMark(key === "]" ? 1 : -1);
    case "+":
    case "-":
      return did(desk.stepScore(key === "+" ? 1 : -1));
    case "u":
      return did(desk.goToUnfinished());
    case "b":
      return toggleBrief(desk);
    case "s":
      return toggleSide(desk);
  }
  const tag = desk.tags.find((choice) => choice.key === key);
  return tag !== undefined && did(desk.addTag(tag.name));
}

function onDigit(desk: MarkingDesk, digit: string): boolean {
  const severity = ({ "1": "minor", "2": "major" } as const)[digit];
  if (severity && desk.rate(severity)) return true;
  desk.put({ anchor: null, chosen: null });
  return did(desk.typeDigit(digit, Date.now()));
}

/** As seen on the screen. Beyond the last word of a translation is the first one of its neighbour. */
function onArrow(desk: MarkingDesk, way: 1 | -1, isStretching: boolean): boolean {
  const { here } = desk;
  if (!here) return false;
  const { side, at, anchor } = desk.focus.value;
  const { direction } = side === "source" ? desk.workbench.page.source : desk.workbench.page.target;
  const forward = direction === "rtl" ? -way : way;
  const { words } = desk.units(here, side);
  const now = words.findIndex(({ end }) => end > at);
  const next = words[(now < 0 ? words.length - 1 : now) + forward];
  if (!next) return isStretching || anchor !== null || side === "source" || step(desk, way, direction === "rtl");
  const from = isStretching ? (anchor ?? words[now]?.start ?? at) : anchor;
  desk.put({ at: next.start, anchor: from, chosen: null });
  giveFocus(desk.wordIdAt(here));
  return true;
}

function step(desk: MarkingDesk, way: 1 | -1, isRightToLeft: boolean): boolean {
  const entersAtEnd = isRightToLeft ? way === 1 : way === -1;
  return did(desk.step(0, way, entersAtEnd ? { at: Number.MAX_SAFE_INTEGER } : {}));
}

function onEdge(desk: MarkingDesk, isEnd: boolean, isStretching: boolean): boolean {
  const { here } = desk;
  const { side, at, anchor } = desk.focus.value;
  const word = here && desk.units(here, side).words.at(isEnd ? -1 : 0);
  if (!here || !word) return false;
  desk.put({ at: word.start, anchor: isStretching ? (anchor ?? at) : anchor, chosen: null });
  giveFocus(desk.wordIdAt(here));
  return true;
}

/** The first time a mark begins, the second time it ends. */
function startOrEnd(desk: MarkingDesk): void {
  const { selection, here } = desk;
  const word = here && desk.wordIn(here);
  if (selection) desk.mark(selection);
  else if (word) desk.put({ at: word.start, anchor: word.start, chosen: null });
}

function leave(desk: MarkingDesk): boolean {
  const { anchor, chosen } = desk.focus.value;
  desk.put({ anchor: null, chosen: null });
  if (desk.here) giveFocus(desk.wordIdAt(desk.here));
  return anchor !== null || chosen !== null;
}

function isUnscored(desk: MarkingDesk): boolean {
  const { here } = desk;
  return here !== null && scoreOf(desk.answerTo(here.item), here.cell.slot) === null;
}

function toggleBrief(desk: MarkingDesk): boolean {
  if (!document.getElementById("brief")) return false;
  desk.isBriefOpen.value = !desk.isBriefOpen.value;
  if (desk.isBriefOpen.value) giveFocus("brief");
  else if (desk.here) giveFocus(desk.wordIdAt(desk.here));
  return true;
}

function toggleSide(desk: MarkingDesk): boolean {
  const { here } = desk;
  if (!here || !desk.options.mark_source) return false;
  desk.put({ side: desk.focus.value.side === "source" ? "target" : "source", at: 0, anchor: null, chosen: null });
  giveFocus(desk.wordIdAt(here));
  return true;
}

function did(_done: unknown): true {
  return true;
}
