/* form[data-drafts=URL]: what was typed is kept on the server as well, so that another device goes on with it.

   The field `draft` holds its number. [data-draft-from]: the form begins with what is kept under that number. Where the
   server does not answer, the draft of this device (drafts.ts) has to do. */

import { fillForm, readForm } from "./drafts";
import { csrfToken } from "./fragments";

const PAUSE_MS = 1500;

type Values = Record<string, string[]>;

export function bindServerDrafts(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-drafts]")) {
    if (form.dataset.boundDrafts) continue;
    form.dataset.boundDrafts = "yes";
    const number = form.elements.namedItem("draft");
    if (!(number instanceof HTMLInputElement)) continue;
    if (form.dataset.draftFrom) void goOn(form, number);
    keepSaving(form, number);
  }
}

async function goOn(form: HTMLFormElement, number: HTMLInputElement): Promise<void> {
  try {
    const response = await fetch(`${form.dataset.drafts}/${number.value}`, { credentials: "same-origin" });
    if (!response.ok) return;
    const { values } = (await response.json()) as { values: Values };
    fillForm(form, { ...values, draft: [number.value] });
    form.dispatchEvent(new Event("change"));
    form.dispatchEvent(new CustomEvent("assay:restored", { detail: values }));
  } catch {
    // the form is empty, and the draft still there
  }
}

function keepSaving(form: HTMLFormElement, number: HTMLInputElement): void {
  let timer = 0;
  let isSending = false;
  let isSent = false;
  const said = document.getElementById(form.dataset.draftState ?? "");
  const later = (): void => {
    window.clearTimeout(timer);
    if (!isSent) timer = window.setTimeout(() => void save(), PAUSE_MS);
  };
  const save = async (): Promise<void> => {
    if (isSending) return later();
    isSending = true;
    try {
      number.value = await kept(form.dataset.drafts ?? "", number.value, readForm(form));
      if (said && form.dataset.draftSaved) {
        said.textContent = form.dataset.draftSaved;
        said.hidden = false;
      }
    } catch {
      // the next change tries again
    }
    isSending = false;
  };
  form.addEventListener("input", later);
  form.addEventListener("assay:settled", later);
  form.addEventListener("submit", () => {
    isSent = true;
    window.clearTimeout(timer);
  });
}

/* The number it is kept under: a new one where the old one was discarded. */
export async function kept(url: string, number: string, { draft: _own, ...values }: Values): Promise<string> {
  const send = (method: string, address: string): Promise<Response> =>
    fetch(address, {
      method,
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
      body: JSON.stringify({ values }),
    });
  let response = number ? await send("PUT", `${url}/${number}`) : await send("POST", url);
  if (number && response.status === 404) response = await send("POST", url);
  if (!response.ok) throw new Error(`${response.status}`);
  return String(((await response.json()) as { id: number }).id);
}
