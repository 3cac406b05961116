/* What an annotator does with words and errors, by key, mouse, touch, or from the list; and its state: the cursor, the
   selection, the error being described. */

import { type Signal, signal } from "@preact/signals";

import type { Answer, Item } from "../../workbench/api";
import { giveFocus } from "../../workbench/render/controls";
import { t, tn } from "../../workbench/words";
import type { AnswerProps } from "../protocol";
import {
  boundsOf,
  cellAt,
  cellsOf,
  type Described,
  isSamePlace,
  isWritten,
  type Marking,
  type Marks,
  moveEdge,
  newMarking,
  type Place,
  type Selection,
  type Stretch,
  UNDESCRIBED,
  UnfinishedErrors,
  type Way,
  wordId,
} from "./marking_state";
import { put, refusal, remove, SEVERITIES, type Span, spansAt, spansOf, textOf, withSpans } from "./span";
import { type TextUnits, unitsOf } from "./text_units";
import { choiceAt, fits, missingPart } from "./typology";
import { describe } from "./words";

type Shown = Pick<AnswerProps, "item" | "answer" | "change">;

export class Gestures {
  readonly marking: Signal<Marking> = signal(newMarking("", "", false));
  /** The languages of both sides, for cutting texts. */
  private languages: Readonly<Record<Place["side"], string>> = { source: "", target: "" };
  private shownNow: Shown | null = null;
  /** Of the error marked last: it is offered first. */
  lastCategory = "";
  private readonly unfinished = new UnfinishedErrors();

  constructor(readonly marks: Marks) {}

  /** Gestures act on what is drawn now. */
  show(shown: Shown, languages: Gestures["languages"]): void {
    this.shownNow = shown;
    this.languages = languages;
  }

  get shown(): Shown {
    if (!this.shownNow) throw new Error("No item is shown.");
    return this.shownNow;
  }

  get now(): Marking {
    return this.of(this.shown.item);
  }

  /** Another item starts with nothing selected, or with the unfinished error of that item. */
  of(item: Item): Marking {
    const now = this.marking.value;
    if (now.item === item.id) return now;
    return { ...newMarking(item.id, item.slots[0]?.slot ?? "", now.byLetters), ...this.unfinished.of(item.id) };
  }

  set(part: Partial<Marking>, item = this.shown.item): void {
    this.marking.value = { ...this.of(item), ...part, item: item.id };
    this.unfinished.store(this.marking.value);
  }

  /** Nothing selected any more; what is announced stays. */
  deselect(part: Partial<Marking> = {}, item = this.shown.item): void {
    this.set({ selection: null, described: null, notice: "", ...part }, item);
  }

  /** Nothing selected any more, unless a note is being written about it. */
  private deselectUnlessWriting(part: Partial<Marking>): void {
    if (isWritten(this.now.described)) this.set(part);
    else this.deselect(part);
  }

  spans(slot: string): readonly Span[] {
    return spansOf(this.shown.item, this.shown.answer, slot);
  }

  units({ slot, side }: Place): TextUnits {
    return unitsOf(textOf(this.shown.item, slot, side), this.languages[side]);
  }

  wordId(place: Place, at: number): string {
    return wordId(place, cellAt(this.units(place).words, at)?.start ?? 0);
  }

  firstWordId(item: Item, slot: string): string {
    const { words } = unitsOf(textOf(item, slot, "target"), this.languages.target);
    return wordId({ slot, side: "target" }, words[0]?.start ?? 0);
  }

  // --- words ---------------------------------------------------------------------------------------

  /** Moves the cursor to a word, without selecting it. */
  moveTo(place: Place, at: number): void {
    const announcement = this.letterAt(place, at);
    const isWriting = isWritten(this.now.described);
    this.deselectUnlessWriting({ cursor: { ...place, at }, announcement, ...(!isWriting && { slot: place.slot }) });
  }

  /** Letter by letter, the letter is announced: a screen reader has the word in focus. */
  private letterAt(place: Place, at: number): string {
    if (!this.now.byLetters) return "";
    const { text, letters } = this.units(place);
    const cell = cellAt(letters, at);
    return cell ? [...text].slice(cell.start, cell.end).join("") : "";
  }

  select(place: Place, { anchor, head }: Stretch, error: number | null = null): void {
    if (this.refusesToLeave(place, error)) return;
    const { slot, side } = place;
    const cursor = { slot, side, at: head.start };
    this.set({ selection: { slot, side, anchor, head, error }, slot, notice: "", cursor });
  }

  /** Something is missing before or after what is selected, or the word the cursor is on. */
  describeGap(isAfter: boolean): boolean {
    const { selection, cursor, slot } = this.now;
    if (!this.marks.marksMissing) return false;
    const place = selection ?? cursor ?? { slot, side: "target" as const };
    const cell = selection ? boundsOf(selection) : cellAt(this.units(place).words, cursor?.at ?? 0);
    this.selectGap(place, (isAfter ? cell?.end : cell?.start) ?? 0);
    this.describe();
    return true;
  }

  selectGap(place: Place, at: number): void {
    const gap = { start: at, end: at };
    this.select(place, { anchor: gap, head: gap });
  }

  switchLetters(item = this.shown.item): void {
    const byLetters = !this.of(item).byLetters;
    this.set(
      { byLetters, announcement: byLetters ? t("Marking single characters.") : t("Marking whole words.") },
      item,
    );
  }

  /** The cursor follows the focus. */
  entered(place: Place, at: number): void {
    const { cursor, slot } = this.now;
    const word = cursor && isSamePlace(cursor, place) ? cellAt(this.units(place).words, cursor.at) : null;
    if (word?.start !== at || slot !== place.slot) this.set({ cursor: { ...place, at }, slot: place.slot });
  }

  // --- errors --------------------------------------------------------------------------------------

  /** Opens the dialog about what is selected; false where no further error can be marked. */
  describe(preset: Partial<Described> = {}): boolean {
    const { item, answer } = this.shown;
    const { selection, described: begun } = this.now;
    if (!selection) return false;
    const old = this.errorOf(selection);
    const reason = old ? "" : refusal(item, answer, selection.slot, this.marks);
    if (reason) {
      const full = tn(
        "The limit of {n} error is reached. Change or delete it.",
        "The limit of {n} errors is reached. Change or delete one.",
        this.marks.most,
      );
      const notice = reason === "full" ? full : t("One error covers the whole translation. Delete it to mark others.");
      this.deselect({ notice });
      return false;
    }
    const described = old
      ? { severity: old.severity, category: old.category ?? "", note: old.note, missing: "" as const }
      : UNDESCRIBED;
    this.set({ described: { ...(begun && isWritten(begun) ? begun : described), ...preset } });
    return true;
  }

  /** The marked error that is selected. */
  private errorOf({ slot, error }: Selection): Span | undefined {
    return error === null ? undefined : this.spans(slot)[error];
  }

  /** A note about one error is not lost by clicking another: a notice says so. */
  private refusesToLeave(place: Place, error: number | null): boolean {
    const { selection, described } = this.now;
    if (!selection || !isWritten(described) || (isSamePlace(selection, place) && selection.error === error))
      return false;
    this.set({ notice: t("Finish or close the error you are describing.") });
    return true;
  }

  rewrite(part: Partial<Described>): void {
    const { described, selection } = this.now;
    if (!described || !selection) return;
    const next = { ...described, missing: "" as const, ...part };
    const forced = choiceAt(this.marks.choices, next.category)?.severity;
    this.set({ described: forced ? { ...next, severity: forced } : next });
  }

  /** Marks the error that is described, or says what it lacks. */
  mark(): boolean {
    const { described, selection } = this.now;
    if (!described || !selection) return false;
    const { choices } = this.marks;
    const { category, severity, note } = described;
    const choice = choiceAt(choices, category);
    const missing = choice && !fits(choice, selection.side) ? "category" : missingPart(choices, described);
    if (missing || !severity) {
      this.set({ described: { ...described, missing } });
      return false;
    }
    const { slot, side } = selection;
    const old = this.errorOf(selection);
    const place = old ? selection.error : null;
    const span: Span = {
      ...old,
      side,
      ...boundsOf(selection),
      ...(choices.length > 0 && { category }),
      severity,
      note: note.trim(),
    };
    const { item, answer } = this.shown;
    const next = put(item, answer, slot, place, span, this.marks);
    const number = place === null ? spansOf(item, next, slot).length : place + 1;
    this.leave(selection, t("Marked: {error}.", { error: describe(choices, span, number) }));
    this.change(next);
    this.lastCategory = category;
    return true;
  }

  /** Closes the dialog and returns to the word of the error. */
  leave(place: Place & Stretch, announcement = ""): void {
    const { slot, side } = place;
    const { start } = boundsOf(place);
    this.deselect({ announcement, cursor: { slot, side, at: start } });
    giveFocus(this.wordId(place, start));
  }

  /** Selects an error for keys and the dialog. */
  choose(slot: string, error: number): boolean {
    const span = this.spans(slot)[error];
    const place = { slot, side: span?.side ?? "target" };
    if (!span || this.refusesToLeave(place, error)) return false;
    this.select(place, { anchor: span, head: span }, error);
    this.set({ described: null, announcement: describe(this.marks.choices, span, error + 1) });
    giveFocus(this.wordId(place, span.start));
    return true;
  }

  edit(slot: string, error: number): void {
    if (this.choose(slot, error)) this.describe();
  }

  /** The next or the previous error of the current translation. */
  goTo(way: Way): boolean {
    const { selection, slot } = this.now;
    const count = this.spans(slot).length;
    if (count === 0) {
      this.set({ announcement: t("No error is marked.") });
      return true;
    }
    const from = selection?.error ?? (way > 0 ? -1 : 0);
    this.choose(slot, (from + way + count) % count);
    return true;
  }

  /** Deletes the error in focus: the one chosen, else the shortest over the word the cursor is on. */
  removeInFocus(): void {
    const { selection, cursor } = this.now;
    if (selection) return selection.error === null ? undefined : this.remove(selection.slot, selection.error);
    const word = cursor && cellAt(this.units(cursor).words, cursor.at);
    const error = word ? spansAt(this.spans(cursor.slot), cursor.side, word.start, word.end)[0] : undefined;
    if (cursor && error !== undefined) this.remove(cursor.slot, error);
  }

  remove(slot: string, error: number): void {
    const { item, answer } = this.shown;
    const span = this.spans(slot)[error];
    if (!span) return;
    const { selection } = this.now;
    const chosen = selection?.slot === slot ? selection.error : null;
    const announcement = t("Deleted: {error}.", { error: describe(this.marks.choices, span, error + 1) });
    if (chosen === error) this.deselect({ announcement });
    else if (selection && chosen !== null && chosen > error)
      this.deselectUnlessWriting({ announcement, selection: { ...selection, error: chosen - 1 } });
    else this.deselectUnlessWriting({ announcement });
    this.change(remove(item, answer, slot, error, this.marks));
  }

  /** The bounds of a marked error, moved from key to key; one undo takes a run of them back. */
  moveEdge(edge: "start" | "end", way: Way, byLetters: boolean): void {
    const { selection } = this.now;
    const old = selection && this.errorOf(selection);
    if (!selection || !old) return;
    const cell = moveEdge(cellsOf(this.units(selection), byLetters), old, edge, way);
    this.select(selection, { anchor: cell, head: cell }, selection.error);
    this.replace(
      selection,
      { ...old, start: cell.start, end: cell.end },
      `bounds:${selection.slot}:${selection.error}`,
    );
  }

  /** A digit: the severity of what is selected. */
  rate(rank: number): boolean {
    const severity = SEVERITIES[rank];
    const { selection } = this.now;
    if (!severity || !this.marks.severities.includes(severity) || !selection) return false;
    const old = this.errorOf(selection);
    if (!old) {
      if (this.describe({ severity }) && this.marks.choices.length === 0) this.mark();
      return true;
    }
    const forced = choiceAt(this.marks.choices, old.category)?.severity;
    const span = { ...old, severity: forced || severity };
    this.set({ announcement: describe(this.marks.choices, span, (selection.error ?? 0) + 1) });
    this.replace(selection, span);
    return true;
  }

  private replace({ slot, error }: Selection, span: Span, merge = ""): void {
    const { item, answer } = this.shown;
    this.change(put(item, answer, slot, error, span, this.marks), merge);
  }

  /** Confirms that the current translation has no errors. */
  markNoErrors(item: Item, answer: Answer): Answer {
    const { slot, described } = this.of(item);
    const announcement = t("No errors.");
    if (isWritten(described)) this.set({ announcement }, item);
    else this.deselect({ announcement }, item);
    return withSpans(answer, slot, []);
  }

  change(answer: Answer, merge = ""): void {
    this.shown.change({ answer, merge });
  }
}
