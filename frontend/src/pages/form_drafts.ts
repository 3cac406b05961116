/* form[data-draft=KEY]: what was typed stays on this device until the form was sent, and is put back on return.

   With [data-draft-kept] it stays when the form is sent, until a page says [data-draft-done=KEY]: without a network
   sending fails, and what was typed would be lost.

   form[data-drafts=URL]: the server stores it as well, so that another device can continue. The field `draft` is its
   number; with [data-draft-from] the form begins with the draft of that number. Where the server does not answer,
   the draft of this device has to do.

   Passwords are never stored: a list that contains some is left out. */

import { tokenIn } from "../workbench/session";
import { browserStorage } from "../workbench/storage";
import { afterPause, bindEach, onFormInput } from "./fragments";
import { hasPasswords } from "./form_fields";

const DEVICE_PAUSE_MS = 400;
const SERVER_PAUSE_MS = 1500;
const NUMBER_PATIENCE_MS = 3000;
const device = () => browserStorage("localStorage");
const TOKEN = "csrfmiddlewaretoken";

export type Values = Record<string, string[]>;

export function bindFormDrafts(root: ParentNode): void {
  bindEach<HTMLElement>(root, "[data-draft-done]", (page) => device()?.removeItem(keyOf(page.dataset.draftDone)));
  bindEach<HTMLFormElement>(root, "form[data-draft]", storeOnDevice);
  bindEach<HTMLFormElement>(root, "form[data-drafts]", (form) => {
    const number = form.elements.namedItem("draft");
    if (!(number instanceof HTMLInputElement)) return;
    if (form.dataset.draftFrom) void continueFromServer(form, number);
    storeOnServer(form, number);
  });
}

const keyOf = (name = ""): string => `assay:form:${name}`;

export function readForm(form: HTMLFormElement): Values {
  const values: Values = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== "string" || name === TOKEN || isSecret(form.elements.namedItem(name), value)) continue;
    (values[name] ??= []).push(value);
  }
  return values;
}

function isSecret(field: Element | RadioNodeList | null, value: string): boolean {
  return field instanceof HTMLTextAreaElement && field.dataset.people !== undefined && hasPasswords(value);
}

export function fillFields(fields: ArrayLike<Element>, values: Values): void {
  for (const field of Array.from(fields)) {
    const isInput = field instanceof HTMLInputElement;
    if (!isInput && !(field instanceof HTMLSelectElement) && !(field instanceof HTMLTextAreaElement)) continue;
    if (!field.name || field.name === TOKEN || field.type === "file") continue;
    const stored = values[field.name];
    if (isInput && (field.type === "checkbox" || field.type === "radio"))
      field.checked = stored?.includes(field.value) ?? false;
    else if (stored?.[0] !== undefined) field.value = stored[0];
  }
}

function restore(form: HTMLFormElement, values: Values): void {
  fillFields(form.elements, values);
  form.dispatchEvent(new Event("change"));
  form.dispatchEvent(new CustomEvent("assay:restored", { detail: values }));
}

function storeOnDevice(form: HTMLFormElement): void {
  const key = keyOf(form.dataset.draft);
  const stateWords = document.getElementById(form.dataset.draftState ?? "");
  const draft = form.dataset.fresh === undefined || form.dataset.draftFrom ? null : storedOnDevice(key);
  if (draft) restore(form, draft);
  const store = (): boolean => {
    try {
      device()?.setItem(key, JSON.stringify(readForm(form)));
      return device() !== null;
    } catch {
      return false; // full or forbidden: the form still works
    }
  };
  const { later, cancel } = afterPause(DEVICE_PAUSE_MS, () => {
    const isStored = store();
    if (stateWords) stateWords.hidden = !isStored;
  });
  // A form that came back with its errors was never sent as far as its writer is concerned.
  if (form.dataset.fresh === undefined) store();
  onFormInput(form, later);
  form.addEventListener("submit", () => {
    cancel();
    if (form.dataset.draftKept === undefined) device()?.removeItem(key);
    else store();
  });
}

function storedOnDevice(key: string): Values | null {
  try {
    return JSON.parse(device()?.getItem(key) ?? "null") as Values | null;
  } catch {
    device()?.removeItem(key);
    return null;
  }
}

async function continueFromServer(form: HTMLFormElement, number: HTMLInputElement): Promise<void> {
  try {
    const response = await fetch(`${form.dataset.drafts}/${number.value}`);
    if (!response.ok) return;
    const { values } = (await response.json()) as { values: Values };
    restore(form, { ...values, draft: [number.value] });
  } catch {
    // the form is empty, and the draft still there
  }
}

function storeOnServer(form: HTMLFormElement, number: HTMLInputElement): void {
  let sending: Promise<void> | null = null;
  let isSubmitted = false;
  const stateWords = document.getElementById(form.dataset.draftState ?? "");
  const { later, cancel } = afterPause(SERVER_PAUSE_MS, () => {
    if (sending) return later();
    sending = save().finally(() => (sending = null));
  });
  const save = async (): Promise<void> => {
    const values = readForm(form);
    if (!number.value && !isWorthKeeping(values)) return;
    try {
      number.value = await saveDraft(form.dataset.drafts ?? "", number.value, values);
      if (stateWords && form.dataset.draftSaved) {
        stateWords.textContent = form.dataset.draftSaved;
        stateWords.hidden = false;
      }
    } catch {
      // the next change tries again
    }
  };
  onFormInput(form, () => isSubmitted || later());
  form.addEventListener("submit", (event) => {
    isSubmitted = true;
    cancel();
    if (!sending || number.value) return;
    // The number of a draft that is being made must go along, or the draft would stay, and a second one follow.
    event.preventDefault();
    const patience = new Promise((resolve) => setTimeout(resolve, NUMBER_PATIENCE_MS));
    void Promise.race([sending, patience]).then(() => {
      sending = null;
      form.requestSubmit(event.submitter);
    });
  });
}

/** A look at the page, or a click on a switch, is no draft. */
function isWorthKeeping(values: Values): boolean {
  return ["name", "upload", "test_set", "people"].some((field) => values[field]?.some((value) => value.trim()));
}

/** The number of the draft: a new one where the old one was discarded. */
export async function saveDraft(url: string, number: string, { draft: _own, ...values }: Values): Promise<string> {
  const send = (method: string, address: string): Promise<Response> =>
    fetch(address, {
      method,
      headers: { "Content-Type": "application/json", "X-CSRFToken": tokenIn(document) },
      body: JSON.stringify({ values }),
    });
  let response = number ? await send("PUT", `${url}/${number}`) : await send("POST", url);
  if (number && response.status === 404) response = await send("POST", url);
  if (!response.ok) throw new Error(`${response.status}`);
  return String(((await response.json()) as { id: number }).id);
}
