/* Time spent on each item not yet submitted, stored by the tab, so that a reload does not shorten it. Elapsed by the
   clock; active while the page is visible and the last input is not too long ago. Reading counts as work. */

type TabStorage = Pick<globalThis.Storage, "getItem" | "setItem">;

interface Stopwatch {
  readonly startedAt: number;
  readonly activeMs: number;
  /** When activity was last credited; null while the page is hidden. */
  readonly creditedAt: number | null;
}

const LONGEST_MS = 2 ** 31 - 1; // the maximum of the database column

export class WorkTimes {
  private readonly key: string;
  private readonly watches: Map<string, Stopwatch>;
  private isHidden = false;

  constructor(
    private readonly tab: TabStorage | null,
    assignment: string,
    private readonly idleMs: number,
  ) {
    this.key = `assay-times:${assignment}`;
    this.watches = new Map(this.stored());
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
  take(item: string): { startedAt: number; elapsedMs: number; activeMs: number } {
    const watch = this.watchOf(item);
    this.watches.delete(item);
    return { startedAt: watch.startedAt, elapsedMs: elapsedOf(watch), activeMs: this.activeOf(watch) };
  }

  /** The time worked on it so far. */
  activeMs(item: string): number {
    return this.activeOf(this.watchOf(item));
  }

  hide(item: string): void {
    this.isHidden = true;
    this.credit(item, null);
    try {
      this.tab?.setItem(this.key, JSON.stringify(Object.fromEntries(this.watches)));
    } catch {
      return; // a tab that may store nothing: the time starts at zero on its next visit
    }
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
    return activeMs + (creditedAt === null ? 0 : Math.min(Math.max(0, Date.now() - creditedAt), this.idleMs));
  }

  private activeOf(watch: Stopwatch): number {
    return Math.min(elapsedOf(watch), Math.round(this.creditedMs(watch)));
  }

  /** The stopwatches of the visit before, stopped since; none where the tab stores nothing. */
  private stored(): [item: string, watch: Stopwatch][] {
    try {
      const stored = JSON.parse(this.tab?.getItem(this.key) ?? "{}") as Record<string, Stopwatch>;
      return Object.entries(stored).map(([item, watch]) => [item, { ...watch, creditedAt: null }]);
    } catch {
      return [];
    }
  }
}

/** A clock set back makes no negative time. */
function elapsedOf({ startedAt }: Stopwatch): number {
  return Math.round(Math.min(Math.max(0, Date.now() - startedAt), LONGEST_MS));
}
