/* How long the rest takes at one's own pace. */

import type { Pace } from "../workbench/page";
import type { UnsentJudgment } from "../workbench/storage";
import { t, tn } from "../workbench/words";

/** Fewer items than these say nothing of one's pace. */
const ENOUGH = 3;

/** What was judged since the page was loaded, as it is put into the queue. */
export class Visit {
  items = 0;
  ms = 0;
  private readonly seen = new Set<string>();

  add(judgments: readonly UnsentJudgment[]): void {
    for (const { key, base_revision, active_ms } of judgments) {
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      this.ms += active_ms ?? 0;
      if (base_revision === 0) this.items += 1;
    }
  }
}

/** Working time with its reading allowance; `isOwn` once it is this person's own. */
export function secondsEach(pace: Pace, visit: Pick<Visit, "items" | "ms">): { seconds: number; isOwn: boolean } {
  const [items, ms] = [pace.items + visit.items, pace.ms + visit.ms];
  const isOwn = items >= ENOUGH && ms > 0;
  return { seconds: isOwn ? ms / 1000 / items : pace.expected, isOwn };
}

/** In words; no more exact than it can be known. */
export function timeWords(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return t("less than a minute");
  if (minutes < 60) return tn("about {n} minute", "about {n} minutes", minutes);
  const rounded = Math.round(minutes / 5) * 5;
  return t("about {hours} h {minutes} min", { hours: Math.floor(rounded / 60), minutes: rounded % 60 });
}
