/* What is done on a screen, and when: kept by the tab until the screen is submitted, then sent with it. */

import type { LoggedAction } from "../../workbench/api";
import { storedInTab, storeInTab } from "../../workbench/storage";

/** As the server takes them: the oldest are dropped, but the first. */
export const MOST_ACTIONS = 5000;
const ONE_MOVE_MS = 1500; // a number that is dragged or typed is chosen once

export class ActionLog {
  private readonly logs: Map<string, LoggedAction[]>;
  private readonly key: string;

  constructor(assignment: string) {
    this.key = `assay-actions:${assignment}`;
    this.logs = storedInTab<LoggedAction[]>(this.key);
  }

  add(screen: string, name: string, ...rest: (number | string)[]): void {
    const log = this.logs.get(screen) ?? [];
    const action: LoggedAction = [Date.now(), name, ...rest];
    const last = log.at(-1);
    if (name === "score" && last && isOneMove(last, action)) log.pop();
    if (log.length >= MOST_ACTIONS) log.splice(1, 1);
    log.push(action);
    this.logs.set(screen, log);
  }

  /** The screen is submitted: its next log begins. */
  take(screen: string): readonly LoggedAction[] {
    this.add(screen, "submit");
    const log = this.logs.get(screen) ?? [];
    this.logs.delete(screen);
    this.store();
    return log;
  }

  store(): void {
    storeInTab(this.key, this.logs);
  }
}

function isOneMove(last: LoggedAction, next: LoggedAction): boolean {
  return next[0] - last[0] < ONE_MOVE_MS && String(last.slice(1, 4)) === String(next.slice(1, 4));
}
