/* The dock: the judgment is always made in the same place. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import type { ControlProps } from "../../protocols/protocol";
import { missing } from "../actions";
import { sameAnswer } from "../api";
import { complaintOf } from "../refusals";
import { Button, giveFocus, Icon, Keys, Note, singleKey } from "./controls";
import { type Dialog, isAnswered, itemOf, neighbour, type State, workOf } from "../state";
import { t } from "../words";
import type { Workbench } from "../workbench";

export function Dock({ workbench }: { workbench: Workbench }) {
  const state = workbench.state.value;
  const { protocol } = workbench;
  const dock = useRef<HTMLElement>(null);
  const item = itemOf(state, state.current);
  const { entered } = workOf(state, state.current);
  const reason = entered.cannot_judge;
  const complaint = complaintOf(workbench);
  useFocusOnMove(state.current, reason === null, state.dialog);
  useClearance(dock);
  workbench.lead = () => leadToMissing(workbench);
  if (!item) return null;
  const props: ControlProps = {
    item,
    answer: entered,
    page: workbench.page,
    change: workbench.change,
    activeMs: workbench.activeMs,
    travel: workbench.travelBy,
  };
  return (
    <section ref={dock} class="dock" aria-label={t("Your judgment")}>
      <div class="wrap dock-in">
        <Why workbench={workbench} />
        <div class="ask stack-s">
          {reason === null ? <protocol.Control {...props} /> : <Withheld workbench={workbench} reason={reason} />}
          <p class="complaint" role="alert">
            {complaint}
          </p>
        </div>
        <div class="dock-foot">
          {!complaint && reason === null && <Hints workbench={workbench} />}
          <div id={MORE} class="more" popover="auto">
            {reason === null && protocol.Tools && (
              <div class="row tight tools">
                <protocol.Tools {...props} />
              </div>
            )}
            <Links workbench={workbench} />
          </div>
        </div>
        <Acts workbench={workbench}>{reason === null && protocol.Second && <protocol.Second {...props} />}</Acts>
      </div>
    </section>
  );
}

/** What is rarely needed stands in the dock where there is room, else it opens above it. */
export const MORE = "dock-more";

function Withheld({ workbench, reason }: { workbench: Workbench; reason: string }) {
  const words = workbench.page.reasons.cannot_judge[reason] ?? reason;
  return (
    <Note icon="info">
      <p>
        <b>{t("Not judged.")}</b> {words}
      </p>
      <Button onClick={workbench.dropReason}>{t("Judge it after all")}</Button>
    </Note>
  );
}

export function Links({ workbench }: { workbench: Workbench }) {
  const { entered } = workOf(workbench.state.value, workbench.state.value.current);
  const closesMore = { popovertarget: MORE, popovertargetaction: "hide" } as const;
  return (
    <div class="row links">
      {entered.cannot_judge === null && (
        <Button look="link" {...closesMore} onClick={() => workbench.openDialog("reason")}>
          {t("Cannot judge")}
        </Button>
      )}
      <Button look="link" {...closesMore} onClick={() => workbench.openDialog("comment")}>
        {entered.comment ? t("Edit the comment") : t("Comment")}
      </Button>
      {!workbench.isPractice && (
        <Button
          look="link"
          {...closesMore}
          {...singleKey(workbench.page, "F")}
          onClick={() => workbench.openDialog("report")}
        >
          {t("Report a problem")}
        </Button>
      )}
      <Button look="link" {...closesMore} onClick={workbench.takeBreak}>
        {t("Take a break")}
      </Button>
    </div>
  );
}

function Hints({ workbench }: { workbench: Workbench }) {
  const { page, protocol } = workbench;
  const item = itemOf(workbench.state.value, workbench.state.value.current);
  if (!item) return null;
  const hints = protocol
    .hints(item)
    .filter(({ keys }) => page.single_keys || keys.every((key) => key.length > 1 || !/\w/.test(key)));
  return (
    <p class="hints" aria-hidden="true">
      {hints.map(({ keys, does }) => (
        <span key={does}>
          <Keys keys={keys} />
          {does}
        </span>
      ))}
      <span>
        <Keys keys={["Alt", "←"]} />
        {t("back")}
      </span>
    </p>
  );
}

function Acts({ workbench, children }: { workbench: Workbench; children: ComponentChildren }) {
  const state = workbench.state.value;
  const isFirst = !neighbour(state, -1) && state.fromStart;
  return (
    <div class="acts">
      <Button look="quiet icon opens-more" aria-label={t("More")} popovertarget={MORE}>
        <Icon name="more" />
      </Button>
      <Button
        look="quiet icon"
        aria-label={t("Back to the previous segment")}
        aria-keyshortcuts="Alt+ArrowLeft"
        disabled={isFirst}
        onClick={() => workbench.perform("back")}
      >
        <Icon name="back" />
      </Button>
      {children}
      <Button
        look="go big"
        id="submit"
        keys={workbench.protocol.submitKeys ?? ["Enter"]}
        aria-keyshortcuts="Enter Control+Enter"
        aria-describedby={WHY}
        onClick={workbench.submit}
      >
        {mainWords(state)}
      </Button>
    </div>
  );
}

const WHY = "why-not-yet";

/** Why it does not go on yet, before anybody tries. It leads there, as do Enter and the main button, never disabled. */
function Why({ workbench }: { workbench: Workbench }) {
  const { complaint } = workbench.state.value;
  const what = missing(workbench.state.value, workbench.protocol);
  if (!what || complaint) return null;
  return (
    <Button look="link why" id={WHY} onClick={workbench.submit}>
      {what}
    </Button>
  );
}

/** To the first thing that is missing: what the protocol names, else the first control, else the comment. */
function leadToMissing({ state: { value: state }, protocol, openDialog }: Workbench): void {
  const item = itemOf(state, state.current);
  const { entered } = workOf(state, state.current);
  if (!item || !missing(state, protocol)) return; // a doubt: the next attempt goes on
  if (entered.cannot_judge !== null) return openDialog("comment");
  const at = protocol.missingAt?.(item, entered);
  if (at) giveFocus(at);
  else firstControl()?.focus({ preventScroll: true });
}

function mainWords(state: State): string {
  const { entered, submitted } = workOf(state, state.current);
  if (submitted) return sameAnswer(entered, submitted) ? t("Next") : t("Save the change");
  const open = state.items.filter((item) => !isAnswered(state, item.id));
  return state.exhausted && open.length === 1 ? t("Finish") : t("Next");
}

function firstControl(): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>(":is(.dock, .doc [aria-current]) [data-first]") ??
    document.querySelector<HTMLElement>(".dock .btn.go")
  );
}

/** The first item and each next one move the focus to the first control; a reason for not judging, to the main button.
    So does closing the guidelines where nothing else had the focus before. */
function useFocusOnMove(current: string, isJudged: boolean, dialog: Dialog): void {
  useLayoutEffect(() => {
    if (current) firstControl()?.focus({ preventScroll: true });
  }, [current, isJudged]);
  const before = useRef<Dialog>("");
  useEffect(() => {
    const hasClosed = before.current === "guidelines" && dialog === "";
    before.current = dialog;
    if (hasClosed && !document.activeElement?.closest("main, .dock")) firstControl()?.focus({ preventScroll: true });
  }, [dialog]);
}

/** Nothing sticky may cover what is scrolled into view: the dock says how high it is. */
export function useClearance(dock: { current: HTMLElement | null }): void {
  useEffect(() => {
    const element = dock.current;
    if (!element || !("ResizeObserver" in globalThis)) return;
    const tell = () => document.documentElement.style.setProperty("--dock", `${element.offsetHeight}px`);
    const observer = new ResizeObserver(tell);
    observer.observe(element);
    return () => observer.disconnect();
  }, [dock]);
}
