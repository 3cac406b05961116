/* The guidelines, over the text being judged: first what is new, then what is told of this text, then all, opened at
   the place that concerns the screen. */

import { useLayoutEffect, useRef } from "preact/hooks";

import { Note } from "../workbench/render/controls";
import { Modal } from "../workbench/render/modal";
import type { Reading } from "../workbench/page";
import { itemOf, textOf } from "../workbench/state";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";

/** Where somebody stopped reading, in this visit. */
let stoppedAt = 0;

export function Guidelines({ workbench, onRead }: { workbench: Workbench; onRead: () => void }) {
  const { guidelines, reading } = workbench.page;
  const state = workbench.state.value;
  const instruction = textOf(state, state.current).find((item) => item.instruction)?.instruction;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const sheet = place.current?.closest("dialog");
    if (!sheet) return;
    const here = reading?.changes.length ? null : concerning(place.current!, aboutScreen(workbench));
    if (here) here.scrollIntoView({ block: "start" });
    else if (!reading?.changes.length && !instruction) sheet.scrollTop = stoppedAt;
    return () => {
      stoppedAt = sheet.scrollTop;
      onRead();
    };
  }, []);
  return (
    <Modal id="guidelines" title={t("Guidelines")} isSheet onClose={workbench.closeDialog}>
      {reading && reading.changes.length > 0 && <Changes reading={reading} />}
      {instruction && (
        <section class="of-text stack-s">
          <h3>{t("Instruction for this text")}</h3>
          {instruction.split(/\n{2,}/).map((part) => (
            <p key={part} dir="auto">
              {part}
            </p>
          ))}
        </section>
      )}
      <div ref={place}>
        {guidelines ? (
          // The server has cleaned this text; scripts could not run under the page's policy either.
          <div class="guidelines" dir="auto" dangerouslySetInnerHTML={{ __html: guidelines }} />
        ) : (
          <p class="muted">{t("The organiser wrote no guidelines for this campaign.")}</p>
        )}
      </div>
    </Modal>
  );
}

function Changes({ reading: { since, changes } }: { reading: Reading }) {
  return (
    <section class="changes stack-s">
      <Note look="info" icon="info">
        <p>
          <b>{t("Changed since you read them on {day}", { day: since })}</b>
        </p>
      </Note>
      {changes.map((pieces, place) => (
        <p key={place} dir="auto">
          {pieces.map(([kind, text], number) =>
            kind === "same" ? text : kind === "added" ? <ins key={number}>{text}</ins> : <del key={number}>{text}</del>,
          )}
        </p>
      ))}
    </section>
  );
}

/** Words for what is being done: the category and severity of the error in hand, the title of the text. */
function aboutScreen({ state: { value: state } }: Workbench): string[] {
  const error = document.querySelector("#error-dialog, .pop");
  const field = error?.querySelector<HTMLInputElement>("#category");
  const category = error?.querySelector("[role=option][aria-selected=true]")?.textContent ?? field?.placeholder;
  const severity = error
    ?.querySelector("input:checked")
    ?.closest("label")
    ?.querySelector("span:last-child")?.firstChild;
  const title = itemOf(state, state.current)?.title;
  return [category, severity?.textContent, title].map((words) => words?.trim() ?? "").filter(Boolean);
}

/** The first heading with one of the words, else the first other place; null where nothing is about it. */
export function concerning(root: Element, words: readonly string[]): Element | null {
  for (const word of words) {
    const wanted = word.toLocaleLowerCase();
    for (const kind of ["h1, h2, h3, h4", "strong", "li, td, p"]) {
      const found = [...root.querySelectorAll(kind)].find(({ textContent }) =>
        textContent?.toLocaleLowerCase().includes(wanted),
      );
      if (found) return found.closest("li, tr, p") ?? found;
    }
  }
  return null;
}
