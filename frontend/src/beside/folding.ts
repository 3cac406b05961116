/* Whether instructions are folded: as they were left on this device, else only where there is little room. */

const KEY = "assay-instruction";
const NARROW = "(max-width: 47.99rem)";

export function isFolded(): boolean {
  try {
    const stored = localStorage.getItem(KEY);
    if (stored) return stored === "folded";
  } catch {
    // storage is blocked: nothing is remembered
  }
  return matchMedia(NARROW).matches;
}

export function rememberFolding(isNowFolded: boolean): void {
  try {
    localStorage.setItem(KEY, isNowFolded ? "folded" : "open");
  } catch {
    // as above
  }
}
