/* What an annotator does with words and errors, from wherever it is done: by key, by mouse, by touch, from the list. */

import type { Answer, Item } from "../../workbench/api";
import { giveFocus } from "../../workbench/focus";
import { t, tn } from "../../workbench/words";
import { add, clean, refusal, remove, replace, spansAt } from "./actions";
import { isWritten } from "./begun";
import type { Desk, Shown } from "./desk";
import { type Described, type Marking, type Place, type Selection, UNDESCRIBED, wordId } from "./marking_state";
import { boundsOf, cellAt, cellsOf, moveEdge, type Stretch, type Way } from "./selection";
import { SEVERITIES, type Severity, type Span, spansOf, textOf } from "./span";
import { type Cell, type TextUnits, unitsOf } from "./text_units";
import { choiceAt, fits, lacking } from "./typology";
import { describe } from "./words";

/** The languages of both sides, for cutting texts. */
export type Languages = Readonly<Record<Place["side"], string>>;

export class Gestures {
  languages: Languages = { source: "", target: "" };

  constructor(readonly desk: Desk) {}

  /** What is drawn now is what gestures are about. */
  show(shown: Shown, languages: Languages): void {
    this.desk.shown = shown;
    this.languages = languages;
  }

  private get shown(): Shown {
    const { shown } = this.desk;
    if (!shown) throw new Error("No item is shown.");
    return shown;
  }

  spans(slot: string): readonly Span[] {
    return spansOf(this.shown.item, this.shown.answer, slot) ?? [];
  }

  units({ slot, side }: Place): TextUnits {
    return unitsOf(textOf(this.shown.item, slot, side), this.languages[side]);
  }

  // --- words ---------------------------------------------------------------------------------------

  /** The cursor stands on a word; nothing is selected by that. */
  moveTo(place: Place, at: number): void {
    this.lay({
      cursor: { ...place, at },
      said: this.letterAt(place, at),
      ...(!this.isWriting && { slot: place.slot }),
    });
  }

  /** Where one goes letter by letter, the letter is told: what reads the screen has the word in focus. */
  private letterAt(place: Place, at: number): string {
    if (!this.desk.marking.value.byLetters) return "";
    const { text, letters } = this.units(place);
    const cell = cellAt(letters, at);
    return cell ? [...text].slice(cell.start, cell.end).join("") : "";
  }

  select(place: Place, stretch: Stretch, of: number | null = null): void {
    if (this.keepsTo(place, of)) return;
    const { item } = this.shown;
    const selection: Selection = { ...place, ...stretch, of };
    this.desk.set(item, { selection, slot: place.slot, notice: "", cursor: { ...place, at: stretch.head.start } });
  }

  /** A gap before or after what is selected: something is missing there. */
  selectGap(place: Place, at: number): void {
    const gap = { start: at, end: at };
    this.select(place, { anchor: gap, head: gap });
  }

  /** Something is missing before or after what is selected, or the word the cursor is on. */
  describeGap(isAfter: boolean): boolean {
    const { item } = this.shown;
    const { selection, cursor, slot } = this.desk.of(item);
    if (!this.desk.marks.marksMissing) return false;
    const place = selection ?? cursor ?? { slot, side: "target" as const };
    const cell = selection ? boundsOf(selection) : cellAt(this.units(place).words, cursor?.at ?? 0);
    this.selectGap({ slot: place.slot, side: place.side }, (isAfter ? cell?.end : cell?.start) ?? 0);
    this.describe();
    return true;
  }

  switchLetters(item = this.shown.item): void {
    const byLetters = !this.desk.of(item).byLetters;
    this.desk.set(item, { byLetters, said: byLetters ? t("Letter by letter.") : t("Word by word.") });
  }

  // --- errors --------------------------------------------------------------------------------------

  /** Opens the dialog about what is selected; false where no further error can be marked. */
  describe(preset: Partial<Described> = {}): boolean {
    const { item, answer } = this.shown;
    const { selection, described: begun } = this.desk.of(item);
    if (!selection) return false;
    const old = selection.of === null ? undefined : this.spans(selection.slot)[selection.of];
    const why = old ? "" : refusal(item, answer, selection.slot, this.desk.marks);
    if (why) {
      const { most } = this.desk.marks;
      const words =
        why === "full"
          ? tn(
              "{n} error is marked: no more are asked. Change or delete it.",
              "{n} errors are marked: no more are asked. Change one, or delete one.",
              most,
            )
          : t("One error covers the whole translation. Delete it to mark others.");
      this.desk.drop(item, { notice: words });
      return false;
    }
    const described = old
      ? { severity: old.severity, category: old.category ?? "", note: old.note, lacks: "" as const }
      : UNDESCRIBED;
    this.desk.set(item, { described: { ...(begun && isWritten(begun) ? begun : described), ...preset } });
    return true;
  }

  private get isWriting(): boolean {
    return isWritten(this.desk.of(this.shown.item).described);
  }

  /** What was written about one error is not thrown away by pointing at another: that is said. */
  private keepsTo({ slot, side }: Place, of: number | null): boolean {
    const { item } = this.shown;
    const { selection } = this.desk.of(item);
    if (!selection || !this.isWriting || (selection.slot === slot && selection.side === side && selection.of === of))
      return false;
    this.desk.set(item, { notice: t("Finish the error you began, or close it.") });
    return true;
  }

  /** Nothing selected any more, unless something is being written about it. */
  private lay(part: Partial<Marking>): void {
    const { item } = this.shown;
    if (this.isWriting) this.desk.set(item, part);
    else this.desk.drop(item, part);
  }

  rewrite(part: Partial<Described>): void {
    const { item } = this.shown;
    const { described, selection } = this.desk.of(item);
    if (!described || !selection) return;
    const next = { ...described, lacks: "" as const, ...part };
    const forced = choiceAt(this.desk.marks.choices, next.category)?.severity;
    this.desk.set(item, { described: forced ? { ...next, severity: forced } : next });
  }

  /** Marks what is described, or says what lacks. */
  take(root: Document): boolean {
    const { item } = this.shown;
    const { described, selection } = this.desk.of(item);
    if (!described || !selection) return false;
    const { choices } = this.desk.marks;
    const choice = choiceAt(choices, described.category);
    const lacks = choice && !fits(choice, selection.side) ? "category" : lacking(choices, described);
    if (lacks || !described.severity) {
      this.desk.set(item, { described: { ...described, lacks } });
      return false;
    }
    this.put(selection, { ...described, severity: described.severity }, root);
    return true;
  }

  private put(
    selection: Selection,
    { severity, category, note }: Omit<Described, "severity"> & { severity: Severity },
    root: Document,
  ): void {
    const { slot, side, of } = selection;
    const { marks } = this.desk;
    const old = of === null ? undefined : this.spans(slot)[of];
    const span: Span = {
      ...old,
      side,
      ...boundsOf(selection),
      ...(marks.choices.length > 0 && { category }),
      severity,
      note: note.trim(),
    };
    const { item, answer } = this.shown;
    const next =
      of === null || !old ? add(item, answer, slot, span, marks) : replace(item, answer, slot, of, span, marks);
    const number = of === null || !old ? (spansOf(item, next, slot) ?? []).length : of + 1;
    this.leave(selection, root, t("Marked: {error}.", { error: describe(marks.choices, span, number) }));
    this.change(next);
  }

  /** Out of the dialog, back to the word it was about. */
  leave(place: Place & Stretch, root: Document, said = ""): void {
    const { item } = this.shown;
    const { start } = boundsOf(place);
    this.desk.drop(item, { said, cursor: { slot: place.slot, side: place.side, at: start } });
    giveFocus(this.wordId(place, start), root);
  }

  wordId(place: Place, at: number): string {
    return wordId(place, cellAt(this.units(place).words, at)?.start ?? 0);
  }

  /** An error takes the place of the selection: keys and the dialog are about it. */
  choose(slot: string, place: number, root: Document): boolean {
    const span = this.spans(slot)[place];
    const on = { slot, side: span?.side ?? "target" };
    if (!span || this.keepsTo(on, place)) return false;
    const { item } = this.shown;
    const cell = { start: span.start, end: span.end };
    this.select(on, { anchor: cell, head: cell }, place);
    this.desk.set(item, { described: null, said: describe(this.desk.marks.choices, span, place + 1) });
    giveFocus(this.wordId(on, span.start), root);
    return true;
  }

  /** The next or the previous error of the translation one is at. */
  goTo(way: Way, root: Document): boolean {
    const { item } = this.shown;
    const { selection, slot } = this.desk.of(item);
    const count = this.spans(slot).length;
    if (count === 0) {
      this.desk.set(item, { said: t("No error is marked.") });
      return true;
    }
    const from = selection?.of ?? (way > 0 ? -1 : 0);
    this.choose(slot, (from + way + count) % count, root);
    return true;
  }

  /** The error in focus: the one chosen, else the shortest over the word the cursor is on. */
  inFocus(): { slot: string; place: number } | null {
    const { selection, cursor } = this.desk.of(this.shown.item);
    if (selection) return selection.of === null ? null : { slot: selection.slot, place: selection.of };
    if (!cursor) return null;
    const word = cellAt(this.units(cursor).words, cursor.at);
    const place = word ? spansAt(this.spans(cursor.slot), cursor.side, word.start, word.end)[0] : undefined;
    return place === undefined ? null : { slot: cursor.slot, place };
  }

  remove(slot: string, place: number): void {
    const { item, answer } = this.shown;
    const span = this.spans(slot)[place];
    if (!span) return;
    const { selection } = this.desk.of(item);
    const of = selection?.slot === slot ? selection.of : null;
    const said = t("Deleted: {error}.", { error: describe(this.desk.marks.choices, span, place + 1) });
    if (of === place) this.desk.drop(item, { said });
    else this.lay({ said, ...(selection && of !== null && of > place && { selection: { ...selection, of: of - 1 } }) });
    this.change(remove(item, answer, slot, place, this.desk.marks));
  }

  /** The bounds of a marked error, moved from key to key; one undo takes a run of them back. */
  moveEdge(edge: "start" | "end", way: Way, byLetters: boolean): void {
    const { item, answer } = this.shown;
    const { selection } = this.desk.of(item);
    const old = selection && selection.of !== null ? this.spans(selection.slot)[selection.of] : undefined;
    if (!selection || selection.of === null || !old) return;
    const moved = moveEdge(cellsOf(this.units(selection), byLetters), old, edge, way);
    this.rebound(selection, moved);
    this.change(
      replace(
        item,
        answer,
        selection.slot,
        selection.of,
        { ...old, start: moved.start, end: moved.end },
        this.desk.marks,
      ),
      `bounds:${selection.slot}:${selection.of}`,
    );
  }

  private rebound({ slot, side, of }: Selection, { start, end }: Cell): void {
    const cell = { start, end };
    this.select({ slot, side }, { anchor: cell, head: cell }, of);
  }

  /** A digit: the severity of what is selected, of the error in focus, or of the word the cursor is on. */
  rate(rank: number, root: Document): boolean {
    const severity = SEVERITIES[rank];
    const { marks } = this.desk;
    if (!severity || !marks.severities.includes(severity)) return false;
    const { item, answer } = this.shown;
    const { selection } = this.desk.of(item);
    const old = selection && selection.of !== null ? this.spans(selection.slot)[selection.of] : undefined;
    if (!selection) return false;
    if (!old || selection.of === null) {
      if (this.describe({ severity }) && marks.choices.length === 0) this.take(root);
      return true;
    }
    const forced = choiceAt(marks.choices, old.category)?.severity;
    const span = { ...old, severity: forced || severity };
    this.desk.set(item, { said: describe(marks.choices, span, selection.of + 1) });
    this.change(replace(item, answer, selection.slot, selection.of, span, marks));
    return true;
  }

  /** Nothing is wrong with the translation one is at. */
  clean(item: Item, answer: Answer): Answer {
    const { slot } = this.desk.of(item);
    if (isWritten(this.desk.of(item).described)) this.desk.set(item, { said: t("No errors.") });
    else this.desk.drop(item, { said: t("No errors.") });
    return clean(answer, slot);
  }

  firstWordId(item: Item, slot: string): string {
    const place = { slot, side: "target" } as const;
    const { words } = unitsOf(textOf(item, slot, "target"), this.languages.target);
    return wordId(place, words[0]?.start ?? 0);
  }

  /** The focus brings the cursor along, by whatever way it came. */
  entered(place: Place, at: number): void {
    const { item } = this.shown;
    const { cursor, slot } = this.desk.of(item);
    const isHere = cursor !== null && cursor.slot === place.slot && cursor.side === place.side;
    const word = isHere ? cellAt(this.units(place).words, cursor.at) : null;
    if (word?.start !== at || slot !== place.slot) this.desk.set(item, { cursor: { ...place, at }, slot: place.slot });
  }

  focus(id: string, root: Document): void {
    giveFocus(id, root);
  }

  change(answer: Answer, merge = ""): void {
    this.shown.change({ answer, merge, typed: null });
  }
}
