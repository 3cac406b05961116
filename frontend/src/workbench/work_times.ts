/* Time spent on each item not yet submitted, stored by the tab, so that a reload does not shorten it. Elapsed by the
   clock; active while the page is visible and the last input is not too long ago. Reading counts as work. */

type TabStorage = Pick<globalThis.Storage, "getItem" | "setItem">;

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
    const now = Date.now();
    this.change(from, (left) => pause(left, now, this.idleMs));
    const entered = this.watches.get(to);
    const running = entered ? resume(entered, now) : start(now);
    if (to) this.watches.set(to, this.isHidden ? pause(running, now, this.idleMs) : running);
  }

  touch(item: string): void {
    this.change(item, (watch) => touch(watch, Date.now(), this.idleMs));
  }

  /** The time worked on it; the next visit to it starts at zero. */
  take(item: string): Times {
    const watch = this.watches.get(item) ?? start(Date.now());
    this.watches.delete(item);
    return read(watch, Date.now(), this.idleMs);
  }

  /** The time worked on it so far. */
  activeMs(item: string): number {
    const watch = this.watches.get(item);
    return watch ? read(watch, Date.now(), this.idleMs).activeMs : 0;
  }

  hide(item: string): void {
    this.isHidden = true;
    this.change(item, (watch) => pause(watch, Date.now(), this.idleMs));
    try {
      this.tab?.setItem(this.key, JSON.stringify(Object.fromEntries(this.watches)));
    } catch {
      return; // a tab that may store nothing: the time starts at zero on its next visit
    }
  }

  show(item: string): void {
    this.isHidden = false;
    this.change(item, (watch) => resume(watch, Date.now()));
  }

  private change(item: string, change: (watch: Stopwatch) => Stopwatch): void {
    const watch = this.watches.get(item);
    if (watch) this.watches.set(item, change(watch));
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

interface Stopwatch {
  readonly startedAt: number;
  readonly activeMs: number;
  /** When activity was last credited; null while the page is hidden. */
  readonly creditedAt: number | null;
}

interface Times {
  startedAt: number;
  elapsedMs: number;
  activeMs: number;
}

const LONGEST_MS = 2 ** 31 - 1; // the maximum of the database column

export function start(now: number): Stopwatch {
  return { startedAt: now, activeMs: 0, creditedAt: now };
}

/** After input: the time since the last input counts, up to the idle limit. */
export function touch(watch: Stopwatch, now: number, idleMs: number): Stopwatch {
  return { ...watch, activeMs: watch.activeMs + sinceCredit(watch, now, idleMs), creditedAt: now };
}

export function pause(watch: Stopwatch, now: number, idleMs: number): Stopwatch {
  return { ...touch(watch, now, idleMs), creditedAt: null };
}

export function resume(watch: Stopwatch, now: number): Stopwatch {
  return watch.creditedAt === null ? { ...watch, creditedAt: now } : watch;
}

export function read(watch: Stopwatch, now: number, idleMs: number): Times {
  const elapsedMs = clamp(now - watch.startedAt);
  const activeMs = Math.min(elapsedMs, clamp(watch.activeMs + sinceCredit(watch, now, idleMs)));
  return { startedAt: watch.startedAt, elapsedMs, activeMs };
}

function sinceCredit(watch: Stopwatch, now: number, idleMs: number): number {
  return watch.creditedAt === null ? 0 : Math.min(Math.max(0, now - watch.creditedAt), idleMs);
}

function clamp(milliseconds: number): number {
  return Math.round(Math.min(Math.max(0, milliseconds), LONGEST_MS));
}
