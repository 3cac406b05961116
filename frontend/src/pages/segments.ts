/* [data-segments]: the page of segments by keyboard, and one annotator's errors alone while somebody points at their
   row.

   Everything is a link or a form; without this script the page works by pointer and Tab. */

import { bindEach } from "./fragments";

const FOCUS_KEY = "assay:segments-focus";

export type SegmentKey = "next" | "previous" | "search" | "adjudicate" | "keys" | "down" | "up";

const SINGLE: Readonly<Record<string, SegmentKey>> = {
  j: "next",
  k: "previous",
  "/": "search",
  a: "adjudicate",
  "?": "keys",
};

const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/* Arrows go through the list only where it has the focus: elsewhere they scroll. */
export function segmentKey(event: KeyboardEvent, singleKeys: boolean): SegmentKey | null {
  const on = event.target instanceof HTMLElement ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || on?.matches(FIELDS)) return null;
  const isInList = on?.closest("[data-found]");
  if (isInList && event.key === "ArrowDown") return "down";
  if (isInList && event.key === "ArrowUp") return "up";
  return singleKeys ? (SINGLE[event.key] ?? null) : null;
}

export function bindSegments(root: ParentNode): void {
  bindEach(root, "[data-segments]", bindPage);
}

function bindPage(page: HTMLElement): void {
  const dialog = page.querySelector<HTMLDialogElement>("[data-keys-dialog]");
  const opener = page.querySelector<HTMLButtonElement>("[data-keys-open]");
  if (opener) opener.hidden = false;
  opener?.addEventListener("click", () => dialog?.showModal());
  document.addEventListener("keydown", (event) => {
    const command = dialog?.open ? null : segmentKey(event, page.dataset.singleKeys !== undefined);
    if (command && obey(command, page, dialog)) event.preventDefault();
  });
  bindPointing(page);
  returnFocus(page);
}

function obey(command: SegmentKey, page: HTMLElement, dialog: HTMLDialogElement | null): boolean {
  if (command === "keys") dialog?.showModal();
  else if (command === "search") focusOn(page.querySelector<HTMLInputElement>("#id_text"));
  else if (command === "adjudicate") return adjudicate(page);
  else return follow(page, command === "next" || command === "down", command === "up" || command === "down");
  return true;
}

function focusOn(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}

function adjudicate(page: HTMLElement): boolean {
  const form =
    page.querySelector<HTMLDetailsElement>(".looked-for .decide") ?? page.querySelector<HTMLDetailsElement>(".decide");
  if (!form) return false;
  form.open = true;
  form.scrollIntoView({ block: "nearest" });
  form.querySelector<HTMLElement>("input:not([type=hidden]), textarea")?.focus();
  return true;
}

function follow(page: HTMLElement, isForward: boolean, keepsFocus: boolean): boolean {
  const link = page.querySelector<HTMLAnchorElement>(isForward ? "[data-next]" : "[data-previous]");
  if (!link) return false;
  if (keepsFocus) window.sessionStorage.setItem(FOCUS_KEY, "list");
  link.click();
  return true;
}

function returnFocus(page: HTMLElement): void {
  const current = page.querySelector<HTMLElement>("[data-found] [aria-current]");
  if (window.sessionStorage.getItem(FOCUS_KEY) !== "list") return;
  window.sessionStorage.removeItem(FOCUS_KEY);
  current?.focus();
}

function bindPointing(page: HTMLElement): void {
  for (const output of page.querySelectorAll<HTMLElement>(".sysb")) {
    const text = output.querySelector<HTMLElement>("[data-strokes]");
    for (const row of output.querySelectorAll<HTMLElement>("[data-answer]")) {
      const point = (isOn: boolean): void => {
        const own = text?.querySelectorAll(`[data-of="${row.dataset.answer ?? ""}"]`) ?? [];
        if (isOn && own.length === 0) return;
        text?.classList.toggle("one-alone", isOn);
        row.classList.toggle("pointed-at", isOn);
        for (const stroke of own) stroke.classList.toggle("pointed-at", isOn);
      };
      for (const event of ["pointerenter", "focusin"]) row.addEventListener(event, () => point(true));
      for (const event of ["pointerleave", "focusout"]) row.addEventListener(event, () => point(false));
    }
  }
}
