/* Notices above the text: a fact, its consequence, one action. */

import { useState } from "preact/hooks";

import { isReason, reasonOf } from "../refusals";
import { saveAnswers } from "../saved_files";
import type { UnsentJudgment } from "../storage";
import { itemOf, placeOf } from "../state";
import { t, tn } from "../words";
import type { Workbench } from "../workbench";
import { Button, Note } from "./controls";

export function Notices({ workbench }: { workbench: Workbench }) {
  const state = workbench.state.value;
  const { lasting, isFull, judgments } = workbench.saver.state.value;
  const { redo } = workbench.page;
  const refused = judgments.filter((judgment) => judgment.hold?.why === "refused");
  const isUndecided = workbench.saver.conflict !== null && state.dialog === "";
  return (
    <>
      {workbench.page.preview && (
        <Note look="info" icon="info">
          <p>
            <b>{t("Preview.")}</b> {t("Nothing you enter here is stored.")}{" "}
            <a href={workbench.page.urls.home}>{t("Back to the campaign")}</a>
          </p>
        </Note>
      )}
      {redo?.items.includes(state.current) && (
        <Note look="warn" icon="alert" role="alert">
          <p>
            <b>{redo.title}</b> {redo.text}
          </p>
        </Note>
      )}
      {state.isPaused && (
        <Note look="info" icon="info" role="status">
          <p>
            <b>{t("The organiser has paused this campaign.")}</b>{" "}
            {t("What you enter is still saved. You can stop and come back when it goes on.")}
          </p>
        </Note>
      )}
      {!lasting && <NoStorage isFull={isFull} />}
      {lasting && workbench.texts?.keeping.value === "full" && <NoStorage isFull />}
      {refused.length > 0 && !workbench.endedAccess.message.value && (
        <Unsendable workbench={workbench} refused={refused} />
      )}
      {isUndecided && (
        <Note look="warn" icon="alert">
          <p>
            <b>{t("A segment was changed in another tab or on another device.")}</b>
          </p>
          <p>{t("Your answer is not sent until you choose.")}</p>
          <Button onClick={() => workbench.openDialog("conflict")}>{t("Choose")}</Button>
        </Note>
      )}
      {state.turned && (
        <Note look="ok" icon="done">
          <p>
            <b>{t("Document finished.")}</b> {tn("Next: {n} segment.", "Next: {n} segments.", placeOf(state).of)}
          </p>
        </Note>
      )}
    </>
  );
}

function NoStorage({ isFull }: { isFull: boolean }) {
  return (
    <Note look="bad" icon="alert" role="alert">
      <p>
        <b>
          {isFull ? t("The storage of this device is full.") : t("Your browser does not let this site store anything.")}
        </b>{" "}
        {t("Without storage, answers given offline would be lost.")}
      </p>
      <p>
        {isFull
          ? t("Free some space, or stay online while you work.")
          : t("Allow storage, or stay online while you work.")}
      </p>
    </Note>
  );
}

function Unsendable({ workbench, refused }: { workbench: Workbench; refused: readonly UnsentJudgment[] }) {
  const [isDownloaded, setDownloaded] = useState(false);
  const download = () => {
    saveAnswers(refused);
    setDownloaded(true);
  };
  const all = (act: (key: string) => Promise<void>) => () => refused.forEach((judgment) => void act(judgment.key));
  return (
    <Note look="bad" icon="alert" role="alert">
      <p>
        <b>{t("Could not be sent.")}</b>{" "}
        {tn("{n} answer is stored on this device.", "{n} answers are stored on this device.", refused.length)}
      </p>
      {refused.filter(isReason).map((judgment) => (
        <p key={judgment.key}>
          {itemOf(workbench.state.value, judgment.item) ? (
            <Button look="link" onClick={() => workbench.show(judgment.item)}>
              {judgment.title}
            </Button>
          ) : (
            <bdi>{judgment.title}</bdi>
          )}
          : {reasonOf(judgment)}
        </p>
      ))}
      <span class="row tight">
        <Button onClick={all((key) => workbench.saver.sendAgain(key))}>{t("Send again")}</Button>
        <Button onClick={download}>{t("Download")}</Button>
        {isDownloaded && <Button onClick={all((key) => workbench.giveUp(key))}>{t("Remove from this page")}</Button>}
      </span>
    </Note>
  );
}
