/* One scheme of keys for every protocol: from a key as pressed to its command. */

export type Command = "submit" | "back" | "undo" | "redo" | "up" | "down" | "report" | "guidelines" | "keys";

/** Where the focus is: on the page, in a text, on something Enter belongs to, on radios, in a dialog. */
export type Place = "page" | "text" | "button" | "choice" | "dialog";

const SINGLE: Record<string, Command> = { f: "report", g: "guidelines", "?": "keys" };
const DIGIT_ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

/** 229: the input method has it (older browsers). */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** Ctrl, or Cmd on a Mac. */
export function isControl(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey;
}

export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

export function commandFor(event: KeyboardEvent, place: Place, singleKeys: boolean): Command | null {
  if (isComposing(event) || place === "dialog") return null;
  const key = plainKey(event);
  if (key === "Enter") return enterCommand(event, place);
  if (isControl(event)) return event.altKey ? null : controlCommand(key, event, place);
  // On a Mac Alt and an arrow move by words in a text; elsewhere they would leave the page.
  if (event.altKey) return key === "ArrowLeft" && !(place === "text" && isMac()) ? "back" : null;
  if (place === "text") return null;
  if (place !== "choice" && !event.shiftKey && key === "ArrowUp") return "up";
  if (place !== "choice" && !event.shiftKey && key === "ArrowDown") return "down";
  return singleKeys ? (SINGLE[key] ?? null) : null;
}

function enterCommand(event: KeyboardEvent, place: Place): Command | null {
  if (event.repeat || event.altKey || event.shiftKey) return null; // holding Enter must not submit item after item
  return isControl(event) || place === "page" || place === "choice" ? "submit" : null;
}

function controlCommand(key: string, { shiftKey }: KeyboardEvent, place: Place): Command | null {
  if (place === "text") return null; // a text field undoes for itself
  if (key === "z") return shiftKey ? "redo" : "undo";
  return key === "y" && !shiftKey ? "redo" : null;
}

/** Whether a protocol may have this key: letters and digits only while single keys are on, never from a text field. */
export function isForProtocol(event: KeyboardEvent, place: Place, singleKeys: boolean): boolean {
  if (isComposing(event) || isControl(event) || event.altKey || place === "dialog" || place === "text") return false;
  const isSingle = [...event.key].length === 1;
  return isSingle ? singleKeys && event.key !== " " : place !== "choice";
}

/** Alt and a key: for a protocol from wherever the focus is, but never from a dialog. */
export function isAltForProtocol(event: KeyboardEvent, place: Place): boolean {
  return event.altKey && !isControl(event) && !isComposing(event) && !event.repeat && place !== "dialog";
}

/** The key whatever the layout and script: ٧ is 7, and the key of Z is z on a Cyrillic keyboard too. */
export function plainKey({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  if (key === "Dead" && code.startsWith("Key")) return code.slice(3).toLowerCase(); // Alt+N on a Mac begins a ñ
  if ([...key].length !== 1) return key;
  const point = key.codePointAt(0) ?? 0;
  const zero = DIGIT_ZEROS.find((first) => point >= first && point <= first + 9);
  if (zero !== undefined) return String(point - zero);
  const isForeign = point > 0x7f && code.startsWith("Key");
  return (isForeign ? code.slice(3) : key).toLowerCase();
}
