/* What is entered for one translation: marks, tags, a score; and what it still lacks. Pure. */

import { type Answer, type Item, withSlot } from "../../workbench/api";
import { t, tn } from "../../workbench/words";
import type { Side } from "../spans/span";

/** "" until the annotator has chosen: a default would be a bias. */
export type Severity = "" | "minor" | "major";

/** Half-open, in code points of the text as shown. */
export interface Mark {
  readonly side: Side;
  readonly start: number;
  readonly end: number;
  readonly severity: Severity;
}

/** A mark without a range. */
export interface Tag {
  readonly tag: string;
  readonly severity: Severity;
}

export interface CesaOptions {
  readonly systems_per_screen: number;
  readonly order: "mark_then_score" | "score_then_mark";
  /** A score below this needs a mark or a tag; 0 for no rule. */
  readonly marks_below: number;
  readonly tags: readonly { readonly name: string; readonly title: string }[];
  readonly mark_source: boolean;
}

export const STEP = 5;
export const HIGHEST = 100;

export function marksOf(answer: Answer, slot: string): readonly Mark[] {
  const spans = answer.slots[slot]?.spans;
  return Array.isArray(spans) ? (spans as Mark[]) : [];
}

export function tagsOf(answer: Answer, slot: string): readonly Tag[] {
  const tags = answer.slots[slot]?.tags;
  return Array.isArray(tags) ? (tags as Tag[]) : [];
}

export function scoreOf(answer: Answer, slot: string): number | null {
  const score = answer.slots[slot]?.score;
  return typeof score === "number" ? score : null;
}

interface Parts {
  readonly spans?: readonly Mark[];
  readonly tags?: readonly Tag[];
  readonly score?: number;
}

/** Marks in the order of the text, as `[` and `]` lead through them. */
export function withParts(answer: Answer, slot: string, parts: Parts): Answer {
  const spans = [...(parts.spans ?? marksOf(answer, slot))].sort(
    (one, other) => Number(other.side === "source") - Number(one.side === "source") || one.start - other.start,
  );
  const tags = parts.tags ?? tagsOf(answer, slot);
  return withSlot(answer, slot, { ...answer.slots[slot], ...parts, spans, tags });
}

/** The nearest score that can be given. */
export function toStep(value: number): number {
  return Math.min(HIGHEST, Math.max(0, Math.round(value / STEP) * STEP));
}

// --- the five bands ---------------------------------------------------------------------------------

export const BAND_STARTS = [0, 25, 45, 65, 85] as const;

export interface Band {
  readonly name: string;
  readonly meaning: string;
}

export function bandOf(score: number): Band {
  if (score >= 85)
    return { name: t("very good"), meaning: t("All meaning is there, it reads naturally; a last look at most.") };
  if (score >= 65) return { name: t("good"), meaning: t("Small inaccuracies or stiffness; light editing.") };
  if (score >= 45)
    return { name: t("acceptable"), meaning: t("The main points are there, with visible losses; real revision.") };
  if (score >= 25) return { name: t("borderline"), meaning: t("Understood in part and often wrong; a rewrite.") };
  return { name: t("not acceptable"), meaning: t("The meaning is violated; unusable.") };
}

// --- what a translation lacks -----------------------------------------------------------------------

/** In the order in which they are asked for. */
export const LACKS = ["score", "severity", "mark"] as const;
export type Lack = (typeof LACKS)[number];

export function lackOf(answer: Answer, slot: string, { marks_below }: Pick<CesaOptions, "marks_below">): Lack | null {
  if (answer.cannot_judge !== null) return null;
  const score = scoreOf(answer, slot);
  if (score === null) return "score";
  const all = [...marksOf(answer, slot), ...tagsOf(answer, slot)];
  if (all.some(({ severity }) => severity === "")) return "severity";
  return score < marks_below && all.length === 0 ? "mark" : null;
}

/** In the cell, below its score. */
export function lackWords(lack: Lack, { marks_below }: Pick<CesaOptions, "marks_below">): string {
  return {
    score: t("Give a score from 0 to 100."),
    severity: t("Choose minor or major for each mark and tag."),
    mark: t("Below {score} needs a mark or a tag.", { score: marks_below }),
  }[lack];
}

/** In the dock, where all are counted. */
export function lackCount(lack: Lack, n: number, { marks_below }: Pick<CesaOptions, "marks_below">): string {
  const values = { score: marks_below };
  return {
    score: tn("{n} without a score", "{n} without a score", n),
    severity: tn("{n} with an unrated mark", "{n} with unrated marks", n),
    mark: tn("{n} below {score} without a mark", "{n} below {score} without a mark", n, values),
  }[lack];
}

export function severityName(severity: Severity): string {
  return severity === "" ? t("severity not chosen") : severity === "minor" ? t("minor") : t("major");
}

/** How many of each severity, the serious ones first. */
export function severityCounts(answer: Answer, slot: string): { severity: "minor" | "major"; n: number }[] {
  const all = [...marksOf(answer, slot), ...tagsOf(answer, slot)];
  return (["major", "minor"] as const)
    .map((severity) => ({ severity, n: all.filter((one) => one.severity === severity).length }))
    .filter(({ n }) => n > 0);
}

/** The row word for word, where two answers to it are to be told apart. */
export function answerInWords(item: Item, answer: Answer): string {
  const ofSlot = (slot: string) => {
    const marks = marksOf(answer, slot).map(
      ({ side, start, end, severity }) => `${severityName(severity)} ${side} ${start}-${end}`,
    );
    const tags = tagsOf(answer, slot).map(({ tag, severity }) => `${severityName(severity)} ${tag}`);
    return `${slot}: ${[scoreOf(answer, slot) ?? "–", ...marks, ...tags].join(", ")}`;
  };
  return item.slots.map(({ slot }) => ofSlot(slot)).join("\n");
}
