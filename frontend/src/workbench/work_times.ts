/* Time spent on each item not yet submitted, stored by the tab, so that a reload does not shorten it. Elapsed by the
   clock; active while the page is visible and the last input is not longer ago than reading the text may take; reading
   is the part of it in pauses. docs/decisions/0061-fair-time.md has the formula. */

import type { Submission } from "./api";
import type { Pauses } from "./page";
import type { State } from "./state";
import { storedInTab, storeInTab } from "./storage";

interface Stopwatch {
  readonly startedAt: number;
  readonly activeMs: number;
  readonly readingMs: number;
  /** When activity was last credited; null while the page is hidden. */
  readonly creditedAt: number | null;
}

const LONE = /[\u0e00-\u109f\u1780-\u17ff\u3040-\u9fff]{1,2}/g; // Thai to Burmese, Khmer, kana and Han: no spaces
const READING_MS = 5000; // between two inputs: a longer pause is reading
const GRACE_MS = 60_000; // who answers the cover within it was there all the time

/** By their spaces; where a script has none, two characters are a word. */
export function wordsIn(text: string): number {
  return text.replace(LONE, " $& ").match(/\S+/g)?.length ?? 0;
}

/** The longest pause that counts: time to think, and to read slowly all that is shown. */
export function pauseMs({ items, context }: Pick<State, "items" | "context">, [seconds, speed]: Pauses): number {
  const texts = items.flatMap(({ source, reference, slots }) => [source, reference, ...slots.map(({ text }) => text)]);
  const all = [...texts, ...context.flatMap(({ source, text }) => [source, text])].join(" ");
  return Math.round(seconds * 1000 + (wordsIn(all) / speed) * 60_000);
}

export class WorkTimes {
  private readonly key: string;
  private readonly watches = new Map<string, Stopwatch>();
  private isHidden = false;

  constructor(
    assignment: string,
    private readonly idleMs: () => number,
  ) {
    this.key = `assay-times:${assignment}`;
    // those of the visit before have been stopped since
    for (const [item, watch] of storedInTab<Stopwatch>(this.key))
      this.watches.set(item, { ...watch, creditedAt: null });
  }

  turn(from: string, to: string): void {
    this.credit(from, null);
    if (!to) return;
    this.watches.set(to, this.watchOf(to));
    if (!this.isHidden) this.resume(to);
  }

  /** After input: the time since the last input counts. */
  touch(item: string): void {
    this.credit(item, Date.now());
  }

  /** Since then the machine slept, another tab was worked in, or there is a break. */
  stop(item: string, since?: number): void {
    this.credit(item, null, since);
  }

  /** The time worked on it; the next visit to it starts at zero. */
  take(item: string): Pick<Submission, "started" | "elapsed_ms" | "active_ms" | "reading_ms"> {
    this.credit(item, null);
    const { startedAt, activeMs: active_ms, readingMs: reading_ms } = this.watchOf(item);
    this.watches.delete(item);
    const elapsed_ms = Math.max(0, Date.now() - startedAt); // a clock set back makes no negative time
    return { started: new Date(startedAt).toISOString(), elapsed_ms, active_ms, reading_ms };
  }

  /** The time worked on it so far. */
  activeMs(item: string): number {
    const watch = this.watchOf(item);
    return watch.activeMs + this.pauseOf(watch);
  }

  hide(item: string): void {
    this.isHidden = true;
    this.credit(item, null);
    storeInTab(this.key, this.watches);
  }

  show(item: string): void {
    this.isHidden = false;
    this.resume(item);
  }

  /** A stopwatch that starts now, if the item has none. */
  private watchOf(item: string): Stopwatch {
    return this.watches.get(item) ?? { startedAt: Date.now(), activeMs: 0, readingMs: 0, creditedAt: null };
  }

  private resume(item: string): void {
    const watch = this.watches.get(item);
    if (watch?.creditedAt === null) this.watches.set(item, { ...watch, creditedAt: Date.now() });
  }

  private credit(item: string, creditedAt: number | null, now = Date.now()): void {
    const watch = this.watches.get(item);
    if (!watch) return;
    const pause = this.pauseOf(watch, now);
    const readingMs = watch.readingMs + (pause > READING_MS ? pause : 0);
    this.watches.set(item, { ...watch, activeMs: watch.activeMs + pause, readingMs, creditedAt });
  }

  /** What counts of the time since the last input. Who did not answer the cover left at some time before it: half. */
  private pauseOf({ creditedAt }: Stopwatch, now = Date.now()): number {
    const pause = creditedAt === null ? 0 : Math.max(0, now - creditedAt);
    const longest = this.idleMs();
    return pause > longest + GRACE_MS ? Math.round(longest / 2) : pause;
  }
}
