/* What is shown in place of the text: loading, nothing to do, broken, ended, waiting for the network. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { PageData } from "../page";
import { saveAnswers } from "../saved_files";
import { t, tn } from "../words";
import type { Workbench } from "../workbench";
import { Button, HomeLink } from "./controls";

interface Props {
  readonly workbench: Workbench;
}

/** Shown after 300 ms (by the style sheet). Lines mark the place of the text. */
export function Loading() {
  return (
    <div class="late skeleton" aria-busy="true">
      <div class="vh" role="status">
        <h1>{t("Loading the next document")}</h1>
      </div>
      <span class="ghost short" />
      {[0, 1, 2].map((row) => (
        <div key={row} class="doc-cols">
          <span />
          <span>
            <span class="ghost" />
            <span class="ghost" />
          </span>
          <span>
            <span class="ghost" />
            <span class="ghost half" />
          </span>
        </div>
      ))}
    </div>
  );
}

interface BlankProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly isAlert?: boolean;
  readonly isLate?: boolean;
}

function Blank({ title, children, isAlert = false, isLate = false }: BlankProps) {
  return (
    <div class={isLate ? "panel blank late" : "panel blank"} role={isAlert ? "alert" : undefined}>
      <h1 class="h2">{title}</h1>
      {children}
    </div>
  );
}

export function Nothing({ workbench }: Props) {
  return (
    <Blank title={t("Nothing to do right now")}>
      <p>{t("Your tasks are finished or not open yet.")}</p>
      <HomeLink page={workbench.page} />
    </Blank>
  );
}

export function Broken({ workbench }: Props) {
  const { done } = workbench.state.value;
  const { unsent } = workbench.saver;
  return (
    <Blank title={t("This page could not be loaded")} isAlert>
      <p>
        {t("The server did not answer.")}{" "}
        {done > 0
          ? tn("Your {n} judgment is saved.", "Your {n} judgments are saved.", done)
          : t("Your judgments are saved.")}{" "}
        {unsent > 0 && `${storedWords(unsent)} `}
        {t("Wait a moment and try again.")}
      </p>
      <Button look="go" onClick={workbench.tryAgain}>
        {t("Try again")}
      </Button>
    </Blank>
  );
}

export function Ended({ workbench }: Props) {
  if (workbench.endedAccess.message.value) return <AccessEnded workbench={workbench} />;
  if (workbench.state.value.withdrawn) {
    return (
      <Blank title={t("This part was assigned to others")}>
        <p>
          {t(
            "The items you had not judged were assigned to somebody else, or start again under My tasks. " +
              "All your answers are saved.",
          )}
        </p>
        <HomeLink page={workbench.page} look="btn go" />
      </Blank>
    );
  }
  return (
    <Blank title={t("This task has ended")}>
      <p>{t("If you had started, your answers are saved and your code is still valid.")}</p>
      <HomeLink page={workbench.page} />
    </Blank>
  );
}

/** Unsent answers are offered as a file, and can be removed once it is saved. */
function AccessEnded({ workbench }: Props) {
  const { message, unsent } = workbench.endedAccess;
  const [isSaved, setSaved] = useState(false);
  const n = unsent.value.length;
  const save = () => {
    saveAnswers(unsent.value);
    setSaved(true);
  };
  return (
    <Blank title={t("Your access has ended")} isAlert>
      <p>{message.value}</p>
      {n > 0 && (
        <p>
          <b>
            {tn(
              "{n} answer was not sent and is stored on this device.",
              "{n} answers were not sent and are stored on this device.",
              n,
            )}
          </b>{" "}
          {t("Save the unsent answers as a file and give it to your organiser.")}
        </p>
      )}
      <div class="row tight">
        {n > 0 && (
          <Button look="go" onClick={save}>
            {t("Save as a file")}
          </Button>
        )}
        {n > 0 && isSaved && (
          <Button onClick={() => void workbench.endedAccess.remove()}>{t("Remove from this device")}</Button>
        )}
        <HomeLink page={workbench.page} />
      </div>
    </Blank>
  );
}

/** All that is loaded is answered; more is out of reach, or the last answers are still on their way. */
export function Waiting({ workbench }: Props) {
  const { stage } = workbench.saver.state.value;
  const { unsent } = workbench.saver;
  const { phase } = workbench.state.value;
  if (stage === "offline" || stage === "failing") {
    return (
      <Blank title={stage === "offline" ? t("You are offline") : t("The server does not answer")} isAlert>
        <p>
          {unsent > 0 ? storedWords(unsent) : t("All your answers are saved.")}{" "}
          {phase === "stranded" && t("The next document will load when you are online again.")}
        </p>
        <Button look="go" onClick={workbench.tryAgain}>
          {t("Try now")}
        </Button>
      </Blank>
    );
  }
  if (phase === "stranded") return <Loading />;
  return (
    <Blank title={t("All answered")} isLate>
      {unsent > 0 && <p role="status">{tn("{n} answer is being sent.", "{n} answers are being sent.", unsent)}</p>}
    </Blank>
  );
}

function storedWords(n: number): string {
  return tn(
    "{n} answer is stored on this device and will be sent when you are online again.",
    "{n} answers are stored on this device and will be sent when you are online again.",
    n,
  );
}

/** All is judged and sent: the server's page says so; of practice its result, at the same address. */
export function Done({ workbench }: Props) {
  const { preview, urls } = workbench.page;
  const isOver = workbench.isPractice || workbench.state.value.completionCode !== "";
  useEffect(() => {
    if (workbench.isPractice) location.replace(location.pathname);
    else if (!preview && isOver) location.replace(urls.done ?? urls.home);
  }, []);
  return preview ? <PreviewDone page={workbench.page} /> : isOver ? <Loading /> : <Waiting workbench={workbench} />;
}

function PreviewDone({ page }: { page: PageData }) {
  return (
    <div class="wrap page thanks">
      <div class="stack">
        <h1>{t("End of the preview.")}</h1>
        <p class="lede">{t("Annotators continue with the rest of their task here. Nothing you entered was stored.")}</p>
        <p class="row tight">
          <a class="btn go" href={page.urls.home}>
            {t("Back to the campaign")}
          </a>{" "}
          <a class="btn" href="">
            {t("Try again")}
          </a>
        </p>
      </div>
    </div>
  );
}
