/* Loaded by the judging page once its texts are shown: what is needed now and then need not come before them. */

import { render } from "preact";

import { isComposing, isControl, plainKey } from "../workbench/keys";
import type { DeskSettings } from "../workbench/page";
import { tokenIn } from "../workbench/session";
import { speak, t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";
import { Desk, News } from "./desk";
import { hintsOf, showKeys } from "./key_help";
import { changeableIn, translateKey } from "./own_keys";
import { secondsEach, timeWords, Visit } from "./pace";
import { showPairs } from "./pairs_shown";
import { itemsLeft } from "./place";
import { FIRST, storeSettings } from "./settings";

const TEXT_FIELDS = "textarea, select, input:not([type=range], [type=radio], [type=checkbox]), [contenteditable]";

export function openDesk(workbench: Workbench): () => void {
  const { page } = workbench;
  speak(page.catalogue, document.documentElement.lang);
  const [place, news] = [document.createElement("div"), document.createElement("div")];
  document.body.append(place);
  const visit = new Visit();
  const draw = () => {
    visit.add(workbench.saver.state.value.judgments);
    if (!news.isConnected) document.getElementById("main")?.prepend(news);
    const state = workbench.state.value;
    const props = { workbench, state, visit, onRead: read, settings, onChange: change };
    render(<Desk {...props} />, place);
    render(<News workbench={workbench} />, news);
    document.documentElement.toggleAttribute("data-news", Boolean(page.reading?.changes.length));
    showTimeLeft(workbench, visit);
  };
  const read = () => {
    if (!page.reading?.changes.length) return;
    void sayRead(page.reading.read, page.reading.seen_at);
    page.reading = { ...page.reading, changes: [] };
    queueMicrotask(draw);
  };
  let settings = { ...FIRST, ...page.desk_settings };
  const show = () => {
    document.documentElement.dataset.textSize = settings.text_size;
    showKeys(workbench, settings.keys);
  };
  const change = (changed: DeskSettings) => {
    settings = changed;
    show();
    workbench.state.value = { ...workbench.state.value }; // draws the caps of the page again
    void storeSettings(workbench, settings);
  };
  show();
  const translate = (event: KeyboardEvent) => {
    if (openFromAnywhere(workbench, event)) return;
    if (Object.keys(settings.keys).length > 0)
      translateKey(event, changeableIn(hintsOf(workbench)), settings.keys, page.single_keys);
  };
  window.addEventListener("keydown", translate, { capture: true });
  workbench.moreKeys.push(
    { keys: ["W"], does: t("Where you are") },
    { keys: ["Alt", "G"], does: t("Guidelines, from a text field too") },
  );
  const onKey = (event: KeyboardEvent) => openByKey(workbench, event);
  document.addEventListener("keydown", onKey);
  const hidePairs = showPairs(workbench);
  // Not effects: signals of another script are followed only through their own `subscribe`.
  const stops = [workbench.state, workbench.report, workbench.saver.state].map((signal) => signal.subscribe(draw));
  return () => {
    for (const stop of stops) stop();
    hidePairs();
    document.removeEventListener("keydown", onKey);
    window.removeEventListener("keydown", translate, { capture: true });
    showKeys(workbench, {});
    render(null, place);
    render(null, news);
    place.remove();
  };
}

/** Without a network it is told as new once more. */
async function sayRead(address: string, seen_at: string): Promise<void> {
  const body = new URLSearchParams({ csrfmiddlewaretoken: tokenIn(document), seen_at });
  await fetch(address, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
}

function showTimeLeft(workbench: Workbench, visit: Visit): void {
  const element = document.getElementById("left");
  const { pace } = workbench.page;
  const left = itemsLeft(workbench);
  const isShown = element && pace && left > 0 && workbench.state.value.phase === "judging";
  const words = isShown ? t("{time} left", { time: timeWords(left * secondsEach(pace, visit).seconds) }) : "";
  if (element && element.textContent !== words) element.textContent = words;
}

function openByKey(workbench: Workbench, event: KeyboardEvent): void {
  if (isComposing(event) || isControl(event) || event.defaultPrevented || event.repeat) return;
  if (document.querySelector("dialog[open]")) return;
  const key = plainKey(event);
  const isInText = event.target instanceof Element && event.target.closest(TEXT_FIELDS) !== null;
  const isSingle = !event.altKey && !event.shiftKey && !isInText && workbench.page.single_keys;
  if (!isSingle || key !== "w") return;
  workbench.openDialog("place");
  event.preventDefault();
}

/** Before a text field or a dialog about an error takes the key for itself. */
function openFromAnywhere(workbench: Workbench, event: KeyboardEvent): boolean {
  const isIt = event.altKey && !event.shiftKey && !isControl(event) && plainKey(event) === "g";
  if (!isIt || isComposing(event) || document.querySelector("dialog[open]")) return false;
  event.preventDefault();
  event.stopImmediatePropagation();
  workbench.openDialog("guidelines");
  return true;
}

Object.assign(globalThis, { openDesk });
