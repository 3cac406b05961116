/* The editor of a translation. The browser owns the text while it is typed, so that its own undo and every
   input method work; the answer hears of each change once it is made, and writes back only what came from elsewhere. */

import { useLayoutEffect, useRef } from "preact/hooks";

import type { Language } from "../workbench/page";
import { asEdited, type Mark, type Selected } from "./edit_log";

const LONGEST = 50_000;
const BARE_MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];

interface EditorProps {
  readonly id: string;
  readonly of: Language;
  readonly name: string;
  readonly text: string;
  readonly slot: string;
  readonly isFirst: boolean;
  readonly onOpen: () => void;
  readonly onKey: () => void;
  readonly onText: (text: string, mark: Mark, selected?: Selected) => void;
  /** The annotator pressed undo, and the browser had nothing to undo. */
  readonly onUndo: () => void;
}

export function Editor({ id, of, name, text, slot, isFirst, onOpen, onKey, onText, onUndo }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const composing = useRef(false);
  const selected = useRef<Selected>();
  const isWriting = useRef(false);
  useLayoutEffect(onOpen, []);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    if (!composing.current && element.value !== asEdited(text)) {
      isWriting.current = true;
      write(element, text);
      isWriting.current = false;
    }
    grow(element);
  }, [text]);
  return (
    <textarea
      ref={area}
      class="editor read"
      id={id}
      lang={of.language}
      dir={of.direction}
      rows={3}
      maxLength={LONGEST}
      spellcheck
      autocomplete="off"
      autocapitalize="off"
      aria-label={name}
      aria-describedby="facts"
      data-slot={slot}
      data-first={isFirst ? "" : undefined}
      onKeyDown={(event) => {
        if (isEditing(event)) onKey();
        if (isUndo(event)) afterUndo(event.currentTarget, onUndo);
      }}
      onCompositionStart={() => (composing.current = true)}
      onCompositionEnd={(event) => {
        composing.current = false;
        onText(event.currentTarget.value, "");
      }}
      onBeforeInput={(event) => {
        const { selectionStart, selectionEnd } = event.currentTarget;
        selected.current = markOf(event) ? [selectionStart, selectionEnd] : undefined;
      }}
      onInput={(event) => {
        grow(event.currentTarget);
        if (isWriting.current) return;
        if (!composing.current) onText(event.currentTarget.value, markOf(event), selected.current);
      }}
    />
  );
}

/** Counts every key except modifiers alone, repeats of a pressed key, and shortcuts of the page. */
function isEditing({ key, repeat, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const isForPage = (altKey && !ctrlKey) || ((ctrlKey || metaKey) && key === "Enter");
  return !repeat && !isForPage && !BARE_MODIFIERS.includes(key);
}

/** As if it had been typed where that is possible, so that the browser can undo it, and what was typed before. */
function write(element: HTMLTextAreaElement, text: string): void {
  const { ownerDocument } = element;
  if (ownerDocument.activeElement === element) {
    element.select();
    ownerDocument.execCommand?.("insertText", false, text);
  }
  if (element.value !== asEdited(text)) element.value = text;
}

function isUndo({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "z" && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/** The browser undoes before the next task, or not at all. */
function afterUndo(element: HTMLTextAreaElement, onUndo: () => void): void {
  const before = element.value;
  setTimeout(() => element.value === before && onUndo());
}

function markOf(event: Event): Mark {
  const kind = (event as InputEvent).inputType;
  return kind === "insertFromPaste" || kind === "insertFromDrop" ? "pasted" : "";
}

/** As tall as its text, where the browser does not see to it by `field-sizing`. */
function grow(element: HTMLTextAreaElement): void {
  if (globalThis.CSS?.supports?.("field-sizing", "content")) return;
  element.style.height = "auto";
  element.style.height = `${element.scrollHeight + 2}px`;
}
