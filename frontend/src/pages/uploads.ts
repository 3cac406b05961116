/* [data-upload=URL]: files dropped or chosen are sent with their progress; the server's findings take the place of
   [data-findings]. */

import { tokenIn } from "../workbench/session";
import { fillFields, type Values } from "./form_drafts";
import { bindEach, fetchFragment, replaceContent, type Rebind } from "./fragments";

export function bindUploads(root: ParentNode, rebind: Rebind): void {
  bindEach(root, "[data-upload]", (zone) => bindZone(zone, rebind));
  bindEach(root, "form[data-paths]", addPaths);
}

/* Beside each file its place in the folder that was chosen: its name alone arrives. */
function addPaths(form: HTMLElement): void {
  form.addEventListener("formdata", ({ formData }) => {
    const files = [...form.querySelectorAll<HTMLInputElement>("input[type=file]")].flatMap((input) => [
      ...(input.files ?? []),
    ]);
    for (const file of files) formData.append("paths", pathOf(file));
  });
}

function bindZone(zone: HTMLElement, rebind: Rebind): void {
  const inputs = zone.querySelectorAll<HTMLInputElement>("input[type=file]");
  const findings = document.getElementById(zone.dataset.findings ?? "");
  if (!inputs.length || !findings) return;
  for (const type of ["dragenter", "dragover"]) {
    zone.addEventListener(type, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  for (const type of ["dragleave", "drop"]) zone.addEventListener(type, () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer)
      void filesIn(event.dataTransfer).then((files) => files.length && send(zone, files, findings, rebind));
  });
  for (const input of inputs)
    input.addEventListener("change", () => {
      if (input.files?.length) send(zone, [...input.files].filter(isSeen), findings, rebind);
      input.value = "";
    });
  bindRoles(zone, findings, rebind);
  zone.closest("form")?.addEventListener("assay:restored", (event) => {
    if (event instanceof CustomEvent) void restore(zone, event.detail as Values, findings, rebind);
  });
}

/* What file managers add to folders is not among them, nor are mt-metrics-eval's many scores, which are no texts. */
function isSeen(file: File): boolean {
  if (file.name.startsWith(".") || ["Thumbs.db", "desktop.ini"].includes(file.name)) return false;
  return !pathOf(file).includes("/metric-scores/");
}

/* Where files of dropped folders lie; those of a chosen one say it themselves. */
const paths = new WeakMap<File, string>();

export function pathOf(file: File): string {
  return paths.get(file) ?? file.webkitRelativePath ?? "";
}

/* Dropped files, and all that are below dropped folders. */
export async function filesIn(dropped: Pick<DataTransfer, "files" | "items">): Promise<File[]> {
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return [...dropped.files];
  const found: File[] = [];
  for (const entry of entries) if (entry) found.push(...(await filesBelow(entry)));
  return found.filter(isSeen);
}

async function filesBelow(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    paths.set(file, entry.fullPath);
    return [file];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    // a browser lists a folder in portions, the last of which is empty
    const portion = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (!portion.length) return found;
    for (const each of portion) found.push(...(await filesBelow(each)));
  }
}

/* A draft names its upload; files that have expired are ignored. */
async function restore(zone: HTMLElement, draft: Values, findings: HTMLElement, rebind: Rebind): Promise<void> {
  const upload = draft.upload?.[0];
  if (!upload) return;
  const query = new URLSearchParams({ whole: "" });
  for (const name of ["skip_bad_rows", "empty_outputs"]) if (draft[name]?.[0]) query.set(name, draft[name][0]);
  try {
    const fragment = await fetchFragment(`${zone.dataset.upload}${encodeURIComponent(upload)}/?${query}`, "");
    replaceContent(findings, fragment.html ?? "", rebind);
    fillFields(findings.querySelectorAll("[data-with-post]"), draft); // what was chosen but not read again
    findings.dispatchEvent(new Event("assay:settled", { bubbles: true }));
  } catch {
    findings.replaceChildren();
  }
}

/* After another choice of roles or format the server checks again. */
function bindRoles(zone: HTMLElement, findings: HTMLElement, rebind: Rebind): void {
  findings.addEventListener("click", (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button[data-post]") : null;
    if (!button) return;
    const into = document.getElementById(button.dataset.into ?? ""); // a piece that is replaced alone
    const body = new FormData();
    for (const field of (into ?? findings).querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-with-post]"))
      if (!("checked" in field) || field.checked || !["checkbox", "radio"].includes(field.type))
        body.append(field.name, field.value);
    if (button.name) body.append(button.name, button.value);
    if (!into) findings.focus(); // the button is part of what is replaced
    post(button.dataset.post ?? "", body, zone, into ?? findings, rebind);
  });
}

function send(zone: HTMLElement, files: File[], findings: HTMLElement, rebind: Rebind): void {
  const body = new FormData();
  for (const file of files) {
    body.append("files", file);
    body.append("paths", pathOf(file));
  }
  post(zone.dataset.upload ?? "", body, zone, findings, rebind);
}

function post(url: string, body: FormData, zone: HTMLElement, findings: HTMLElement, rebind: Rebind): void {
  const request = new XMLHttpRequest();
  const bar = zone.querySelector<HTMLProgressElement>("progress");
  request.upload.addEventListener("progress", (event) => {
    if (bar && event.lengthComputable) {
      bar.hidden = false;
      bar.max = event.total;
      bar.value = event.loaded;
    }
  });
  request.addEventListener("loadend", () => {
    if (bar) bar.hidden = true;
    // 422 brings the problems of the files; any other failure a page of its own, or nothing
    if (request.status === 200 || request.status === 422) replaceContent(findings, request.responseText, rebind);
    else if (findings.querySelector("textarea"))
      findings.prepend(zone.dataset.failed ?? ""); // what was typed stays
    else findings.textContent = zone.dataset.failed ?? "";
    findings.dispatchEvent(new Event("assay:settled", { bubbles: true }));
  });
  request.open("POST", url);
  request.setRequestHeader("X-CSRFToken", tokenIn(document));
  request.send(body);
}
