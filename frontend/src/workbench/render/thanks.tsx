/* The end of the task: everything is saved, the completion code, the next task; and the end of a preview. */

import { useEffect, useRef, useState } from "preact/hooks";

import type { PageData } from "../page";
import { t, tn } from "../words";
import type { Workbench } from "../workbench";
import { Button, HomeLink, Icon, LanguagePair } from "./controls";

const COPIED_MS = 2000;

export function Thanks({ workbench }: { workbench: Workbench }) {
  const { total, completionCode, review } = workbench.state.value;
  const isPool = workbench.page.campaign.planning === "pool";
  return (
    <div class="wrap page thanks">
      <div class="stack-l">
        <div class="stack-s">
          <p class="small all-saved">
            <Icon name="done" /> {tn("{n} judgment is saved", "All {n} judgments are saved", total)}
          </p>
          <h1>{isPool ? t("This part is done. Thank you.") : t("Done. Thank you.")}</h1>
          <p class="lede">{t("Your judgments help compare translation systems.")}</p>
        </div>
        {isPool && <NextTask workbench={workbench} isMain={!review} />}
        {completionCode && <CompletionCode code={completionCode} />}
        <p>
          <a href="?review=1">{t("Review your answers")}</a>{" "}
          <span class="small muted">{t("They can be changed until the organiser closes the task.")}</span>
        </p>
        {!isPool && <NextTask workbench={workbench} />}
      </div>
    </div>
  );
}

function CompletionCode({ code }: { code: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div class="stack-s">
      <h2>{t("Completion code")}</h2>
      <p class="small muted">{t("Paste it on the site that sent you here. You find it again under “My tasks”.")}</p>
      <div class="secret">
        <span>{code}</span>
        <Button onClick={() => void copy().catch(() => undefined)}>
          <Icon name="copy" /> <span role="status">{isCopied ? t("Copied") : t("Copy")}</span>
        </Button>
      </div>
    </div>
  );
}

type Search = "" | "asking" | "none" | "failed";

/** A pool hands out small parts: Enter leads to the next one, and a pause blocks nobody's work. */
function NextTask({ workbench, isMain = false }: { workbench: Workbench; isMain?: boolean }) {
  const start = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isMain) start.current?.focus();
  }, [isMain]);
  const [search, setSearch] = useState<Search>("");
  const { page, api } = workbench;
  const take = async () => {
    if (search === "asking") return;
    setSearch("asking");
    const outcome = await api.takeNext(page.campaign.slug);
    if (outcome.kind === "withdrawn") return workbench.saver.dropAssignment(workbench.page.assignment);
    if (outcome.kind !== "ok") return setSearch("failed");
    if (outcome.body === null) return setSearch("none");
    location.assign(`../${outcome.body.id}/`);
  };
  return (
    <div class="panel row split">
      <div>
        <b dir="auto">
          {page.campaign.name}, <LanguagePair page={page} />
        </b>
        <p class="small muted" role="status">
          {words(search) || page.campaign.title}
        </p>
      </div>
      {search === "none" ? (
        <HomeLink page={page} />
      ) : (
        <button type="button" ref={start} class={isMain ? "btn go" : "btn"} onClick={() => void take()}>
          {isMain ? t("Continue with the next documents") : t("Start the next task")}
        </button>
      )}
    </div>
  );
}

function words(search: Search): string {
  if (search === "none") return t("Nothing to do right now.");
  if (search === "failed") return t("The server did not answer. Wait a moment and try again.");
  return "";
}

export function PreviewDone({ page }: { page: PageData }) {
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
