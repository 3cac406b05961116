/* Post-editing: the translation is corrected in the row of its text; the dock shows the effort. */

import { ROWS } from "../workbench/render/rows";
import { type Signal, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Answer, Item } from "../workbench/api";
import type { Language } from "../workbench/page";
import { Button, Read, singleKey } from "../workbench/render/controls";
import { t } from "../workbench/words";
import { asEdited, beforeReset, EditLog, type Mark, postEditOf, type Selected, shownText } from "./edit_log";
import type { AnswerProps, Change, ControlProps, Protocol, Stroke, TextsProps } from "./protocol";
import { type Difference, difference } from "./word_difference";

const LONGEST = 50_000;
const BARE_MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];

/** What the page keeps beside the answers: the log of the editing, and whether changes are shown. */
interface ScreenState {
  readonly log: EditLog;
  readonly isDifferenceShown: Signal<boolean>;
  readonly showsSource: boolean;
}

export function postEditing(options: { readonly show_source: boolean }): Protocol {
  const screen: ScreenState = { log: new EditLog(), isDifferenceShown: signal(true), showsSource: options.show_source };
  return {
    parts: ROWS,
    beside: "source",
    layout: screen.showsSource ? "columns" : "rows",
    answerHeading: t("Edits"),
    translationHeading: (language) => t("{language}, your version", { language }),
    hints: () => [
      { keys: ["Alt", "N"], does: t("no edit needed") },
      { keys: ["Alt", "R"], does: t("reset") },
    ],
    keys: [
      { keys: ["Alt", "N"], does: t("No edit needed") },
      { keys: ["Alt", "R"], does: t("Reset to the translation, or restore your edits") },
      { keys: ["D"], does: t("Show or hide the changes") },
      { keys: ["Ctrl", "Z"], does: t("Undo in the text, including a reset") },
    ],
    submitKeys: ["Ctrl", "Enter"],
    missing,
    missingAt: ({ slots }, answer) => `edit-${slots.find(({ slot }) => !postEditOf(answer, slot)?.text.trim())?.slot}`,
    summary: (item, answer) => item.slots.map(({ slot }) => editsOf(item, answer, slot).edits).join(", "),
    quote: (item, answer) => item.slots.map(({ slot }) => editedText(item, answer, slot)).join("\n"),
    press: () => null,
    pressWithAlt: (stroke, { item, answer }) => pressWithAlt(stroke, item, answer, screen),
    look: ({ key }) => toggles(key, screen),
    Texts: (props) => <Texts {...props} screen={screen} />,
    Control,
    Second: (props) => <NoEdit {...props} screen={screen} />,
    Tools: (props) => props.item.slots.map(({ slot }) => <Reset key={slot} {...props} slot={slot} screen={screen} />),
  };
}

function missing(item: Item, answer: Answer): string {
  const texts = item.slots.map(({ slot }) => postEditOf(answer, slot)?.text);
  if (texts.includes(undefined)) return t("Edit the translation, or choose “No edit needed”.");
  return texts.every((text) => text?.trim()) ? "" : t("The translation is empty.");
}

function editedText(item: Item, answer: Answer, slot: string): string {
  return postEditOf(answer, slot)?.text ?? shownText(item, slot);
}

function editsOf(item: Item, answer: Answer, slot: string): Difference {
  return difference(shownText(item, slot), editedText(item, answer, slot));
}

function toggles(key: string, { isDifferenceShown }: ScreenState): boolean {
  if (key !== "d") return false;
  isDifferenceShown.value = !isDifferenceShown.value;
  return true;
}

function pressWithAlt({ key, slot }: Stroke, item: Item, answer: Answer, screen: ScreenState): Change | null {
  if (key === "n") return leave(item, answer, screen);
  const first = slot ?? item.slots[0]?.slot;
  const isReset = key === "r" && first !== undefined && canReset(item, answer, first);
  return isReset ? reset(item, answer, first, screen) : null;
}

/** No edit needed: every translation as it was shown. */
function leave(item: Item, answer: Answer, { log }: ScreenState): Change {
  const write = (left: Answer, { slot }: Item["slots"][number]) =>
    log.write(item, left, slot, shownText(item, slot), "reset");
  return { answer: item.slots.reduce(write, answer) };
}

/** Back to the translation as it was shown; and from there back to the edits. */
function reset(item: Item, answer: Answer, slot: string, { log }: ScreenState): Change {
  const edits = beforeReset(item, answer, slot);
  const text = edits ?? shownText(item, slot);
  return { answer: log.write(item, answer, slot, text, edits === null ? "reset" : "restored") };
}

function canReset(item: Item, answer: Answer, slot: string): boolean {
  return beforeReset(item, answer, slot) !== null || editedText(item, answer, slot) !== shownText(item, slot);
}

function Texts(props: TextsProps & { screen: ScreenState }) {
  const { item, answer, page, isCurrent, screen } = props;
  const isEditable = isCurrent && answer.cannot_judge === null;
  return (
    <>
      {screen.showsSource && <Read of={page.source} text={item.source} className="src" />}
      <div class="tgt stack-s">
        {item.slots.map(({ slot }, index) =>
          isEditable ? (
            <Editor key={`${item.id}:${slot}`} {...props} slot={slot} isFirst={index === 0} />
          ) : (
            <Read key={slot} of={page.target} text={editedText(item, answer, slot)} />
          ),
        )}
      </div>
      {isEditable && <Changes {...props} />}
    </>
  );
}

interface EditorProps extends TextsProps {
  readonly screen: ScreenState;
  readonly slot: string;
  readonly isFirst: boolean;
}

/** The browser owns the text while it is typed, so that its own undo and every input method work; the answer hears of
    each change once it is made, and writes back only what came from elsewhere. */
function Editor({ item, answer, page, change, slot, isFirst, screen }: EditorProps) {
  const { log } = screen;
  const { language, name, direction } = page.target;
  const text = editedText(item, answer, slot);
  const area = useRef<HTMLTextAreaElement>(null);
  const composing = useRef(false);
  const selected = useRef<Selected>();
  const isWriting = useRef(false);
  useLayoutEffect(() => log.open(item, answer, slot), []);
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
  const take = (written: string, mark: Mark = "", replaced?: Selected) =>
    change({ answer: log.write(item, answer, slot, written, mark, replaced), merge: `edited:${slot}` });
  const putBack = () => {
    if (beforeReset(item, answer, slot) !== null) change(reset(item, answer, slot, screen));
  };
  return (
    <textarea
      ref={area}
      class="editor read"
      id={`edit-${slot}`}
      lang={language}
      dir={direction}
      rows={3}
      placeholder={shownText(item, slot) === "" ? t("[no output]") : undefined}
      maxLength={LONGEST}
      spellcheck
      autocomplete="off"
      autocapitalize="off"
      aria-label={t("Your version, {language}", { language: name })}
      aria-describedby="facts"
      data-slot={slot}
      data-first={isFirst ? "" : undefined}
      onKeyDown={(event) => {
        if (isEditing(event)) log.press(item, slot);
        if (isUndo(event)) afterUndo(event.currentTarget, putBack);
      }}
      onCompositionStart={() => (composing.current = true)}
      onCompositionEnd={(event) => {
        composing.current = false;
        take(event.currentTarget.value);
      }}
      onBeforeInput={(event) => {
        const { selectionStart, selectionEnd } = event.currentTarget;
        selected.current = markOf(event) ? [selectionStart, selectionEnd] : undefined;
      }}
      onInput={(event) => {
        grow(event.currentTarget);
        if (!isWriting.current && !composing.current) take(event.currentTarget.value, markOf(event), selected.current);
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

function Changes({ item, answer, page, screen }: TextsProps & { screen: ScreenState }) {
  const isShown = screen.isDifferenceShown.value;
  return (
    <div class="ref stack-s changes">
      <p class="lang row tight">
        {t("Changes to the translation")}
        <Button
          look="link"
          {...singleKey(page, "D")}
          aria-expanded={isShown}
          aria-controls="changes"
          onClick={() => toggles("d", screen)}
        >
          {isShown ? t("Hide") : t("Show")}
        </Button>
      </p>
      <div id="changes" hidden={!isShown}>
        {isShown &&
          item.slots.map(({ slot }) => <Marked key={slot} of={page.target} difference={editsOf(item, answer, slot)} />)}
      </div>
    </div>
  );
}

function Marked({ of, difference: { pieces, edits } }: { of: Language; difference: Difference }) {
  if (edits === 0) return <p class="muted">{t("No changes.")}</p>;
  const marked = pieces.map(({ kind, text }, index) => {
    if (kind === "same") return text;
    return kind === "removed" ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
  });
  return <Read of={of}>{marked}</Read>;
}

function Control({ item, answer, activeMs }: ControlProps) {
  const differences = item.slots.map(({ slot }) => editsOf(item, answer, slot));
  const edits = differences.reduce((sum, { edits: count }) => sum + count, 0);
  const words = differences.reduce((sum, { words: count }) => sum + count, 0);
  return (
    <dl class="facts" id="facts">
      <div>
        <dt>{t("edited words")}</dt>
        <dd class="num">{edits}</dd>
      </div>
      <div>
        <dt>{t("HTER, estimated")}</dt>
        <dd class="num">{asShare(edits / Math.max(1, words))}</dd>
      </div>
      <WorkingTime key={item.id} activeMs={activeMs} />
    </dl>
  );
}

/** As the results have it, where a whole text edited is 1. */
function asShare(hter: number): string {
  const form = { minimumFractionDigits: 2, maximumFractionDigits: 2, numberingSystem: "latn" };
  return new Intl.NumberFormat(document.documentElement.lang || "en", form).format(hter);
}

interface ButtonProps extends AnswerProps {
  readonly screen: ScreenState;
}

function NoEdit({ item, answer, change, screen }: ButtonProps) {
  const isLeft = item.slots.every(({ slot }) => postEditOf(answer, slot)?.text === shownText(item, slot));
  return (
    <Button
      look="big"
      keys={["Alt", "N"]}
      aria-keyshortcuts="Alt+N"
      aria-pressed={isLeft}
      onClick={() => change(leave(item, answer, screen))}
    >
      {t("No edit needed")}
    </Button>
  );
}

function Reset({ item, answer, change, slot, screen }: ButtonProps & { slot: string }) {
  const isOpen = canReset(item, answer, slot);
  const press = () => isOpen && change(reset(item, answer, slot, screen));
  return (
    <Button aria-disabled={isOpen ? undefined : "true"} aria-keyshortcuts="Alt+R" onClick={press}>
      {beforeReset(item, answer, slot) !== null ? t("Restore my edits") : t("Reset to the translation")}
    </Button>
  );
}

/** Runs by the second while there is work; the stopwatch knows what counts. */
function WorkingTime({ activeMs }: { activeMs: () => number }) {
  const [{ seconds, isIdle }, tell] = useState({ seconds: Math.floor(activeMs() / 1000), isIdle: false });
  useEffect(() => {
    let before = activeMs();
    const timer = setInterval(() => {
      const now = activeMs();
      tell({ seconds: Math.floor(now / 1000), isIdle: now === before });
      before = now;
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div>
      <dt>{isIdle ? t("paused, no input") : t("working time")}</dt>
      <dd class="num">{`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}</dd>
    </div>
  );
}
