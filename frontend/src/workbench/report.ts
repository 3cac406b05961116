/* The report of a problem: sent at once, never drafted. */

import { t } from "./words";
import type { Workbench } from "./workbench";

export interface ReportInWork {
  readonly reason: string;
  readonly note: string;
  readonly stage: "writing" | "sending" | "failed";
}

export const UNWRITTEN_REPORT: ReportInWork = { reason: "", note: "", stage: "writing" };

export async function sendReport(workbench: Workbench): Promise<void> {
  const { reason, note, stage } = workbench.report.value;
  const { current } = workbench.state.value;
  const { assignment } = workbench.page;
  if (!reason || !current || stage === "sending") return;
  workbench.report.value = { reason, note, stage: "sending" };
  const { kind } = await workbench.api.report(assignment, current, { reason, note });
  workbench.report.value = kind === "ok" ? UNWRITTEN_REPORT : { reason, note, stage: "failed" };
  if (kind === "withdrawn") return workbench.saver.dropAssignment(assignment);
  if (kind !== "ok") return;
  if (workbench.state.value.dialog === "report") workbench.closeDialog();
  workbench.notify(t("Your report was sent. The organiser will see it."));
}
