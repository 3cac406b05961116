/* The dialog about an error: how severe, of which kind, a note. It opens below the words it is about. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Language, PageData } from "../../workbench/page";
import { Icon } from "../../workbench/render/marks";
import { t } from "../../workbench/words";
import { spansAt } from "./actions";
import { CategoryField } from "./category_field";
import { type Described, type Selection, wordId } from "./marking_state";
import type { Gestures } from "./gestures";
import { DIALOG } from "./marking_tools";
import { boundsOf, cellAt } from "./selection";
import { rankOf, type Severity } from "./span";
import { quote } from "./text_units";
import { choiceAt } from "./typology";
import { severityWord, shortened } from "./words";

interface DialogProps {
  readonly gestures: Gestures;
  readonly selection: Selection;
  readonly described: Described;
  readonly page: PageData;
}

export function ErrorDialog(props: DialogProps) {
  const { gestures, selection, described } = props;
  const { marks } = gestures.desk;
  const box = useRef<HTMLDivElement>(null);
  const [isNoted, setNoted] = useState(described.note !== "");
  const choice = choiceAt(marks.choices, described.category);
  const isAsked = useRef(false);
  const addNote = () => {
    isAsked.current = true;
    setNoted(true);
    box.current?.querySelector<HTMLElement>("#note")?.focus();
  };
  useLayoutEffect(() => {
    if (isAsked.current) box.current?.querySelector<HTMLElement>("#note")?.focus();
  }, [isNoted]);
  const take = () => {
    if (box.current) gestures.take(box.current.ownerDocument);
  };
  const say = (part: Partial<Described>, isClicked: boolean) => {
    gestures.rewrite(part);
    const { described: now } = gestures.desk.marking.value;
    if (
      isClicked &&
      selection.of === null &&
      now?.severity &&
      (marks.choices.length === 0 || (now.category && !lacksNote(now)))
    )
      take();
  };
  const lacksNote = ({ category, note }: Described) =>
    Boolean(choiceAt(marks.choices, category)?.needs_note) && !note.trim();
  usePlace(box, props);
  useFocusIn(box, described);
  return (
    <div
      ref={box}
      class={marks.choices.length > 0 ? "pop" : "pop brief"}
      role="dialog"
      id={DIALOG}
      aria-label={selection.of === null ? t("Mark an error") : t("Change error {number}", { number: selection.of + 1 })}
      tabIndex={-1}
      data-slot={selection.slot}
      onKeyDown={(event) => onKey(event, props, take, addNote)}
    >
      <Head {...props} />
      <Severities
        severities={marks.severities}
        chosen={described.severity}
        forced={choice?.severity ?? ""}
        isWrong={described.lacks === "severity"}
        onChoose={(severity, isClicked) => say({ severity }, isClicked)}
      />
      <p class="complaint small" role="alert">
        {complaint(described, marks.severities)}
      </p>
      {marks.choices.length > 0 && (
        <CategoryField
          choices={marks.choices}
          side={selection.side}
          category={described.category}
          isWrong={described.lacks === "category"}
          onChoose={(category) => say({ category }, false)}
          onClick={(category) => say({ category }, true)}
          onTake={take}
        />
      )}
      {isNoted || choice?.needs_note ? (
        <input
          class="input sm note-of"
          id="note"
          dir="auto"
          maxLength={1000}
          aria-label={t("Note")}
          placeholder={choice?.needs_note ? t("Note, needed here") : t("Note")}
          aria-invalid={described.lacks === "note" || undefined}
          value={described.note}
          onInput={(event) => gestures.rewrite({ note: event.currentTarget.value })}
        />
      ) : null}
      <Tools {...props} isNoted={isNoted || Boolean(choice?.needs_note)} onNote={addNote} onTake={take} />
    </div>
  );
}

function complaint({ lacks }: Described, severities: readonly Severity[]): string {
  switch (lacks) {
    case "severity":
      return t("Choose a severity: {digits}.", { digits: severities.map(rankOf).join(", ") });
    case "category":
      return t("Choose a category.");
    case "note":
      return t("This category needs a note.");
    default:
      return "";
  }
}

function Head({ gestures, selection, page }: DialogProps) {
  const { text } = gestures.units(selection);
  const bounds = boundsOf(selection);
  const of: Language = selection.side === "source" ? page.source : page.target;
  const inside =
    selection.of === null
      ? spansAt(gestures.spans(selection.slot), selection.side, bounds.start, Math.max(bounds.end, bounds.start + 1))
      : [];
  return (
    <div class="pop-head">
      {bounds.start === bounds.end ? (
        <p class="small">{t("Something is missing here")}</p>
      ) : (
        <p class="quote" lang={of.language} dir={of.direction}>
          {shortened(quote(text, bounds))}
        </p>
      )}
      {inside.map((place) => (
        <button
          key={place}
          type="button"
          class="link small"
          onClick={(event) => edit(gestures, selection.slot, place, event.currentTarget.ownerDocument)}
        >
          {t("Change error {number}", { number: place + 1 })}
        </button>
      ))}
      <button
        type="button"
        class="btn quiet icon"
        aria-label={t("Close")}
        onClick={(event) => gestures.leave(selection, event.currentTarget.ownerDocument)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

export function edit(gestures: Gestures, slot: string, place: number, root: Document): void {
  if (gestures.choose(slot, place, root)) gestures.describe();
}

interface SeveritiesProps {
  readonly severities: readonly Severity[];
  readonly chosen: Severity | "";
  readonly forced: Severity | "";
  readonly isWrong: boolean;
  readonly onChoose: (severity: Severity, isClicked: boolean) => void;
}

/** Arrows go through native radios: only a click may be taken for the last word. */
function Severities({ severities, chosen, forced, isWrong, onChoose }: SeveritiesProps) {
  const isClicked = useRef(false);
  return (
    <fieldset aria-invalid={isWrong || undefined}>
      <legend class="vh">{t("Severity")}</legend>
      <div class="sevs" style={{ "--k": severities.length }}>
        {severities.map((severity) => (
          <label key={severity} class="opt-b">
            <input
              type="radio"
              name="severity"
              value={severity}
              checked={severity === chosen}
              disabled={forced !== "" && forced !== severity}
              aria-keyshortcuts={String(rankOf(severity))}
              onClick={(event) => {
                isClicked.current = event.detail > 0;
              }}
              onChange={() => onChoose(severity, isClicked.current)}
            />
            <span class="sv" aria-hidden="true" data-s={rankOf(severity)}>
              <i />
            </span>
            <span>
              {severityWord(severity)} <kbd aria-hidden="true">{rankOf(severity)}</kbd>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface ToolsProps extends DialogProps {
  readonly isNoted: boolean;
  readonly onNote: () => void;
  readonly onTake: () => void;
}

function Tools({ gestures, selection, isNoted, onNote, onTake }: ToolsProps) {
  const { start, end } = boundsOf(selection);
  const { of, slot } = selection;
  const canBeMissing = gestures.desk.marks.marksMissing && of === null && start < end;
  return (
    <div class="row tight pop-tools">
      {canBeMissing && (
        <span class="small">
          {t("Missing:")}{" "}
          <button type="button" class="link" onClick={() => gestures.selectGap(selection, start)}>
            {t("before it")}
          </button>
          {" · "}
          <button type="button" class="link" onClick={() => gestures.selectGap(selection, end)}>
            {t("after it")}
          </button>
        </span>
      )}
      {!isNoted && (
        <button type="button" class="link small" aria-keyshortcuts="Alt+N" onClick={onNote}>
          {t("Add a note")}
        </button>
      )}
      {of !== null && (
        <button
          type="button"
          class="btn"
          onClick={(event) => {
            gestures.leave(selection, event.currentTarget.ownerDocument);
            gestures.remove(slot, of);
          }}
        >
          {t("Delete")}
        </button>
      )}
      <button type="button" class="btn go" onClick={onTake}>
        {of === null ? t("Mark") : t("Done")}
      </button>
    </div>
  );
}

function onKey(
  event: KeyboardEvent & { currentTarget: HTMLElement },
  { gestures, selection }: DialogProps,
  take: () => void,
  note: () => void,
): void {
  if (event.isComposing || event.keyCode === 229) return;
  const on = event.target instanceof Element ? event.target : null;
  const isInNote = Boolean(on?.closest("#note"));
  const isControl = event.ctrlKey || event.metaKey;
  if (event.key === "Escape") gestures.leave(selection, event.currentTarget.ownerDocument);
  else if (event.key === "Enter" && (isControl || isInNote || on?.matches("[type=radio], [role=dialog]"))) take();
  else if (/^[0-3]$/.test(event.key) && !isInNote && !isControl && !event.altKey)
    rate(Number(event.key), gestures, take);
  else if (event.altKey && event.code === "KeyN") note();
  else {
    // what is typed here is not for the page; undo and the like are, once no field has them
    if (!isControl && !event.defaultPrevented) event.stopPropagation();
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** Where only the severity is asked a digit is the whole answer. */
function rate(rank: number, gestures: Gestures, take: () => void): void {
  const { marks } = gestures.desk;
  const severity = marks.severities.find((offered) => rankOf(offered) === rank);
  if (!severity) return;
  gestures.rewrite({ severity });
  if (marks.choices.length === 0) take();
}

/** Below the words, or below their text where that is short, so that the other words can be pointed at. */
function usePlace(box: { current: HTMLElement | null }, { gestures, selection }: DialogProps): void {
  const { start } = boundsOf(selection);
  const word = cellAt(gestures.units(selection).words, start)?.start ?? 0;
  useLayoutEffect(() => {
    const pop = box.current;
    const host = pop?.offsetParent;
    const at = pop?.ownerDocument.getElementById(wordId(selection, word));
    const list = at?.closest(".marking");
    if (!pop || !host || !at || !list) return;
    const frame = host.getBoundingClientRect();
    const [mark, text] = [at.getBoundingClientRect(), list.getBoundingClientRect()];
    const bottom = text.bottom - mark.bottom < SHORT_TEXT ? text.bottom : mark.bottom + BELOW_STROKES;
    const left = Math.min(mark.left - frame.left, frame.width - pop.offsetWidth - GAP);
    pop.style.setProperty("--x", `${Math.max(GAP, left)}px`);
    pop.style.setProperty("--y", `${bottom - frame.top + 4}px`);
    if (innerWidth < NARROW) at.scrollIntoView({ block: "start" });
    else pop.scrollIntoView({ block: "nearest" });
  }, [selection.slot, selection.side, word, selection.of]);
}

const SHORT_TEXT = 140;
const BELOW_STROKES = 26;
const GAP = 8;
const NARROW = 768;

/** A keyboard on the screen would cover the text: there the dialog itself takes the focus. */
function useFocusIn(box: { current: HTMLElement | null }, described: Described): void {
  useLayoutEffect(() => {
    const isTouch = matchMedia?.("(hover: none) and (pointer: coarse)").matches ?? false;
    const find = (what: string) => box.current?.querySelector<HTMLElement>(what);
    const first = find("#category") ?? find("input:checked") ?? find("input");
    (isTouch ? box.current : first)?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    if (described.lacks === "note") box.current?.querySelector<HTMLElement>("#note")?.focus();
  }, [described.lacks]);
}
