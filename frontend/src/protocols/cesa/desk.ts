/* What is in focus on the screen, and the ways to another cell: one desk for the page, whatever text is on it. */

import { signal } from "@preact/signals";

import { isFolded } from "../../beside/folding";
import type { Answer, Item } from "../../workbench/api";
import { giveFocus } from "../../workbench/render/controls";
import { textOf, workOf } from "../../workbench/state";
import type { Workbench } from "../../workbench/workbench";
import type { Side } from "../spans/span";
import { type TextUnits, type Unit, unitsOf } from "../spans/text_units";
import { type CesaOptions, type Lack, lackOf, marksOf, scoreOf, tagsOf } from "./cell_answer";
import { ActionLog } from "./action_log";
import { type Cell, cellAt, cellsOf } from "./columns";
import { type TagChoice, tagChoices } from "./tags";

/** A mark or a tag whose tools are shown. */
export interface Chosen {
  readonly kind: "mark" | "tag";
  readonly place: number;
}

export interface Focus {
  /** The translation in focus is that of this column, in the row of the current item. */
  readonly column: number;
  readonly side: Side;
  /** Where the word in focus begins. */
  readonly at: number;
  /** Where the word begins from which a mark is being drawn; null while none is. */
  readonly anchor: number | null;
  readonly chosen: Chosen | null;
}

export const NARROW = "(max-width: 47.99rem)";

const AT_START: Focus = { column: 1, side: "target", at: 0, anchor: null, chosen: null };

/** A cell of the screen. */
export interface Place {
  readonly item: Item;
  readonly cell: Cell;
}

export class Desk {
  readonly focus = signal<Focus>(AT_START);
  /** Since *submit* was pressed too early, what is missing is said as an error. */
  readonly isRefused = signal(false);
  /** On a narrow screen: one translation at a time, and the instruction folded. */
  readonly isDeck = signal(matchMedia(NARROW).matches);
  readonly isBriefOpen = signal(!isFolded());
  /** For the live region. */
  readonly announcement = signal("");
  readonly tags: readonly TagChoice[];
  /** The cell that was entered, and where it stood: its row grows, others shrink, and it shall not jump. */
  anchor: { readonly id: string; readonly top: number | null } | null = null;
  log!: ActionLog;
  private known: Workbench | null = null;

  constructor(readonly options: CesaOptions) {
    this.tags = tagChoices(options);
  }

  /** The page is known when it is first drawn. */
  at(workbench: Workbench): this {
    this.known = workbench;
    this.log ??= new ActionLog(workbench.page.assignment);
    return this;
  }

  /** In the cell in focus, or on the whole screen. */
  note(name: string, value?: number | string, place: Place | null = this.here): void {
    const [first] = this.items;
    if (!first) return;
    const cell = place ? [this.items.indexOf(place.item), place.cell.slot] : [];
    this.log.add(first.document, name, ...cell, ...(value === undefined ? [] : [value]));
  }

  get workbench(): Workbench {
    if (!this.known) throw new Error("The screen is not drawn yet.");
    return this.known;
  }

  // --- what is on the screen ------------------------------------------------------------------------

  get items(): readonly Item[] {
    const state = this.workbench.state.value;
    return textOf(state, state.current);
  }

  answerTo(item: Item): Answer {
    return workOf(this.workbench.state.value, item.id).entered;
  }

  get here(): Place | null {
    const { current } = this.workbench.state.value;
    const item = this.items.find(({ id }) => id === current);
    const cell = item && cellAt(cellsOf(item), this.focus.value.column);
    return item && cell ? { item, cell } : null;
  }

  /** Row by row, from left to right. */
  get places(): Place[] {
    return this.items.flatMap((item) => cellsOf(item).map((cell) => ({ item, cell })));
  }

  lackAt({ item, cell }: Place): Lack | null {
    return lackOf(this.answerTo(item), cell.slot, this.options);
  }

  get unfinished(): { place: Place; lack: Lack }[] {
    return this.places.flatMap((place) => {
      const lack = this.lackAt(place);
      return lack ? [{ place, lack }] : [];
    });
  }

  units({ item, cell }: Place, side: Side = "target"): TextUnits {
    const { source, target } = this.workbench.page;
    return side === "source" ? unitsOf(item.source ?? "", source.language) : unitsOf(cell.text ?? "", target.language);
  }

  // --- going somewhere ------------------------------------------------------------------------------

  /** Without `takesFocus` the browser's focus is there already. */
  go(
    { item, cell }: Place,
    { at = 0, side = "target" as Side, takesFocus = true, chosen = null as Chosen | null } = {},
  ) {
    const { column } = this.focus.value;
    const isSame = cell.columns.includes(column);
    const last = this.units({ item, cell }, side).words.at(-1);
    this.anchor = { id: cellId({ item, cell }), top: topOf(cellId({ item, cell })) };
    if (!isSamePlace({ item, cell }, this.here)) this.note("enter", undefined, { item, cell });
    this.workbench.show(item.id);
    this.put({
      column: isSame ? column : cell.columns[0]!,
      side,
      at: Math.min(at, last?.start ?? 0),
      anchor: null,
      chosen,
    });
    if (takesFocus) giveFocus(this.startId({ item, cell }));
  }

  /** Something in it was taken hold of. */
  enter(place: Place): void {
    if (!isSamePlace(place, this.here)) this.go(place, { takesFocus: false });
  }

  /** Where work in a cell begins: at its words, or at its score if that comes first. */
  private startId(place: Place): string {
    const isScoreFirst = this.options.order === "score_then_mark";
    const isUnscored = scoreOf(this.answerTo(place.item), place.cell.slot) === null;
    return isScoreFirst && isUnscored ? scoreId(place) : this.wordIdAt(place);
  }

  wordIdAt(place: Place): string {
    const { side } = this.focus.value;
    const word = this.wordIn(place);
    return word ? wordId(place, side, word.start) : textId(place, side);
  }

  /** The word in focus, if that cell is. */
  wordIn(place: Place): Unit | undefined {
    const { side, at } = this.focus.value;
    const { words } = this.units(place, side);
    return words.find(({ end }) => end > at) ?? words.at(-1);
  }

  /** The cell `by` rows and columns away; false at the edge. */
  step(rows: number, columns: number, part: { at?: number } = {}): boolean {
    const { here, items } = this;
    if (!here) return false;
    if (rows) {
      const item = items[items.indexOf(here.item) + rows];
      const cell = item && cellAt(cellsOf(item), this.focus.value.column);
      if (item && cell) this.go({ item, cell }, part);
      return cell !== undefined;
    }
    const cells = cellsOf(here.item);
    const cell = cells[cells.findIndex(({ slot }) => slot === here.cell.slot) + columns];
    if (cell) this.go({ item: here.item, cell }, part);
    return cell !== undefined;
  }

  /** The next cell in order; after the last one the main button. */
  goOn(by: 1 | -1): void {
    const { places, here } = this;
    const next = places[places.findIndex((place) => isSamePlace(place, here)) + by];
    if (next) this.go(next);
    else if (by === 1) giveFocus("submit");
  }

  /** The next unfinished cell after this one, from the first again after the last. */
  goToUnfinished(): boolean {
    const { places, unfinished, here } = this;
    const order = (place: Place) => places.findIndex((other) => isSamePlace(other, place));
    const now = here ? order(here) : -1;
    const next = unfinished.find(({ place }) => order(place) > now) ?? unfinished[0];
    if (next) this.lead(next.place, next.lack);
    else giveFocus("submit");
    return next !== undefined;
  }

  /** To what a cell lacks. */
  lead(place: Place, lack: Lack): void {
    const { item, cell } = place;
    const answer = this.answerTo(item);
    const mark = marksOf(answer, cell.slot).findIndex(({ severity }) => severity === "");
    const tag = tagsOf(answer, cell.slot).findIndex(({ severity }) => severity === "");
    const open: Chosen | null =
      mark >= 0 ? { kind: "mark", place: mark } : tag >= 0 ? { kind: "tag", place: tag } : null;
    this.go(place, { takesFocus: false });
    if (lack === "severity" && open) this.put({ chosen: open });
    giveFocus(lack === "score" ? scoreId(place) : this.wordIdAt(place));
  }

  /** Submits the screen, or leads to what is missing first and says why. */
  submit = (): void => {
    this.workbench.submit();
    if (!this.workbench.state.value.complaint) {
      this.isRefused.value = false;
      this.put(AT_START);
      const { here } = this;
      if (here) giveFocus(this.startId(here));
      return;
    }
    this.isRefused.value = true;
    const first = this.unfinished[0];
    if (first) this.lead(first.place, first.lack);
    else this.workbench.openDialog("comment"); // a reason of one's own is missing
  };

  /** To the text before, from its first row. */
  back(): void {
    const [first] = this.items;
    if (!first) return;
    this.workbench.show(first.id);
    this.workbench.perform("back");
    const [top] = this.items;
    if (top) this.workbench.show(top.id);
    this.put(AT_START);
  }

  put(part: Partial<Focus>): void {
    this.focus.value = { ...this.focus.value, ...part };
  }

  announce(words: string): void {
    this.announcement.value = words;
  }
}

export function isSamePlace(one: Place, other: Place | null): boolean {
  return one.item.id === other?.item.id && one.cell.slot === other.cell.slot;
}

export function cellId({ item, cell }: Place): string {
  return `cell-${item.id}-${cell.slot}`;
}

function topOf(id: string): number | null {
  return document.getElementById(id)?.getBoundingClientRect().top ?? null;
}

export function scoreId({ item, cell }: Place): string {
  return `score-${item.id}-${cell.slot}`;
}

export function wordId(place: Place, side: Side, start: number): string {
  return `${textId(place, side)}-${start}`;
}

/** The source is read for one translation at a time. */
export function textId({ item, cell }: Place, side: Side): string {
  return `${side}-${item.id}-${cell.slot}`;
}
