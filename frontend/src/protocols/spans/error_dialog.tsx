/* The dialog about an error: severity, category, note. It opens below the words of the error. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { isComposing } from "../../workbench/keys";
import type { PageData } from "../../workbench/page";
import { Button, Icon, Radio } from "../../workbench/render/controls";
import { t } from "../../workbench/words";
import type { Gestures } from "./gestures";
import { boundsOf, cellAt, type Described, type Selection, wordId } from "./marking_state";
import { isMissing, rankOf, type Severity, spansAt } from "./span";
import { quote } from "./text_units";
import { choiceAt, missingPart } from "./typology";
import { severityWord, shortened } from "./words";

export const DIALOG = "error-dialog";

interface DialogProps {
  readonly gestures: Gestures;
  readonly selection: Selection;
  readonly described: Described;
  readonly page: PageData;
}

/** A part of the dialog that changes the error; what is clicked may complete it. */
export interface PartProps extends DialogProps {
  readonly rewrite: (part: Partial<Described>, isClicked: boolean) => void;
}

export function ErrorDialog(props: DialogProps) {
  const { gestures, selection, described } = props;
  const { marks } = gestures;
  const box = useRef<HTMLDivElement>(null);
  const [isNoted, setNoted] = useState(described.note !== "");
  const choice = choiceAt(marks.choices, described.category);
  const hasNote = isNoted || Boolean(choice?.needs_note);
  const isAddingNote = useRef(false);
  const focusNote = () => box.current?.querySelector<HTMLElement>("#note")?.focus();
  const addNote = () => {
    isAddingNote.current = true;
    setNoted(true);
    focusNote();
  };
  useLayoutEffect(() => {
    if (isAddingNote.current) focusNote();
  }, [isNoted]);
  const rewrite = (part: Partial<Described>, isClicked: boolean) => {
    gestures.rewrite(part);
    const { described: now } = gestures.marking.value;
    const isComplete = now && missingPart(marks.choices, now) === "";
    if (isClicked && selection.error === null && isComplete) gestures.mark();
  };
  usePlace(box, props);
  useFocusIn(box, described);
  return (
    <div
      ref={box}
      class={marks.choices.length > 0 ? "pop" : "pop brief"}
      role="dialog"
      id={DIALOG}
      aria-label={
        selection.error === null ? t("Mark an error") : t("Change error {number}", { number: selection.error + 1 })
      }
      tabIndex={-1}
      data-slot={selection.slot}
      onKeyDown={(event) => onKey(event, props, addNote)}
    >
      <Head {...props} />
      <Severities {...props} rewrite={rewrite} />
      <p class="complaint small" role="alert">
        {complaint(described, marks.severities)}
      </p>
      {marks.CategoryField && <marks.CategoryField {...props} rewrite={rewrite} />}
      {hasNote && (
        <input
          class="input sm note-of"
          id="note"
          dir="auto"
          maxLength={1000}
          aria-label={t("Note")}
          placeholder={choice?.needs_note ? t("Note (required)") : t("Note")}
          aria-invalid={described.missing === "note" || undefined}
          value={described.note}
          onInput={(event) => gestures.rewrite({ note: event.currentTarget.value })}
        />
      )}
      <Tools {...props} addNote={hasNote ? null : addNote} />
    </div>
  );
}

function complaint({ missing }: Described, severities: readonly Severity[]): string {
  return {
    "": "",
    severity: t("Choose a severity: {digits}.", { digits: severities.map(rankOf).join(", ") }),
    category: t("Choose a category."),
    note: t("This category needs a note."),
  }[missing];
}

function Head({ gestures, selection, page }: DialogProps) {
  const { text } = gestures.units(selection);
  const bounds = boundsOf(selection);
  const of = page[selection.side];
  const inside =
    selection.error === null
      ? spansAt(gestures.spans(selection.slot), selection.side, bounds.start, Math.max(bounds.end, bounds.start + 1))
      : [];
  return (
    <div class="pop-head">
      {isMissing(bounds) ? (
        <p class="small">{t("Missing content here")}</p>
      ) : (
        <p class="quote" lang={of.language} dir={of.direction}>
          {shortened(quote(text, bounds))}
        </p>
      )}
      {inside.map((place) => (
        <Button key={place} look="link small" onClick={() => gestures.edit(selection.slot, place)}>
          {t("Change error {number}", { number: place + 1 })}
        </Button>
      ))}
      <Button look="quiet icon" aria-label={t("Close")} onClick={() => gestures.leave(selection)}>
        <Icon name="close" />
      </Button>
    </div>
  );
}

function Severities({ gestures: { marks }, described, rewrite }: PartProps) {
  const forced = choiceAt(marks.choices, described.category)?.severity;
  return (
    <fieldset aria-invalid={described.missing === "severity" || undefined}>
      <legend class="vh">{t("Severity")}</legend>
      <div class="sevs" style={{ "--k": marks.severities.length }}>
        {marks.severities.map((severity) => (
          <label key={severity} class="opt-b">
            <Radio
              name="severity"
              value={severity}
              checked={severity === described.severity}
              disabled={Boolean(forced) && forced !== severity}
              aria-keyshortcuts={String(rankOf(severity))}
              onChoose={(isClicked) => rewrite({ severity }, isClicked)}
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

function Tools({ gestures, selection, addNote }: DialogProps & { addNote: (() => void) | null }) {
  const { start, end } = boundsOf(selection);
  const { error, slot } = selection;
  const remove = () => {
    gestures.leave(selection);
    if (error !== null) gestures.remove(slot, error);
  };
  return (
    <div class="row tight pop-tools">
      {gestures.marks.marksMissing && error === null && start < end && (
        <span class="small">
          {t("Missing:")}{" "}
          <Button look="link" onClick={() => gestures.selectGap(selection, start)}>
            {t("before it")}
          </Button>
          {" · "}
          <Button look="link" onClick={() => gestures.selectGap(selection, end)}>
            {t("after it")}
          </Button>
        </span>
      )}
      {addNote && (
        <Button look="link small" aria-keyshortcuts="Alt+N" onClick={addNote}>
          {t("Add a note")}
        </Button>
      )}
      {error !== null && <Button onClick={remove}>{t("Delete")}</Button>}
      <Button look="go" onClick={() => gestures.mark()}>
        {error === null ? t("Mark") : t("Done")}
      </Button>
    </div>
  );
}

function onKey(event: KeyboardEvent, { gestures, selection }: DialogProps, addNote: () => void): void {
  if (isComposing(event)) return;
  const on = event.target instanceof Element ? event.target : null;
  const isInNote = Boolean(on?.closest("#note"));
  const isControl = event.ctrlKey || event.metaKey;
  if (event.key === "Escape") gestures.leave(selection);
  else if (event.key === "Enter" && (isControl || isInNote || on?.matches("[type=radio], [role=dialog]")))
    gestures.mark();
  else if (/^[0-3]$/.test(event.key) && !isInNote && !isControl && !event.altKey) rate(Number(event.key), gestures);
  else if (event.altKey && event.code === "KeyN") addNote();
  else {
    // keys typed here are not for the page, except undo and the like outside of fields
    if (!isControl && !event.defaultPrevented) event.stopPropagation();
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** If only the severity is asked, a digit completes the error. */
function rate(rank: number, gestures: Gestures): void {
  const { marks } = gestures;
  const severity = marks.severities.find((offered) => rankOf(offered) === rank);
  if (!severity) return;
  gestures.rewrite({ severity });
  if (marks.choices.length === 0) gestures.mark();
}

/** Below the words, or below their text where that is short, so that the other words can be pointed at. */
function usePlace(box: { current: HTMLElement | null }, { gestures, selection }: DialogProps): void {
  const { start } = boundsOf(selection);
  const word = cellAt(gestures.units(selection).words, start)?.start ?? 0;
  useLayoutEffect(() => {
    const pop = box.current;
    const host = pop?.offsetParent;
    const at = document.getElementById(wordId(selection, word));
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
  }, [selection.slot, selection.side, word, selection.error]);
}

const SHORT_TEXT = 140;
const BELOW_STROKES = 26;
const GAP = 8;
const NARROW = 768;

/** An on-screen keyboard would cover the text: with one the dialog itself takes the focus. */
function useFocusIn(box: { current: HTMLElement | null }, described: Described): void {
  useLayoutEffect(() => {
    const isTouch = matchMedia?.("(hover: none) and (pointer: coarse)").matches ?? false;
    const find = (what: string) => box.current?.querySelector<HTMLElement>(what);
    const first = find("#category") ?? find("input:checked") ?? find("input");
    (isTouch ? box.current : first)?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    if (described.missing === "note") box.current?.querySelector<HTMLElement>("#note")?.focus();
  }, [described.missing]);
}
