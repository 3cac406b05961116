/* Post-editing: the translation is corrected in the row of its text; the dock shows the effort. */

import { type Signal, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";

import type { Answer, Item } from "../workbench/api";
import type { Language } from "../workbench/page";
import { Button, Read, singleKey } from "../workbench/render/controls";
import { t } from "../workbench/words";
import { beforeReset, EditLog, postEditOf, shownText } from "./edit_log";
import { Editor } from "./editor";
import type { Change, ControlProps, KeyHint, Protocol, Stroke, TextsProps } from "./protocol";
import { type Difference, difference } from "./word_difference";

/** What the page keeps beside the answers: the log of the editing, and whether changes are shown. */
interface ScreenState {
  readonly log: EditLog;
  readonly isDifferenceShown: Signal<boolean>;
  readonly showsSource: boolean;
}

export function postEditing(options: { readonly show_source: boolean }): Protocol {
  const screen: ScreenState = { log: new EditLog(), isDifferenceShown: signal(true), showsSource: options.show_source };
  return {
    beside: "source",
    layout: screen.showsSource ? "columns" : "rows",
    answerHeading: t("Edits"),
    translationHeading: (language) => t("{language}, your version", { language }),
    hints: [
      { keys: ["Alt", "N"], does: t("no edit needed") },
      { keys: ["Alt", "R"], does: t("reset") },
    ],
    keys: keyHints(),
    submitKeys: ["Ctrl", "Enter"],
    missing: (item, answer) => missing(item, answer),
    summary: (item, answer) => item.slots.map(({ slot }) => editsOf(item, answer, slot).edits).join(", "),
    quote: (item, answer) =>
      item.slots.map(({ slot }) => postEditOf(answer, slot)?.text ?? shownText(item, slot)).join("\n"),
    press: () => null,
    pressWithAlt: (stroke, { item, answer }) => pressWithAlt(stroke, item, answer, screen),
    look: ({ key }) => toggles(key, screen),
    Texts: (props) => <Texts {...props} screen={screen} />,
    Control: (props) => <Control {...props} screen={screen} />,
  };
}

function keyHints(): KeyHint[] {
  return [
    { keys: ["Alt", "N"], does: t("No edit needed") },
    { keys: ["Alt", "R"], does: t("Reset to the translation, or restore your edits") },
    { keys: ["D"], does: t("Show or hide the changes") },
    { keys: ["Ctrl", "Z"], does: t("Undo in the text, including a reset") },
  ];
}

function missing(item: Item, answer: Answer): string {
  const texts = item.slots.map(({ slot }) => postEditOf(answer, slot)?.text);
  if (texts.includes(undefined)) return t("Edit the translation, or choose “No edit needed”.");
  return texts.every((text) => text?.trim()) ? "" : t("The translation is empty.");
}

function editsOf(item: Item, answer: Answer, slot: string): Difference {
  const shown = shownText(item, slot);
  return difference(shown, postEditOf(answer, slot)?.text ?? shown);
}

function toggles(key: string, { isDifferenceShown }: ScreenState): boolean {
  if (key !== "d") return false;
  isDifferenceShown.value = !isDifferenceShown.value;
  return true;
}

function pressWithAlt({ key, slot }: Stroke, item: Item, answer: Answer, screen: ScreenState): Change | null {
  if (key === "n") return leave(item, answer, screen);
  const first = slot ?? item.slots[0]?.slot;
  return key === "r" && first !== undefined ? reset(item, answer, first, screen) : null;
}

/** No edit needed: every translation as it was shown. */
function leave(item: Item, answer: Answer, { log }: ScreenState): Change {
  const write = (left: Answer, { slot }: Item["slots"][number]) =>
    log.write(item, left, slot, shownText(item, slot), "reset", Date.now());
  return { answer: item.slots.reduce(write, answer), merge: "", typed: null };
}

/** Back to the translation as it was shown; and from there back to the edits. */
function reset(item: Item, answer: Answer, slot: string, { log }: ScreenState): Change | null {
  const put = beforeReset(item, answer, slot);
  if (put === null && !isEdited(item, answer, slot)) return null;
  const text = put ?? shownText(item, slot);
  return {
    answer: log.write(item, answer, slot, text, put === null ? "reset" : "restored", Date.now()),
    merge: "",
    typed: null,
  };
}

function isEdited(item: Item, answer: Answer, slot: string): boolean {
  const shown = shownText(item, slot);
  return (postEditOf(answer, slot)?.text ?? shown) !== shown;
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
            <SlotEditor key={`${item.id}:${slot}`} {...props} slot={slot} isFirst={index === 0} />
          ) : (
            <Read key={slot} of={page.target} text={postEditOf(answer, slot)?.text ?? shownText(item, slot)} />
          ),
        )}
      </div>
      {isEditable && <Changes {...props} />}
    </>
  );
}

function SlotEditor({
  item,
  answer,
  page,
  change,
  slot,
  isFirst,
  screen,
}: TextsProps & { screen: ScreenState; slot: string; isFirst: boolean }) {
  const { log } = screen;
  const putBack = () => {
    const made = beforeReset(item, answer, slot) === null ? null : reset(item, answer, slot, screen);
    if (made) change(made);
  };
  return (
    <Editor
      id={`edit-${slot}`}
      of={page.target}
      name={t("Your version, {language}", { language: page.target.name })}
      text={postEditOf(answer, slot)?.text ?? shownText(item, slot)}
      slot={slot}
      isFirst={isFirst}
      onOpen={() => log.open(item, answer, slot, Date.now())}
      onKey={() => log.press(item, slot)}
      onText={(text, mark, selected) =>
        change({
          answer: log.write(item, answer, slot, text, mark, Date.now(), selected),
          merge: `edited:${slot}`,
          typed: null,
        })
      }
      onUndo={putBack}
    />
  );
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
  return <Read of={of}>{marked(pieces)}</Read>;
}

function marked(pieces: Difference["pieces"]) {
  return pieces.map(({ kind, text }, index) => {
    if (kind === "same") return text;
    return kind === "removed" ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
  });
}

function Control({ item, answer, change, activeMs, screen }: ControlProps & { screen: ScreenState }) {
  const differences = item.slots.map(({ slot }) => editsOf(item, answer, slot));
  const edits = differences.reduce((sum, { edits: count }) => sum + count, 0);
  const isLeft = item.slots.every(({ slot }) => postEditOf(answer, slot)?.text === shownText(item, slot));
  const words = differences.reduce((sum, { words: count }) => sum + count, 0);
  return (
    <div class="row editing">
      <dl class="facts" id="facts">
        <div>
          <dt>{t("edited words")}</dt>
          <dd class="num">{edits}</dd>
        </div>
        <div>
          <dt>{t("HTER, estimated")}</dt>
          <dd class="num">{t("{share}%", { share: Math.round((100 * edits) / Math.max(1, words)) })}</dd>
        </div>
        {activeMs && <WorkingTime key={item.id} activeMs={activeMs} />}
      </dl>
      <div class="row tight">
        {item.slots.map(({ slot }) => (
          <Reset key={slot} item={item} answer={answer} change={change} slot={slot} screen={screen} />
        ))}
        <Button
          keys={["Alt", "N"]}
          aria-keyshortcuts="Alt+N"
          aria-pressed={isLeft}
          onClick={() => change(leave(item, answer, screen))}
        >
          {t("No edit needed")}
        </Button>
      </div>
    </div>
  );
}

function Reset({ item, answer, change, slot, screen }: ControlProps & { slot: string; screen: ScreenState }) {
  const isBack = beforeReset(item, answer, slot) !== null;
  const isOpen = isBack || isEdited(item, answer, slot);
  const press = () => {
    const made = reset(item, answer, slot, screen);
    if (made) change(made);
  };
  return (
    <Button aria-disabled={isOpen ? undefined : "true"} aria-keyshortcuts="Alt+R" onClick={press}>
      {isBack ? t("Restore my edits") : t("Reset to the translation")}
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
