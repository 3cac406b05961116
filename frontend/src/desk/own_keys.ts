/* Keys of one’s own: which can be changed, which cannot and why, and what a pressed key then means to the desk. A key
   is named as its cap shows it. */

import type { KeyHint } from "../protocols/protocol";
import { isComposing, isControl, plainKey } from "../workbench/keys";
import { t } from "../workbench/words";

/** By the key that the help names: the one that is pressed. */
export type OwnKeys = Readonly<Record<string, string>>;

export interface Changeable {
  readonly cap: string;
  readonly does: string;
}

const NAMED: Readonly<Record<string, string>> = {
  "←": "ArrowLeft",
  "→": "ArrowRight",
  "↑": "ArrowUp",
  "↓": "ArrowDown",
  Enter: "Enter",
  Del: "Delete",
  Space: " ",
};
const CAP_OF = new Map(Object.entries(NAMED).map(([cap, key]) => [key, cap]));

/** Everything is within reach of one hand; where a desk uses one of these for something else, that one stays. */
export const LEFT_HAND: OwnKeys = {
  ...{ "←": "A", "→": "D", "↑": "W", "↓": "S", Enter: "E", Del: "V" },
  ...{ N: "Q", O: "R", U: "R", "[": "Z", "]": "X", W: "J", D: "C", S: "C" },
};
export const RIGHT_HAND: OwnKeys = { G: "L", F: "K", T: "J", C: "M", B: ",", W: "I", S: "H", D: "H" };

/** The cap of a key as pressed; "" for one that the desk leaves to the browser, to digits or to text. */
export function capOf(event: Pick<KeyboardEvent, "key" | "code">): string {
  const named = CAP_OF.get(event.key);
  if (named) return named;
  const key = plainKey(event);
  return [...key].length === 1 && !/[\d\s]/.test(key) ? key.toUpperCase() : "";
}

/** What of the help can be changed: single keys, without those that type scores and those that the browser needs. */
export function changeableIn(hints: readonly KeyHint[]): Changeable[] {
  const seen = new Map<string, string>();
  const plainFirst = [...hints].sort((a, b) => Number(isWithOthers(a)) - Number(isWithOthers(b)));
  for (const { keys, does } of plainFirst) {
    if (keys.some((key) => key === "Ctrl" || /^\d$/.test(key))) continue;
    for (const key of keys) if (isCap(key) && !seen.has(key)) seen.set(key, does);
  }
  return [...seen].map(([cap, does]) => ({ cap, does }));
}

function isWithOthers({ keys }: KeyHint): boolean {
  return keys.includes("Alt") || keys.includes("Shift");
}

function isCap(key: string): boolean {
  return key in NAMED || ([...key].length === 1 && key !== "…" && !/\d/.test(key));
}

export function pressedFor(cap: string, own: OwnKeys): string {
  return own[cap] ?? cap;
}

/** Why this key cannot be the one for `cap`; "" if it can. */
export function refusalOf(
  event: Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey">,
  cap: string,
  all: readonly Changeable[],
  own: OwnKeys,
): string {
  if (event.ctrlKey || event.metaKey || event.altKey)
    return t("Press one key, without Ctrl, Alt or Cmd: these belong to the browser.");
  if (/^\d$/.test(plainKey(event))) return t("Digits are for scores, ranks and severities.");
  const pressed = capOf(event);
  if (!pressed) return t("The browser or the text needs this key. Choose a letter, a sign or an arrow.");
  const other = all.find((each) => each.cap !== cap && pressedFor(each.cap, own) === pressed);
  return other
    ? t("“{key}” already does something: {does}. Change that first.", { key: pressed, does: other.does })
    : "";
}

/** A set for one hand, without what would collide with other keys of this desk. */
export function fitting(set: OwnKeys, all: readonly Changeable[]): OwnKeys {
  const own: Record<string, string> = {};
  const used = new Set(all.map(({ cap }) => (cap in set ? "" : cap)));
  for (const { cap } of all) {
    const pressed = set[cap];
    if (pressed === undefined) continue;
    if (used.has(pressed)) used.add(cap);
    else own[cap] = pressed;
    used.add(own[cap] ?? cap);
  }
  return own;
}

/** What a pressed key means: the key that the desk knows, `null` as it is, "" nothing any more. */
export function meaningOf(pressed: string, all: readonly Changeable[], own: OwnKeys): string | null {
  const meant = all.find(({ cap }) => cap in own && own[cap] === pressed);
  if (meant) return meant.cap === pressed ? null : meant.cap;
  const moved = all.some(({ cap }) => cap === pressed && pressedFor(cap, own) !== cap);
  return moved ? "" : null;
}

const TEXT_FIELDS = "textarea, select, input:not([type=range], [type=radio], [type=checkbox]), [contenteditable]";
const PRESSED_BY_ENTER = "button, a[href], summary";
const ours = new WeakSet<Event>();

/** Before the desk sees a key: it gets the one that is meant. */
export function translateKey(
  event: KeyboardEvent,
  all: readonly Changeable[],
  own: OwnKeys,
  singleKeys: boolean,
): void {
  if (ours.has(event) || isComposing(event) || isControl(event) || document.querySelector("dialog[open]")) return;
  const pressed = capOf(event);
  const target = event.target instanceof Element ? event.target : document.body;
  const isSingle = [...pressed].length === 1;
  if (!pressed || (isSingle && !event.altKey && (!singleKeys || target.closest(TEXT_FIELDS)))) return;
  if (!isSingle && target.closest(TEXT_FIELDS)) return; // arrows and Enter in a text are the text's
  const meant = meaningOf(pressed, all, own);
  if (meant === null) return;
  event.stopImmediatePropagation();
  if (meant === "") return;
  event.preventDefault();
  const { altKey, shiftKey, repeat } = event;
  const key = NAMED[meant] ?? meant.toLowerCase();
  const made = new KeyboardEvent("keydown", { key, altKey, shiftKey, repeat, bubbles: true, cancelable: true });
  ours.add(made);
  const isFree = target.dispatchEvent(made);
  if (isFree && key === "Enter" && !repeat) target.closest<HTMLElement>(PRESSED_BY_ENTER)?.click();
}
