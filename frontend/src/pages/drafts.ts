/* form[data-draft=KEY]: what was typed is kept on this device until the form was sent, and put back on return. */

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
    if (typeof value === "string" && name !== "csrfmiddlewaretoken") (kept[name] ??= []).push(value);
  }
  return kept;
}

export function fillForm(form: HTMLFormElement, kept: Kept): void {
  for (const field of Array.from(form.elements)) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement)) continue;
    if (!field.name || field.name === "csrfmiddlewaretoken" || field.type === "file") continue;
    const values = kept[field.name];
    if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio")) field.checked = values?.includes(field.value) ?? false;
    else if (values?.[0] !== undefined) field.value = values[0];
  }
}

function keep(form: HTMLFormElement, key: string): void {
  const said = document.getElementById(form.dataset.draftState ?? "");
  const stored = form.dataset.fresh === undefined ? null : window.localStorage.getItem(key);
  if (stored) {
    fillForm(form, JSON.parse(stored) as Kept);
    form.dispatchEvent(new Event("change"));
  }
  let timer = 0;
  form.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      window.localStorage.setItem(key, JSON.stringify(readForm(form)));
      if (said) said.hidden = false;
    }, PAUSE_MS);
  });
  form.addEventListener("submit", () => {
    window.clearTimeout(timer);
    window.localStorage.removeItem(key);
  });
}
