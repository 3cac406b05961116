/* What can be done to the cell in focus: marks, tags, its score; undone and redone. */

import type { Answer } from "../../workbench/api";
import { giveFocus } from "../../workbench/render/controls";
import type { Typed } from "../../workbench/state";
import { t } from "../../workbench/words";
import type { Side } from "../spans/span";
import type { Cell as Range } from "../spans/text_units";
import {
  HIGHEST,
  type Mark,
  marksOf,
  scoreOf,
  type Severity,
  severityName,
  STEP,
  tagsOf,
  toStep,
  withParts,
} from "./cell_answer";
import { cellName, cellsOf } from "./columns";
import { type Chosen, Desk, type Place, scoreId } from "./desk";

export const TYPING_PAUSE_MS = 1500;

export class MarkingDesk extends Desk {
  /** What is selected but no mark yet. */
  get selection(): Range | null {
    const { here } = this;
    const { anchor, at, side } = this.focus.value;
    if (anchor === null || !here) return null;
    const { words } = this.units(here, side);
    const from = words.find(({ end }) => end > Math.min(anchor, at));
    const to = words.find(({ end }) => end > Math.max(anchor, at));
    return from && to ? { start: from.start, end: to.end } : null;
  }

  private change(answer: Answer, merge = "", typed: Typed | null = null): void {
    this.workbench.change({ answer, merge, typed });
  }

  /** The range becomes a mark, and is in focus until its severity is chosen. */
  mark({ start, end }: Range, severity: Severity = "", side: Side = this.focus.value.side): void {
    const { here } = this;
    if (!here) return;
    const { slot } = here.cell;
    const made: Mark = { side, start, end, severity };
    const answer = withParts(this.answerTo(here.item), slot, {
      spans: [...marksOf(this.answerTo(here.item), slot), made],
    });
    const place = marksOf(answer, slot).indexOf(made);
    this.change(answer);
    this.note("create_span", severity || undefined);
    this.put({ anchor: null, side, chosen: severity === "" ? { kind: "mark", place } : null });
    if (severity) this.announce(t("{severity} error marked", { severity: severityName(severity) }));
  }

  addTag(tag: string): void {
    const { here } = this;
    if (!here) return;
    const { slot } = here.cell;
    const tags = [...tagsOf(this.answerTo(here.item), slot), { tag, severity: "" as Severity }];
    this.change(withParts(this.answerTo(here.item), slot, { tags }));
    this.note("create_tag", tag);
    this.put({ anchor: null, chosen: { kind: "tag", place: tags.length - 1 } });
    this.announce(t("Tag added. Minor or major?"));
  }

  /** Of what is chosen or selected; false where there is nothing to rate. */
  rate(severity: Severity): boolean {
    const { here, selection } = this;
    const { chosen } = this.focus.value;
    if (!here) return false;
    if (selection) {
      this.mark(selection, severity);
      giveFocus(this.wordIdAt(here));
      return true;
    }
    if (!chosen) return false;
    this.change(this.withChosen(here, chosen, (one) => ({ ...one, severity })));
    this.note("severity", severity);
    this.put({ chosen: null });
    giveFocus(this.wordIdAt(here));
    this.announce(severityName(severity));
    return true;
  }

  /** What is chosen, else the mark around the word in focus. */
  remove(): boolean {
    const { here } = this;
    const chosen = this.focus.value.chosen ?? this.markAtWord();
    if (!here || !chosen) return false;
    this.change(this.withChosen(here, chosen, () => null));
    this.note(chosen.kind === "mark" ? "delete_span" : "delete_tag");
    this.put({ chosen: null, anchor: null });
    giveFocus(this.wordIdAt(here));
    this.announce(t("Deleted"));
    return true;
  }

  private withChosen({ item, cell }: Place, { kind, place }: Chosen, edit: <T extends object>(one: T) => T | null) {
    const answer = this.answerTo(item);
    const edited = <T extends object>(all: readonly T[]) =>
      all.map((one, at) => (at === place ? edit(one) : one)).filter((one) => one !== null);
    return kind === "mark"
      ? withParts(answer, cell.slot, { spans: edited(marksOf(answer, cell.slot)) })
      : withParts(answer, cell.slot, { tags: edited(tagsOf(answer, cell.slot)) });
  }

  /** The shortest mark over the word in focus. */
  markAtWord(): Chosen | null {
    const { here } = this;
    if (!here) return null;
    const { side, at } = this.focus.value;
    return markOver(marksOf(this.answerTo(here.item), here.cell.slot), side, at);
  }

  choose(chosen: Chosen | null): void {
    const { here } = this;
    const mark =
      chosen?.kind === "mark" && here ? marksOf(this.answerTo(here.item), here.cell.slot)[chosen.place] : null;
    this.put({ chosen, anchor: null, ...(mark && { side: mark.side, at: mark.start }) });
    if (here) giveFocus(this.wordIdAt(here));
  }

  /** The next mark or tag of this translation, or the one before. */
  goToMark(by: 1 | -1): boolean {
    const { here } = this;
    if (!here) return false;
    const answer = this.answerTo(here.item);
    const all: Chosen[] = [
      ...marksOf(answer, here.cell.slot).map((_, place) => ({ kind: "mark" as const, place })),
      ...tagsOf(answer, here.cell.slot).map((_, place) => ({ kind: "tag" as const, place })),
    ];
    if (all.length === 0) return false;
    const { chosen, at } = this.focus.value;
    const now = all.findIndex(({ kind, place }) => kind === chosen?.kind && place === chosen.place);
    const marks = marksOf(answer, here.cell.slot);
    const nearest = all.findIndex(({ kind, place }) => kind === "tag" || marks[place]!.start >= at);
    const next = now >= 0 ? now + by : by === 1 ? Math.max(nearest, 0) : (nearest < 0 ? all.length : nearest) - 1;
    this.choose(all[(next + all.length) % all.length]!);
    return true;
  }

  // --- the score ------------------------------------------------------------------------------------

  score(value: number, merge: string, typed: Typed | null = null): void {
    const { here } = this;
    if (!here) return;
    const { slot } = here.cell;
    this.change(withParts(this.answerTo(here.item), slot, { score: toStep(value) }), `${merge}:${slot}`, typed);
    this.note("score", toStep(value));
  }

  /** Digits typed one after the other are one number. */
  typeDigit(digit: string, at: number): void {
    const { here } = this;
    if (!here) return;
    const { typed } = this.workbench.state.value;
    const key = scoreId(here);
    const longer = typed?.slot === key && at - typed.at < TYPING_PAUSE_MS ? typed.text + digit : digit;
    const text = Number(longer) <= HIGHEST && longer.length <= 3 ? longer : digit;
    this.score(Number(text), "typed", { text, slot: key, at });
  }

  /** Before the first score steps begin in the middle. */
  stepScore(by: 1 | -1): void {
    const { here } = this;
    if (!here) return;
    const score = scoreOf(this.answerTo(here.item), here.cell.slot) ?? HIGHEST / 2;
    this.score(score + by * STEP, "stepped");
  }

  // --- undo -----------------------------------------------------------------------------------------

  /** The translation that undo or redo has changed is in focus. */
  travelled = (before: Answer, after: Answer, way: "undo" | "redo"): void => {
    const { here } = this;
    if (!here) return;
    this.note(way);
    const changed = cellsOf(here.item).find(
      ({ slot }) => JSON.stringify(before.slots[slot]) !== JSON.stringify(after.slots[slot]),
    );
    this.put({ chosen: null, anchor: null });
    if (changed && changed.slot !== here.cell.slot) this.put({ column: changed.columns[0]!, at: 0, side: "target" });
    this.announce(t("Undone or redone in translation {name}", { name: cellName(changed ?? here.cell) }));
  };
}

/** The shortest of the marks over a place. */
export function markOver(marks: readonly Mark[], side: Side, at: number): Chosen | null {
  let best: { length: number; place: number } | null = null;
  marks.forEach((mark, place) => {
    if (mark.side !== side || mark.start > at || mark.end <= at) return;
    const length = mark.end - mark.start;
    if (!best || length < best.length) best = { length, place };
  });
  return best && { kind: "mark", place: (best as { place: number }).place };
}
