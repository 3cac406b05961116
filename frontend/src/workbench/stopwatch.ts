/* Time on an item: elapsed by the clock; active while the page is seen and input is not too long ago. Reading is
   work. */

export interface Stopwatch {
  readonly startedAt: number;
  readonly activeMs: number;
  /** When activity was last credited; null while the page is hidden. */
  readonly creditedAt: number | null;
}

export interface Times {
  startedAt: number;
  elapsedMs: number;
  activeMs: number;
}

const LONGEST_MS = 2 ** 31 - 1; // what the database column holds

export function start(now: number): Stopwatch {
  return { startedAt: now, activeMs: 0, creditedAt: now };
}

/** Input happened: what lies since the last input counts, up to the idle limit. */
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
