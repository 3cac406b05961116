/* Time spent on items not yet submitted, kept by the tab: a reload must not make quick work of what took long. */

import type { Stopwatch } from "./stopwatch";

type TabStorage = Pick<globalThis.Storage, "getItem" | "setItem">;

export class KeptTimes {
  private readonly key: string;

  constructor(private readonly tab: TabStorage | null, assignment: string) {
    this.key = `assay-times:${assignment}`;
  }

  /** The watches of the visit before, stopped since; none where the tab keeps nothing. */
  read(): [item: string, watch: Stopwatch][] {
    try {
      const kept = JSON.parse(this.tab?.getItem(this.key) ?? "{}") as Record<string, Stopwatch>;
      return Object.entries(kept).map(([item, watch]) => [item, { ...watch, creditedAt: null }]);
    } catch {
      return [];
    }
  }

  write(watches: ReadonlyMap<string, Stopwatch>): void {
    try {
      this.tab?.setItem(this.key, JSON.stringify(Object.fromEntries(watches)));
    } catch {
      return; // a tab that may keep nothing: the time begins anew with its next visit
    }
  }
}
