/* Which answers are sent next: oldest first, the rows of a screen together. Pure. */

import type { UnsentJudgment } from "./storage";

/** One judgment, or all of a screen; none if nothing can be sent. Later answers to an item wait for earlier ones, and a
    screen waits for each of its rows. `passed`: items whose answers have just failed. */
export function firstSendable(
  judgments: readonly UnsentJudgment[],
  passed: ReadonlySet<string>,
): readonly UnsentJudgment[] {
  const blocked = blockedScreens(judgments, passed);
  const waiting = new Set(passed);
  for (const judgment of judgments) {
    const { item, screen, hold } = judgment;
    if (hold || waiting.has(item) || (screen !== undefined && blocked.has(screen))) waiting.add(item);
    else return screen === undefined ? [judgment] : judgments.filter((other) => other.screen === screen);
  }
  return [];
}

/** A row that waits holds up its screen, whose other rows hold up what follows them in turn. */
function blockedScreens(judgments: readonly UnsentJudgment[], passed: ReadonlySet<string>): ReadonlySet<string> {
  const screens = new Set<string>();
  for (let size = -1; size !== screens.size;) {
    size = screens.size;
    const waiting = new Set(passed);
    for (const { item, screen, hold } of judgments) {
      const isWaiting = hold !== null || waiting.has(item) || (screen !== undefined && screens.has(screen));
      if (isWaiting) waiting.add(item);
      if (isWaiting && screen !== undefined) screens.add(screen);
    }
  }
  return screens;
}
