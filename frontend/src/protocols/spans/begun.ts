/* Errors begun and not marked yet, kept by the tab: neither a reload nor a look at another text loses what was
   written. */

import type { Described, Marking } from "./marking_state";

export type TabStorage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;
type Kept = Pick<Marking, "selection" | "described" | "slot">;

export const BEGUN = "assay-begun";

export class Begun {
  private readonly kept: Map<string, Kept>;

  constructor(private readonly tab: TabStorage | null) {
    this.kept = read(tab);
  }

  of(item: string): Partial<Kept> {
    return this.kept.get(item) ?? {};
  }

  keep({ item, selection, described, slot }: Marking): void {
    if (!item || (!described && !this.kept.has(item))) return;
    if (described) this.kept.set(item, { selection, described, slot });
    else this.kept.delete(item);
    try {
      if (this.kept.size > 0) this.tab?.setItem(BEGUN, JSON.stringify(Object.fromEntries(this.kept)));
      else this.tab?.removeItem(BEGUN);
    } catch {
      return; // a tab that may keep nothing: what is begun lives as long as the page
    }
  }
}

/** Whether somebody wrote, which no click on another word may throw away. */
export function isWritten(described: Described | null): boolean {
  return described !== null && described.note.trim() !== "";
}

function read(tab: TabStorage | null): Map<string, Kept> {
  try {
    return new Map(Object.entries(JSON.parse(tab?.getItem(BEGUN) ?? "{}") as Record<string, Kept>));
  } catch {
    return new Map();
  }
}
