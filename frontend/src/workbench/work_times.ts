/* Time spent on each item not yet submitted, stored by the tab, so that a reload does not shorten it. Elapsed by the
   clock; active while the page is visible and the last input is not longer ago than reading the text may take. */

import type { Submission } from "./api";
import type { State } from "./state";
import { storedInTab, storeInTab } from "./storage";

interface Stopwatch {
  readonly startedAt: number;
  readonly activeMs: number;
  /** When activity was last credited; null while the page is hidden. */
  readonly creditedAt: number | null;
}

const MS_PER_WORD = 600; // a hundred words a minute: slow reading
const BYTES_PER_WORD = 6; // five letters and a space, or two characters of a script that takes three bytes for each

/** The longest pause that counts: `least`, or as long as reading all that is shown. */
export function readingMs({ items, context }: Pick<State, "items" | "context">, least: number): number {
  const texts = items.flatMap(({ source, reference, slots }) => [source, reference, ...slots.map(({ text }) => text)]);
  const all = [...texts, ...context.flatMap(({ source, text }) => [source, text])].join(" ");
  return Math.max(least * 1000, (new TextEncoder().encode(all).length / BYTES_PER_WORD) * MS_PER_WORD);
}

const LONGEST_MS = 2 ** 31 - 1; // the maximum of the database column

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

  /** After input: the time since the last input counts, up to the idle limit. */
  touch(item: string): void {
    this.credit(item, Date.now());
  }

  /** The time worked on it; the next visit to it starts at zero. */
  take(item: string): Pick<Submission, "started" | "elapsed_ms" | "active_ms"> {
    const watch = this.watchOf(item);
    this.watches.delete(item);
    const started = new Date(watch.startedAt).toISOString();
    return { started, elapsed_ms: elapsedOf(watch), active_ms: this.activeOf(watch) };
  }

  /** The time worked on it so far. */
  activeMs(item: string): number {
    return this.activeOf(this.watchOf(item));
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
    return this.watches.get(item) ?? { startedAt: Date.now(), activeMs: 0, creditedAt: null };
  }

  private resume(item: string): void {
    const watch = this.watches.get(item);
    if (watch?.creditedAt === null) this.watches.set(item, { ...watch, creditedAt: Date.now() });
  }

  private credit(item: string, creditedAt: number | null): void {
    const watch = this.watches.get(item);
    if (watch) this.watches.set(item, { ...watch, activeMs: this.creditedMs(watch), creditedAt });
  }

  private creditedMs({ activeMs, creditedAt }: Stopwatch): number {
    return activeMs + (creditedAt === null ? 0 : Math.min(Math.max(0, Date.now() - creditedAt), this.idleMs()));
  }

  private activeOf(watch: Stopwatch): number {
    return Math.min(elapsedOf(watch), Math.round(this.creditedMs(watch)));
  }
}

/** A clock set back makes no negative time. */
function elapsedOf({ startedAt }: Stopwatch): number {
  return Math.round(Math.min(Math.max(0, Date.now() - startedAt), LONGEST_MS));
}
