/* Several translations of a segment on one screen, each with its controls, below source or reference. */

import type { ComponentChildren } from "preact";

import type { Item } from "../workbench/api";
import type { PageData } from "../workbench/page";
import { Read, textName } from "../workbench/render/controls";
import { t } from "../workbench/words";
import type { KeyHint } from "./protocol";

export type Beside = "source" | "reference" | "both";

interface SideBySideProps {
  readonly item: Item;
  readonly page: PageData;
  readonly isCurrent: boolean;
  readonly beside: Beside;
  /** Shown in place of source and reference while these are hidden. */
  readonly withheld?: string;
  /** Translations stay when their item is not current: the whole document is judged too. */
  readonly staysVisible?: boolean;
  readonly isAnswered: (slot: string) => boolean;
  readonly controls: (slot: string) => ComponentChildren;
}

/** Unless `staysVisible`, only the current item shows its translations: with five systems each, the text would be hard
    to follow. */
export function SideBySide(props: SideBySideProps) {
  const { item, page, isCurrent, beside, withheld = "", staysVisible = false, isAnswered, controls } = props;
  return (
    <div class="across">
      {withheld ? (
        <p class="withheld">{withheld}</p>
      ) : (
        <Against item={item} page={page} beside={beside} isNamed={isCurrent} />
      )}
      {isCurrent && (
        <SlotRows
          item={item}
          page={page}
          look="ranks sides"
          controls={(slot) => <div class="controls">{controls(slot)}</div>}
          onKeyDown={(event) => onKey(event, isAnswered)}
        />
      )}
      {!isCurrent &&
        staysVisible &&
        item.slots.map(({ slot, text }) => (
          <div key={slot} class="of-slot">
            <b>{slot}</b>
            <Read of={page.target} text={text} />
          </div>
        ))}
    </div>
  );
}

interface SlotRowsProps extends Pick<SideBySideProps, "item" | "page" | "controls"> {
  readonly look: string;
  /** The text of a translation, where something is marked in it. */
  readonly textOf?: (place: number) => ComponentChildren;
  readonly onKeyDown: (event: RowsEvent) => void;
}

/** The translations one below the other, each with its controls. */
export function SlotRows({ item, page, look, textOf, controls, onKeyDown }: SlotRowsProps) {
  return (
    <div class={look} onKeyDown={onKeyDown}>
      {item.slots.map(({ slot, text }, place) => (
        <div key={slot} class="rank" role="group" aria-label={t("Translation {slot}", { slot })} data-slot={slot}>
          <span class="id" aria-hidden="true">
            {slot}
          </span>
          <Read of={page.target} text={text} id={`text-${slot}`}>
            {textOf?.(place)}
          </Read>
          {controls(slot)}
        </div>
      ))}
    </div>
  );
}

interface AgainstProps extends Pick<SideBySideProps, "item" | "page" | "beside"> {
  readonly isNamed: boolean;
}

export function Against({ item, page, beside, isNamed }: AgainstProps) {
  const name = (what: "source" | "reference") =>
    isNamed && beside === "both" && <p class="lang">{textName(page, what)}</p>;
  return (
    <div class="against">
      {beside !== "reference" && (
        <>
          {name("source")}
          <Read of={page.source} text={item.source} className="src" />
        </>
      )}
      {beside !== "source" && item.reference !== null && (
        <>
          {name("reference")}
          <Read of={page.target} text={item.reference} className="src" />
        </>
      )}
    </div>
  );
}

export function sideBySideKeys(): KeyHint[] {
  return [
    { keys: ["↑", "↓"], does: t("Another translation") },
    { keys: ["Enter"], does: t("The next translation without an answer; after the last, the next segment") },
  ];
}

/** Which of the slots are still open, in the dock. */
export function StillOpen({ slots }: { slots: readonly string[] }) {
  return <p class="order">{slots.length > 0 && <i>{t("to judge: {slots}", { slots: slots.join(", ") })}</i>}</p>;
}

type RowsEvent = KeyboardEvent & { currentTarget: HTMLElement };

function onKey(event: RowsEvent, isAnswered: (slot: string) => boolean): void {
  if (event.key === "Enter") goOn(event, isAnswered);
  else moveAmongRows(event);
}

/** The row of the event; null if a modifier gives the key another meaning. */
function rowOf(event: RowsEvent): HTMLElement | null {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.isComposing) return null;
  return event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".rank") : null;
}

/** Enter on an answered translation moves to the first open one; else it belongs to the page. */
function goOn(event: RowsEvent, isAnswered: (slot: string) => boolean): void {
  const row = rowOf(event);
  const next = event.currentTarget.querySelector<HTMLElement>("[data-first]");
  const slot = next?.closest<HTMLElement>(".rank")?.dataset.slot;
  if (!row || !next || slot === undefined || isAnswered(slot) || !isAnswered(row.dataset.slot ?? "")) return;
  take(event);
  next.focus();
}

/** Up and down move to the same question of another translation; beyond the first and the last they belong to the
    page. */
export function moveAmongRows(event: RowsEvent): void {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const row = rowOf(event);
  if (!by || !row) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".rank")];
  const part = (event.target as HTMLElement).closest<HTMLElement>("[data-part]")?.dataset.part;
  const other = rows[rows.indexOf(row) + by];
  const within = part === undefined ? other : other?.querySelector<HTMLElement>(`[data-part="${part}"]`);
  event.preventDefault(); // radios would change their answer
  if (!within) return;
  take(event);
  (within.querySelector<HTMLElement>("input:checked") ?? within.querySelector<HTMLElement>("input"))?.focus();
}

function take(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
