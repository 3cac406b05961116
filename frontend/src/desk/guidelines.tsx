/* The guidelines, over the text being judged. */

import { Modal } from "../workbench/render/modal";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";

export function Guidelines({ workbench }: { workbench: Workbench }) {
  const { guidelines } = workbench.page;
  return (
    <Modal id="guidelines" title={t("Guidelines")} isSheet onClose={workbench.closeDialog}>
      {guidelines ? (
        // The server has cleaned this text; scripts could not run under the page's policy either.
        <div class="guidelines" dir="auto" dangerouslySetInnerHTML={{ __html: guidelines }} />
      ) : (
        <p class="muted">{t("The organiser wrote no guidelines for this campaign.")}</p>
      )}
    </Modal>
  );
}
