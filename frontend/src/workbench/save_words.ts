/* The save state in words: one place, top right. */

import type { SaveState } from "./save";
import { t, tn } from "./words";

export interface SaveWords {
  readonly look: "saved" | "saving" | "offline" | "error";
  readonly text: string;
  /** Changes every second and is not read out. */
  readonly aside: string;
  readonly canTryNow: boolean;
}

export function saveWords(save: SaveState, now: number): SaveWords {
  const waiting = save.judgments.filter((judgment) => !judgment.hold).length;
  const n = save.judgments.length;
  switch (save.stage) {
    case "signed_out":
      return {
        ...words("error", n ? tn("Signed out, {n} kept here", "Signed out, {n} kept here", n) : t("Signed out")),
        canTryNow: true,
      };
    case "offline":
      return words("offline", n ? keptWords(save, n) : t("Offline"));
    case "failing":
      return { ...words("error", t("Not saved")), aside: nextTry(save, now), canTryNow: true };
    case "sending":
      if (save.backlog) return words("saving", tn("Sending {n} kept answer", "Sending {n} kept answers", waiting));
      if (save.slow) return words("saving", t("Saving"));
  }
  const held = n - waiting;
  if (held && save.stage === "rest") return words("error", tn("{n} answer needs you", "{n} answers need you", held));
  return words("saved", save.draft === "saved" ? t("Draft saved") : t("Saved"));
}

function keptWords(save: SaveState, n: number): string {
  return save.lasting
    ? tn("Offline, {n} kept on this device", "Offline, {n} kept on this device", n)
    : tn("Offline, {n} kept in this page", "Offline, {n} kept in this page", n);
}

function nextTry(save: SaveState, now: number): string {
  if (save.nextTryAt === null) return "";
  return t(", next try in {seconds} s", { seconds: Math.max(1, Math.ceil((save.nextTryAt - now) / 1000)) });
}

function words(look: SaveWords["look"], text: string): SaveWords {
  return { look, text, aside: "", canTryNow: false };
}
