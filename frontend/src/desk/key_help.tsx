/* Which keys do what. */

import type { KeyHint } from "../protocols/protocol";
import { Keys } from "../workbench/render/controls";
import { Modal } from "../workbench/render/modal";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";

export function KeyHelp({ workbench }: { workbench: Workbench }) {
  const rows: KeyHint[] = [
    ...workbench.protocol.keys,
    ...workbench.moreKeys,
    { keys: ["↑", "↓"], does: t("Go to another segment") },
    ...(workbench.protocol.submitsTexts ? [] : [{ keys: ["Enter"], does: t("Submit and continue") }]),
    { keys: ["Ctrl", "Enter"], does: t("Submit, also from a text field") },
    { keys: ["Alt", "←"], does: t("Go back") },
    { keys: ["Ctrl", "Z"], does: t("Undo") },
    { keys: ["Ctrl", "Shift", "Z"], does: t("Redo") },
    { keys: ["G"], does: t("Guidelines") },
    ...(workbench.isPractice ? [] : [{ keys: ["F"], does: t("Report a problem with this item") }]),
    { keys: ["?"], does: t("This help") },
  ];
  return (
    <Modal id="keys" title={t("Keys")} onClose={workbench.closeDialog}>
      <dl class="keys">
        {rows.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="small muted">
        {workbench.page.single_keys
          ? t("You can switch off single-key shortcuts in Settings. Shortcuts with Ctrl and Alt keep working.")
          : t("Single-key shortcuts are switched off in Settings: letters, digits and ? do nothing here.")}
      </p>
    </Modal>
  );
}
