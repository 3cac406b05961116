/* From the browser's events to the workbench. Binding returns its own unbinding. */

import { commandFor, isAltForProtocol, isForProtocol, type Place, plainKey } from "./keys";
import { itemOf, workOf } from "./state";
import type { Workbench } from "./workbench";

const TEXT_FIELDS = "textarea, select, input:not([type=range], [type=radio], [type=checkbox]), [contenteditable]";
const ENTER_IS_THEIRS = "button, a[href], summary, [role=option], [role=combobox]";
const ACTIVITY = ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "input", "touchstart"] as const;

const GOES_ON = /^(keydown|pointerdown)$/; // after a pause that was too long

export function bindEvents(workbench: Workbench, window: Window): () => void {
  const { document } = window;
  const bound = new AbortController();
  const { signal } = bound;

  document.addEventListener("visibilitychange", () => (document.hidden ? workbench.hidden() : workbench.shown()), {
    signal,
  });
  window.addEventListener("pagehide", () => workbench.hidden(), { signal });
  window.addEventListener("pageshow", (event) => event.persisted && workbench.tryAgain(), { signal });
  window.addEventListener("focus", () => workbench.shown(), { signal });
  window.addEventListener("online", () => workbench.tryAgain(), { signal });
  window.addEventListener("offline", () => workbench.saver.wentOffline(), { signal });
  window.addEventListener("beforeunload", (event) => workbench.saver.isAtRisk && event.preventDefault(), { signal });

  if (document.hidden) workbench.hidden(); // opened in the background
  const stopIdling = watchIdleness(workbench, document, signal);
  document.addEventListener("keydown", (event) => onKey(workbench, event), { signal });
  return () => {
    bound.abort();
    stopIdling();
  };
}

function onKey(workbench: Workbench, event: KeyboardEvent): void {
  const place = placeOf(elementOf(event));
  const { single_keys } = workbench.page;
  const command = commandFor(event, place, single_keys);
  if (command) {
    event.preventDefault();
    workbench.perform(command);
  } else if (isForProtocol(event, place, single_keys) || isAltForProtocol(event, place)) {
    if (offer(workbench, event)) event.preventDefault();
  }
}

/** Passes the key to the protocol; true when it did something. */
function offer(workbench: Workbench, event: KeyboardEvent): boolean {
  const { phase, current, typed } = workbench.state.value;
  const item = itemOf(workbench.state.value, current);
  const { entered } = workOf(workbench.state.value, current);
  if (phase !== "judging" || !item || entered.cannot_judge !== null) return false;
  const of = elementOf(event);
  const slot = of?.closest<HTMLElement>("[data-slot]")?.dataset.slot ?? null;
  const part = of?.closest<HTMLElement>("[data-part]")?.dataset.part ?? null;
  const stroke = { key: plainKey(event), shift: event.shiftKey, slot, part, at: Date.now() };
  const { protocol } = workbench;
  const shown = { item, answer: entered, typed };
  if (!event.altKey && protocol.look?.(stroke, shown)) return true;
  const change = (event.altKey ? protocol.pressWithAlt?.(stroke, shown) : protocol.press(stroke, shown)) ?? null;
  if (change) workbench.change(change);
  return change !== null;
}

function elementOf(event: Event): Element | null {
  return event.target instanceof Element ? event.target : null;
}

function placeOf(element: Element | null): Place {
  if (element?.ownerDocument.querySelector("dialog[open]")) return "dialog";
  if (!element) return "page";
  if (element.closest(TEXT_FIELDS)) return "text";
  if (element.closest(ENTER_IS_THEIRS)) return "button";
  return element.matches("input[type=radio], input[type=checkbox]") ? "choice" : "page";
}

const BEAT_MS = 5000;
const ASLEEP_MS = 30_000;

/**
 * A heartbeat looks how long ago the last input was, and knows by its own delay that the machine slept. Of all tabs of
 * a browser only the one that had the last input has a running clock.
 */
function watchIdleness(workbench: Workbench, document: Document, signal: AbortSignal): () => void {
  let last = Date.now();
  let beat = last;
  let isOurs = false;
  const others = new BroadcastChannel("assay-clock");
  others.onmessage = () => {
    isOurs = false;
    workbench.stopClock();
  };
  const pulse = () => {
    const now = Date.now();
    if (now - beat > ASLEEP_MS) workbench.stopClock(beat);
    beat = now;
  };
  const claim = () => {
    if (!isOurs) others.postMessage(0);
    isOurs = true;
  };
  const touched = (event: Event) => {
    pulse();
    claim();
    if (workbench.state.value.idle) {
      if (!GOES_ON.test(event.type)) return;
      event.preventDefault(); // it does nothing else
      event.stopImmediatePropagation();
      workbench.resume();
    }
    workbench.touched();
    last = Date.now();
  };
  for (const name of ACTIVITY)
    document.addEventListener(name, touched, { signal, passive: !GOES_ON.test(name), capture: true });
  const heart = setInterval(() => {
    pulse();
    if (isOurs && beat - last >= workbench.idleMs) workbench.fellIdle();
  }, BEAT_MS);
  if (!document.hidden) claim();
  return () => {
    clearInterval(heart);
    others.close();
  };
}
