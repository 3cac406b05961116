/* A problem is reported to the organiser. */

import { Button } from "../workbench/render/controls";
import { TextField } from "../workbench/render/dialogs";
import { Choices, Modal } from "../workbench/render/modal";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";

export function Report({ workbench }: { workbench: Workbench }) {
  const { reason, note, stage } = workbench.report.value;
  const write = (part: { reason?: string; note?: string }) =>
    (workbench.report.value = { ...workbench.report.value, ...part, stage: "writing" });
  const send = () => void workbench.sendReport();
  return (
    <Modal id="report" title={t("Report a problem")} onClose={workbench.closeDialog} onConfirm={send}>
      <p class="muted">{t("The organiser will read this. Please still judge the item.")}</p>
      <Choices
        legend={t("What is wrong?")}
        name="report-reason"
        choices={workbench.page.reasons.report}
        chosen={reason}
        onChoose={(key) => write({ reason: key })}
      />
      <TextField
        id="report-note"
        label={t("In your own words")}
        hint={t("optional")}
        value={note}
        onText={(text) => write({ note: text })}
      />
      <p class="complaint" role="alert">
        {stage === "failed" ? t("The report could not be sent. Your text stays here; try again in a moment.") : ""}
      </p>
      <div class="row end">
        <Button onClick={workbench.closeDialog}>{t("Close")}</Button>
        <Button type="submit" look="go" aria-disabled={reason ? undefined : "true"}>
          {stage === "sending" ? t("Sending") : t("Send the report")}
        </Button>
      </div>
    </Modal>
  );
}
