/* The whole page, from the state. */

import type { Dialog, Phase } from "../state";
import { t } from "../words";
import type { Workbench } from "../workbench";
import { Bar } from "./bar";
import { Comment, Conflict, Reason, SignedOut } from "./dialogs";
import { Modal } from "./modal";
import { Notices } from "./notices";
import { Broken, Done, Ended, Loading, Nothing, Waiting } from "./phases";

interface Props {
  readonly workbench: Workbench;
}

/** Other scripts draw the others: feedback is practice's, the rest is the desk's. */
const DIALOGS: { [name in Dialog]?: (props: Props) => preact.ComponentChildren } = {
  reason: Reason,
  comment: Comment,
  conflict: Conflict,
  signed_out: SignedOut,
};

const PHASES: Record<Exclude<Phase, "judging">, (props: Props) => preact.ComponentChildren> = {
  loading: Loading,
  sending: Waiting,
  stranded: Waiting,
  done: Done,
  nothing: Nothing,
  broken: Broken,
  ended: Ended,
};

export function WorkbenchPage({ workbench }: Props) {
  const { dialog, phase, announcement, toast, idle } = workbench.state.value;
  const Opened = DIALOGS[dialog];
  const parts = phase === "judging" ? workbench.protocol.parts : null;
  const Shown = phase === "judging" ? null : PHASES[phase];
  return (
    <>
      <a class="skip" href="#main">
        {t("Skip to the content")}
      </a>
      <Bar workbench={workbench} />
      <main id="main" tabIndex={-1}>
        <div class="wrap">
          <div class="notices stack-s">
            <Notices workbench={workbench} />
          </div>
          {Shown && <Shown workbench={workbench} />}
        </div>
        {parts && <parts.Texts workbench={workbench} />}
      </main>
      {parts && <parts.Dock workbench={workbench} />}
      <p class="vh" role="status">
        {announcement}
      </p>
      <div class="toast" role="status" hidden={!toast}>
        {toast}
      </div>
      {Opened && <Opened key={dialog} workbench={workbench} />}
      {idle && (
        <Modal id="rest" title={idle === "break" ? t("Break") : t("Still there?")} onClose={workbench.resume}>
          <p>{t("The clock has stopped, nothing is lost. Press any key or click to go on.")}</p>
        </Modal>
      )}
    </>
  );
}
