/* Fields of forms that depend on other fields, on a file, or on what the server computes. */

import { afterPause, bindEach, onFormInput, replaceContent, type Rebind } from "./fragments";

const SUMMARY_PAUSE_MS = 200;
const HEADINGS = [
  ...["name", "email", "e-mail", "mail", "languages", "language"],
  ...["username", "user name", "user", "account", "password"],
];

export function bindFormFields(root: ParentNode, rebind: Rebind): void {
  bindEach<HTMLInputElement>(root, "input[data-text-into]", (input) => {
    input.addEventListener("change", () => void readFile(input));
  });
  bindEach<HTMLTextAreaElement>(root, "textarea[data-people]", countPeople);
  bindEach<HTMLFormElement>(root, "form:has([data-controls], [data-when])", (form) => {
    form.addEventListener("change", () => showChosenProtocol(form));
    showChosenProtocol(form);
  });
  bindEach<HTMLFormElement>(root, "form[data-sums]", (form) => summarise(form, rebind));
  bindEach(root, "[data-suggest]", suggest);
  bindEach<HTMLFormElement>(root, "form[data-submit-now]", (form) => form.submit());
}

/** input[type=file][data-text-into=ID]: the text of the chosen file replaces the text of that field; the server reads
    a workbook, at [data-workbook], or says what is wrong with it. */
async function readFile(input: HTMLInputElement): Promise<void> {
  const file = input.files?.[0];
  const field = document.getElementById(input.dataset.textInto ?? "");
  if (!file || !(field instanceof HTMLTextAreaElement)) return;
  const address = file.name.toLowerCase().endsWith(".xlsx") ? input.dataset.workbook : undefined;
  const problems = problemsBehind(input.closest("p") ?? input);
  problems.replaceChildren();
  input.value = "";
  if (address) {
    const body = new FormData(field.form ?? undefined);
    for (const name of [...body.keys()]) if (name !== "csrfmiddlewaretoken") body.delete(name);
    body.append("file", file);
    const response = await fetch(address, { method: "POST", body }).catch(() => null);
    const answer = response ? await response.text() : "";
    if (!response?.ok) return replaceContent(problems, answer, () => undefined);
    field.value = answer;
  } else field.value = await file.text();
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

function problemsBehind(place: Element): HTMLElement {
  const next = place.nextElementSibling;
  if (next instanceof HTMLElement && next.classList.contains("file-problems")) return next;
  const made = Object.assign(document.createElement("div"), { className: "file-problems" });
  made.setAttribute("role", "alert");
  place.after(made);
  return made;
}

/** textarea[data-people=ID]: a list of people, a line each; their number is put into the field of that id. */
function countPeople(list: HTMLTextAreaElement): void {
  const number = document.getElementById(list.dataset.people ?? "");
  list.addEventListener("input", () => {
    const count = peopleIn(list.value);
    if (number instanceof HTMLInputElement && count) number.value = String(count);
  });
}

export function peopleIn(text: string): number {
  const lines = linesOf(text);
  return lines.length - (isHeader(lines[0] ?? "") ? 1 : 0);
}

/** Such a list is stored on no device. An unknown column may be anything. */
export function hasPasswords(text: string): boolean {
  const first = linesOf(text)[0] ?? "";
  const cells = cellsOf(first);
  return isHeader(first) ? cells.some((cell) => cell === "password" || !HEADINGS.includes(cell)) : cells.length > 2;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim());
}

function isHeader(line: string): boolean {
  return cellsOf(line).some((cell) => HEADINGS.includes(cell));
}

function cellsOf(line: string): string[] {
  return line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"|"$/g, "").toLowerCase());
}

/** [data-protocol]: fields of one protocol, shown while it is chosen; [data-control=KIND]: control items, hidden where
    the chosen protocol has none of that kind (its radio button lists them in [data-controls]); [data-when]: fields that
    only matter with others, "NAME=VALUE,VALUE NAME=VALUE", each of which has one of its values. Without a choice
    everything is shown, as without this script, and what is wrong is never hidden. */
function showChosenProtocol(form: HTMLFormElement): void {
  const chosen = form.querySelector<HTMLInputElement>("[data-controls]:checked");
  const kinds = (chosen?.dataset.controls ?? "").split(" ");
  for (const group of form.querySelectorAll<HTMLElement>("[data-protocol]")) {
    group.hidden = chosen !== null && group.dataset.protocol !== chosen.value;
  }
  const entered = new FormData(form);
  for (const row of form.querySelectorAll<HTMLElement>("[data-when]")) {
    const conditions = (row.dataset.when ?? "").split(" ").map((condition) => condition.split("="));
    row.hidden =
      row.querySelector(".err") === null &&
      conditions.some(([name, values]) => {
        const value = entered.get(name ?? "");
        return value !== null && !values?.split(",").includes(String(value));
      });
  }
  for (const row of form.querySelectorAll<HTMLElement>("[data-control]")) {
    row.hidden = chosen !== null && !kinds.includes(row.dataset.control ?? "");
    for (const field of row.querySelectorAll("input")) field.disabled = row.hidden;
  }
}

/** form[data-sums=URL]: the summary of the form, computed by the server after each change. */
function summarise(form: HTMLFormElement, rebind: Rebind): void {
  const target = document.getElementById(form.dataset.sumsInto ?? "");
  if (!target) return;
  let requests = 0;
  const refresh = async (): Promise<void> => {
    const number = ++requests;
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      const isCounted = !["csrfmiddlewaretoken", "people"].includes(name) && !name.startsWith("mended-");
      if (typeof value === "string" && isCounted && value.length < 200) fields.append(name, value);
    }
    const response = await fetch(`${form.dataset.sums}?${fields}`);
    if (!response.ok || number !== requests) return;
    replaceContent(target, await response.text(), rebind);
    if (spread(target, form)) later();
  };
  const { later } = afterPause(SUMMARY_PAUSE_MS, () => void refresh().catch(() => undefined));
  onFormInput(form, later);
  form.addEventListener("change", later);
  later();
}

/** What the server's answer has for other places of the page. [data-goes-to=ID]: a piece for that element;
    [data-default=NAME]: the value of a field that was left as it is; [data-unfit=PROTOCOL]: why it cannot be chosen.
    True if a field has a new value. */
function spread(answer: HTMLElement, form: HTMLFormElement): boolean {
  let isChanged = false;
  for (const piece of answer.querySelectorAll<HTMLElement>("[data-goes-to]")) {
    document.getElementById(piece.dataset.goesTo ?? "")?.replaceChildren(...piece.childNodes);
    piece.remove();
  }
  for (const { dataset } of answer.querySelectorAll<HTMLElement>("[data-default]")) {
    const field = form.elements.namedItem(dataset.default ?? "");
    if (!(field instanceof HTMLInputElement) || (field.value && field.value !== field.dataset.filled)) continue;
    isChanged ||= field.value !== dataset.value;
    field.value = field.dataset.filled = dataset.value ?? "";
  }
  for (const { dataset } of answer.querySelectorAll<HTMLElement>("[data-unfit]")) {
    const radio = form.querySelector<HTMLInputElement>(`[name=protocol][value="${dataset.unfit ?? ""}"]`);
    const why = radio?.parentElement?.querySelector<HTMLElement>(".why");
    if (!radio || !why) continue;
    radio.disabled = Boolean(dataset.why) && !radio.checked;
    radio.parentElement?.classList.toggle("out", Boolean(dataset.why));
    why.hidden = !dataset.why;
    why.textContent = dataset.why ?? "";
  }
  return isChanged;
}

function primary(language: string): string {
  return language.trim().split("-")[0]!.toLowerCase();
}

/** [data-suggest=NAME]: a value from the server, put into the form's field of that name while the field is empty.
    With [data-firm] it is that of the language pair somebody chose: another language gives way. */
function suggest(suggestion: HTMLElement): void {
  const field = suggestion.closest("form")?.elements.namedItem(suggestion.dataset.suggest ?? "");
  const { value = "", firm } = suggestion.dataset;
  if (!(field instanceof HTMLInputElement)) return;
  if (field.value.trim() && (firm === undefined || primary(field.value) === primary(value))) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
