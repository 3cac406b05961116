/* One scheme of keys for every protocol: from a key as pressed to its command. */

export type Command = "submit" | "back" | "undo" | "redo" | "up" | "down" | "report" | "guidelines" | "keys";

/** Where the focus is: on the page, in a text, on something Enter belongs to, on radios, in a dialog. */
export type Place = "page" | "text" | "button" | "choice" | "dialog";

export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly control: boolean; // Ctrl, or Cmd on a Mac
  readonly alt: boolean;
  readonly shift: boolean;
  readonly repeat: boolean;
  readonly composing: boolean;
  readonly place: Place;
  /** On a Mac Alt and an arrow move by words in a text; elsewhere they would leave the page. */
  readonly isMac?: boolean;
}

const SINGLE: Record<string, Command> = { f: "report", g: "guidelines", "?": "keys" };
const DIGIT_ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

/** 229: the input method has it (older browsers). */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

export function commandFor(press: KeyPress, singleKeys: boolean): Command | null {
  if (press.composing || press.place === "dialog") return null;
  const key = plainKey(press);
  if (key === "Enter") return enterCommand(press);
  if (press.control) return press.alt ? null : controlCommand(key, press);
  if (press.alt) return key === "ArrowLeft" && !(press.place === "text" && press.isMac) ? "back" : null;
  if (press.place === "text") return null;
  if (press.place !== "choice" && !press.shift && key === "ArrowUp") return "up";
  if (press.place !== "choice" && !press.shift && key === "ArrowDown") return "down";
  return singleKeys ? (SINGLE[key] ?? null) : null;
}

function enterCommand(press: KeyPress): Command | null {
  if (press.repeat || press.alt || press.shift) return null; // holding Enter must not submit item after item
  if (press.control) return "submit";
  return press.place === "page" || press.place === "choice" ? "submit" : null;
}

function controlCommand(key: string, press: KeyPress): Command | null {
  if (press.place === "text") return null; // a text field undoes for itself
  if (key === "z") return press.shift ? "redo" : "undo";
  return key === "y" && !press.shift ? "redo" : null;
}

/** Whether a protocol may have this key: letters and digits only while single keys are on, never from a text field. */
export function isForProtocol(press: KeyPress, singleKeys: boolean): boolean {
  if (press.composing || press.control || press.alt || press.place === "dialog" || press.place === "text") return false;
  const isSingle = [...press.key].length === 1;
  if (isSingle) return singleKeys && press.key !== " ";
  return press.place !== "choice";
}

/** Alt and a key: for a protocol from wherever the focus is, but never from a dialog. */
export function isAltForProtocol(press: KeyPress): boolean {
  return press.alt && !press.control && !press.composing && !press.repeat && press.place !== "dialog";
}

/** The key whatever the layout and script: ٧ is 7, and the key of Z is z on a Cyrillic keyboard too. */
export function plainKey({ key, code }: Pick<KeyPress, "key" | "code">): string {
  if (key === "Dead" && code.startsWith("Key")) return code.slice(3).toLowerCase(); // Alt+N on a Mac begins a ñ
  if ([...key].length !== 1) return key;
  const point = key.codePointAt(0) ?? 0;
  const zero = DIGIT_ZEROS.find((first) => point >= first && point <= first + 9);
  if (zero !== undefined) return String(point - zero);
  const isForeign = point > 0x7f && code.startsWith("Key");
  return (isForeign ? code.slice(3) : key).toLowerCase();
}
