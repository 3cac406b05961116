/* The bar: the task, its progress, what is saved. */

import { useEffect, useRef, useState } from "preact/hooks";

import type { SaveState } from "../save";
import type { State } from "../state";
import { t, tn } from "../words";
import type { Workbench } from "../workbench";
import { Button, HomeLink, Icon, type IconName, LanguagePair, Mark, singleKey } from "./controls";

const LOOKS: Record<SaveWords["look"], IconName> = {
  saved: "done",
  saving: "turning",
  offline: "offline",
  error: "alert",
};
const QUIET_MS = 10_000;

/** As the server counts, and what is unsent: first answers of items it has not seen judged. */
function doneCount(state: State, save: SaveState, assignment: string): number {
  const firsts = save.judgments.filter(
    (judgment) => judgment.assignment === assignment && judgment.base_revision === 0,
  );
  return Math.min(state.total, state.done + new Set(firsts.map((judgment) => judgment.item)).size);
}

/** In screens, where a text is submitted as one and the server counts them. */
function screenCount(state: State, save: SaveState, assignment: string): { done: number; total: number } | null {
  if (!state.screens) return null;
  const firsts = save.judgments.filter(
    (judgment) => judgment.assignment === assignment && judgment.base_revision === 0,
  );
  const { done, total } = state.screens;
  return { done: Math.min(total, done + new Set(firsts.map(({ screen }) => screen ?? "")).size), total };
}

export function Bar({ workbench }: { workbench: Workbench }) {
  const { page } = workbench;
  const state = workbench.state.value;
  const save = workbench.saver.state.value;
  const screens = screenCount(state, save, page.assignment);
  const done = screens?.done ?? doneCount(state, save, page.assignment);
  const total = screens?.total ?? state.total;
  return (
    <header class="bar">
      <div class="bar-in">
        <a class="mark" href={page.urls.home} aria-label={t("Assay, back to my tasks")}>
          <Mark />
        </a>
        <div class="crumb grow">
          <b dir="auto">{page.campaign.name}</b>{" "}
          <span class="opt">
            <LanguagePair page={page} />
          </span>
        </div>
        {state.total > 0 && (
          <>
            <Button look="link count" id="count" onClick={() => workbench.openDialog("place")}>
              {screens ? t("Screens done: {done} of {total}", screens) : t("{done} of {total}", { done, total })}
            </Button>
            <span class="opt" id="left" />
          </>
        )}
        <SaveStatus workbench={workbench} />
        {state.phase === "done" ? <HomeLink page={page} look="btn quiet" /> : <Help workbench={workbench} />}
      </div>
      {state.total > 0 && (
        <div
          class={state.phase === "done" ? "line done" : "line"}
          role="progressbar"
          aria-labelledby="count"
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={done}
          style={{ "--p": `${(100 * done) / total}%` }}
        />
      )}
    </header>
  );
}

function Help({ workbench }: { workbench: Workbench }) {
  const { page, openDialog } = workbench;
  const keys = { "aria-label": t("Keyboard help"), ...(page.single_keys && { "aria-keyshortcuts": "?" }) };
  return (
    <>
      <Button look="quiet opt guide" {...singleKey(page, "G")} onClick={() => openDialog("guidelines")}>
        {t("Guidelines")}
      </Button>
      <Button look="quiet icon" {...keys} onClick={() => openDialog("keys")}>
        ?
      </Button>
    </>
  );
}

function SaveStatus({ workbench }: { workbench: Workbench }) {
  const save = workbench.saver.state.value;
  const now = useSeconds(save.nextTryAt !== null);
  const words = saveWords(save, now);
  const isError = words.look === "error";
  return (
    <>
      {/* A new role needs a new element, or the alert is not read out. */}
      <span
        key={isError ? "alert" : "status"}
        class="save"
        role={isError ? "alert" : "status"}
        aria-live={useLiveness(words.text, isError)}
        data-state={words.look}
      >
        <Icon name={LOOKS[words.look]} />
        <span>
          {words.text}
          <span class="opt" aria-hidden="true">
            {words.aside}
          </span>
        </span>
      </span>
      {words.canTryNow && <Button onClick={workbench.tryAgain}>{t("Try now")}</Button>}
    </>
  );
}

/** "Saved" is not read out twice within ten seconds. */
function useLiveness(text: string, isError: boolean): "assertive" | "polite" | "off" {
  const last = useRef({ text: "", at: -QUIET_MS });
  if (isError) return "assertive";
  const isRest = text === t("Saved") || text === t("Draft saved");
  const now = Date.now();
  const isTooSoon = isRest && last.current.text !== text && now - last.current.at < QUIET_MS;
  if (isRest && last.current.text !== text) last.current = { text, at: now };
  else if (!isRest) last.current = { ...last.current, text };
  return isTooSoon ? "off" : "polite";
}

function useSeconds(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isTicking) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

/** The save state in words: one place, top right. */
interface SaveWords {
  readonly look: "saved" | "saving" | "offline" | "error";
  readonly text: string;
  /** Changes every second and is not read out. */
  readonly aside?: string;
  readonly canTryNow?: boolean;
}

export function saveWords(save: SaveState, now: number): SaveWords {
  const n = save.judgments.length;
  const undecided = save.judgments.filter((judgment) => judgment.hold).length;
  switch (save.stage) {
    case "signed_out": {
      const text = n
        ? tn("Signed out, {n} answer on this device", "Signed out, {n} answers on this device", n)
        : t("Signed out");
      return { look: "error", text, canTryNow: true };
    }
    case "offline":
      return { look: "offline", text: n ? storedWords(save, n) : t("Offline") };
    case "failing":
      return { look: "error", text: t("Not saved"), aside: nextTry(save, now), canTryNow: true };
    case "sending":
      if (save.backlog) return { look: "saving", text: tn("Sending {n} answer", "Sending {n} answers", n - undecided) };
      if (save.slow) return { look: "saving", text: t("Saving") };
  }
  if (undecided && save.stage === "rest")
    return { look: "error", text: tn("{n} answer needs your decision", "{n} answers need your decision", undecided) };
  return { look: "saved", text: save.draft === "saved" ? t("Draft saved") : t("Saved") };
}

function storedWords(save: SaveState, n: number): string {
  return save.lasting
    ? tn("Offline, {n} answer on this device", "Offline, {n} answers on this device", n)
    : tn("Offline, {n} answer in this tab", "Offline, {n} answers in this tab", n);
}

function nextTry({ nextTryAt }: SaveState, now: number): string {
  if (nextTryAt === null) return "";
  return t(", next try in {seconds} s", { seconds: Math.max(1, Math.ceil((nextTryAt - now) / 1000)) });
}
