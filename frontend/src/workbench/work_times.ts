/* Time spent on each item not yet submitted, kept by the tab: a reload must not make quick work of what took long. */

import * as stopwatch from "./stopwatch";

type TabStorage = Pick<globalThis.Storage, "getItem" | "setItem">;

export class WorkTimes {
  private readonly key: string;
  private readonly watches: Map<string, stopwatch.Stopwatch>;
  private isHidden = false;

  constructor(
    private readonly tab: TabStorage | null,
    assignment: string,
    private readonly idleMs: number,
  ) {
    this.key = `assay-times:${assignment}`;
    this.watches = new Map(this.kept());
  }

  turn(from: string, to: string): void {
    const now = Date.now();
    this.change(from, (left) => stopwatch.pause(left, now, this.idleMs));
    const entered = this.watches.get(to);
    const running = entered ? stopwatch.resume(entered, now) : stopwatch.start(now);
    if (to) this.watches.set(to, this.isHidden ? stopwatch.pause(running, now, this.idleMs) : running);
  }

  touch(item: string): void {
    this.change(item, (watch) => stopwatch.touch(watch, Date.now(), this.idleMs));
  }

  /** How long was worked on it; the next look at it begins anew. */
  take(item: string): stopwatch.Times {
    const watch = this.watches.get(item) ?? stopwatch.start(Date.now());
    this.watches.delete(item);
    return stopwatch.read(watch, Date.now(), this.idleMs);
  }

  /** The time worked on it so far. */
  activeMs(item: string): number {
    const watch = this.watches.get(item);
    return watch ? stopwatch.read(watch, Date.now(), this.idleMs).activeMs : 0;
  }

  hide(item: string): void {
    this.isHidden = true;
    this.change(item, (watch) => stopwatch.pause(watch, Date.now(), this.idleMs));
    try {
      this.tab?.setItem(this.key, JSON.stringify(Object.fromEntries(this.watches)));
    } catch {
      return; // a tab that may keep nothing: the time begins anew with its next visit
    }
  }

  show(item: string): void {
    this.isHidden = false;
    this.change(item, (watch) => stopwatch.resume(watch, Date.now()));
  }

  private change(item: string, change: (watch: stopwatch.Stopwatch) => stopwatch.Stopwatch): void {
    const watch = this.watches.get(item);
    if (watch) this.watches.set(item, change(watch));
  }

  /** The watches of the visit before, stopped since; none where the tab keeps nothing. */
  private kept(): [item: string, watch: stopwatch.Stopwatch][] {
    try {
      const kept = JSON.parse(this.tab?.getItem(this.key) ?? "{}") as Record<string, stopwatch.Stopwatch>;
      return Object.entries(kept).map(([item, watch]) => [item, { ...watch, creditedAt: null }]);
    } catch {
      return [];
    }
  }
}
