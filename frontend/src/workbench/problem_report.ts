/* The report of a problem with an item to the organiser; closing its dialog loses nothing. */

import { signal } from "@preact/signals";

import type { Api, Outcome } from "./api";

export interface ReportForm {
  readonly reason: string;
  readonly note: string;
  readonly stage: "writing" | "sending" | "failed";
}

const EMPTY: ReportForm = { reason: "", note: "", stage: "writing" };

export class ProblemReport {
  readonly form = signal<ReportForm>(EMPTY);

  constructor(
    private readonly api: Api,
    private readonly assignment: string,
  ) {}

  /** What became of it; null where there was nothing to send. */
  async send(item: string): Promise<Outcome<unknown>["kind"] | null> {
    const { reason, note, stage } = this.form.value;
    if (!reason || !item || stage === "sending") return null;
    this.form.value = { reason, note, stage: "sending" };
    const { kind } = await this.api.report(this.assignment, item, { reason, note });
    this.form.value = kind === "ok" ? EMPTY : { reason, note, stage: "failed" };
    return kind;
  }
}
