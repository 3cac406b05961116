/* form[data-draft=KEY]: what was typed is kept on this device until the form was sent, and put back on return.
   Never passwords: a list that holds some is not kept. */

import { holdsPasswords } from "./people_list";

const PAUSE_MS = 400;

type Kept = Record<string, string[]>;

export function bindFormDrafts(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-draft]")) {
    if (form.dataset.boundDraft) continue;
    form.dataset.boundDraft = "yes";
    keep(form, `assay:form:${form.dataset.draft}`);
  }
}

export function readForm(form: HTMLFormElement): Kept {
  const kept: Kept = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== "string" || name === "csrfmiddlewaretoken" || isSecret(form.elements.namedItem(name), value))
      continue;
    (kept[name] ??= []).push(value);
  }
  return kept;
}

function isSecret(field: Element | RadioNodeList | null, value: string): boolean {
  return field instanceof HTMLTextAreaElement && field.dataset.people !== undefined && holdsPasswords(value);
}

export function fillForm(form: HTMLFormElement, kept: Kept): void {
  fillFields(form.elements, kept);
}

export function fillFields(fields: ArrayLike<Element>, kept: Kept): void {
  for (const field of Array.from(fields)) {
    if (!(
      field instanceof HTMLInputElement ||
      field instanceof HTMLSelectElement ||
      field instanceof HTMLTextAreaElement
    ))
      continue;
    if (!field.name || field.name === "csrfmiddlewaretoken" || field.type === "file") continue;
    const values = kept[field.name];
    if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio"))
      field.checked = values?.includes(field.value) ?? false;
    else if (values?.[0] !== undefined) field.value = values[0];
  }
}

function keep(form: HTMLFormElement, key: string): void {
  const said = document.getElementById(form.dataset.draftState ?? "");
  const kept = form.dataset.fresh === undefined || form.dataset.draftFrom ? null : stored(key);
  if (kept) {
    fillForm(form, kept);
    form.dispatchEvent(new Event("change"));
    form.dispatchEvent(new CustomEvent("assay:restored", { detail: kept }));
  }
  let timer = 0;
  const store = (): boolean => {
    try {
      window.localStorage.setItem(key, JSON.stringify(readForm(form)));
      return true;
    } catch {
      return false; // full or forbidden: the form works all the same
    }
  };
  const later = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      const isStored = store();
      if (said) said.hidden = !isStored;
    }, PAUSE_MS);
  };
  // A form that came back with its errors was never sent as far as its writer is concerned.
  if (form.dataset.fresh === undefined) store();
  form.addEventListener("input", later);
  form.addEventListener("assay:settled", later);
  form.addEventListener("submit", () => {
    window.clearTimeout(timer);
    forget(key);
  });
}

function stored(key: string): Kept | null {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? "null") as Kept | null;
  } catch {
    forget(key);
    return null;
  }
}

function forget(key: string): void {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // where nothing can be kept nothing is there to forget
  }
}
