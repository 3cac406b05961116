/* Sends answers that an account left on this device, from pages where no task is open.

   [data-send-unsent=ACCOUNT]: sent as soon as the annotator is back. form[data-sign-out=ACCOUNT]: delayed until
   nothing is left on this device: sent, or saved as a file where it cannot be. Each [data-unsent=NEWS] inside is a
   note; the one that fits is shown. */

import { forgetAccount } from "../offline/stored_pages";
import { type Api, createApi, type Outcome, type Receipt, sameAnswer } from "../workbench/api";
import { saveAnswers } from "../workbench/saved_files";
import { Session, tokenIn } from "../workbench/session";
import {
  browserStorage,
  openStorage,
  type Storage,
  submissionOf,
  type Unsent,
  rowOf,
  type UnsentJudgment,
} from "../workbench/storage";
import { bindEach, replaceContent } from "./fragments";

/** `waiting`: something needs the annotator's decision. `unreachable`: another try may help. `ended`: some of it was
    for what this account has no access to any more. `removed`: consent was withdrawn, and nothing of it is stored here
    now. */
type SendResult = "all" | "removed" | "waiting" | "unreachable" | "signed_out" | "ended";

export function bindUnsentAnswers(root: ParentNode): void {
  bindEach(root, "[data-send-unsent]", (place) => {
    const send = () => void sendOnReturn(place);
    window.addEventListener("online", send);
    send();
  });
  bindEach<HTMLFormElement>(root, "form[data-sign-out]", (form) => {
    const account = form.dataset.signOut ?? "";
    const saved = new Set<string>();
    for (const button of form.querySelectorAll("[data-download]"))
      button.addEventListener("click", () => void save(account, saved));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void signOut(form, account, saved);
    });
  });
}

/** `settings`: the page that names the account signed in. */
async function sendAndShow(
  place: HTMLElement,
  storage: Storage,
  account: string,
  settings: string,
  ended: Unsent[] = [],
): Promise<SendResult> {
  if ((await storage.all()).length === 0) return "all";
  showNote(place, "sending");
  const session = new Session({ account, token: tokenIn(place), page: settings });
  return sendUnsent(createApi({ base: "/api/v1/", session }), storage, ended);
}

/** Answers without access are added to `ended`, and stay. */
export async function sendUnsent(api: Api, storage: Storage, ended: Unsent[]): Promise<SendResult> {
  const revisions = new Map<string, number>();
  const waiting = new Set<string>();
  let wasRemoved = false;
  const all = await storage.all();
  for (const entry of all) {
    if (waiting.has(entry.item)) continue;
    if (entry.kind === "judgment" && entry.screen !== undefined) {
      const sent = await sendScreen(api, storage, all, entry, { revisions, waiting, ended });
      if (sent === "unreachable" || sent === "signed_out") return sent;
      wasRemoved ||= sent === "removed";
      continue;
    }
    // Answers to one item follow each other: the next is based on the revision the last one made.
    const next = { ...entry, base_revision: revisions.get(entry.item) ?? entry.base_revision };
    if (next.base_revision !== entry.base_revision) await storage.put(next);
    const outcome: Outcome<Receipt | null> =
      next.kind === "draft"
        ? await api.saveDraft(next.assignment, next.item, next.answer, next.base_revision)
        : await api.submit(next.assignment, next.item, submissionOf(next));
    if (outcome.kind === "ok" && outcome.body) revisions.set(next.item, outcome.body.revision);
    if (outcome.kind === "conflict") revisions.set(next.item, outcome.newer.revision);
    const sent = resultOf(entry, outcome);
    if (sent === "unreachable" || sent === "signed_out") return sent;
    if (sent === "waiting") waiting.add(entry.item);
    else if (sent === "ended") ended.push(entry);
    else await storage.remove(entry.key);
    wasRemoved ||= sent === "removed";
  }
  if (ended.length > 0) return "ended";
  if (waiting.size > 0) return "waiting";
  return wasRemoved ? "removed" : "all";
}

interface Sending {
  readonly revisions: Map<string, number>;
  readonly waiting: Set<string>;
  readonly ended: Unsent[];
}

/** With the first of its rows all of them are sent. A row that has to wait holds up the others. */
async function sendScreen(
  api: Api,
  storage: Storage,
  all: readonly Unsent[],
  { screen }: UnsentJudgment,
  { revisions, waiting, ended }: Sending,
): Promise<SendResult> {
  const rows = all.filter((entry) => entry.kind === "judgment" && entry.screen === screen) as UnsentJudgment[];
  const isStored = new Set((await storage.all()).map(({ key }) => key));
  if (rows.some(({ key }) => !isStored.has(key))) return "all"; // sent with an earlier row
  const hold = () => rows.forEach(({ item }) => waiting.add(item));
  if (rows.some(({ item }) => waiting.has(item))) return (hold(), "waiting");
  const based = rows.map((row) => ({ ...row, base_revision: revisions.get(row.item) ?? row.base_revision }));
  const outcome = await api.submitScreen(rows[0]!.assignment, based.map(rowOf), rows[0]!.actions);
  const sent = outcome.kind === "conflict" ? "waiting" : resultOf(rows[0]!, outcome);
  if (sent === "unreachable" || sent === "signed_out") return sent;
  if (outcome.kind === "ok")
    for (const [item, revision] of Object.entries(outcome.body.revisions)) revisions.set(item, revision);
  if (sent === "waiting") hold();
  else if (sent === "ended") ended.push(...rows);
  else for (const { key } of rows) await storage.remove(key);
  return sent;
}

/** A draft that is refused, or followed by a judgment, is no longer needed. */
function resultOf({ kind, answer }: Unsent, outcome: Outcome<unknown>): SendResult {
  switch (outcome.kind) {
    case "ok":
      return "all";
    case "conflict":
      return kind === "draft" || sameAnswer(answer, outcome.newer.answer) ? "all" : "waiting";
    case "refused":
      return kind === "draft" ? "all" : "waiting";
    case "withdrawn":
      return "removed";
    case "ended":
    case "signed_out":
      return outcome.kind;
    default:
      return "unreachable";
  }
}

function showNote(place: HTMLElement, news: SendResult | "sending" | null): void {
  for (const note of place.querySelectorAll<HTMLElement>("[data-unsent]"))
    note.hidden = (note.dataset.unsent ?? "") !== news;
}

async function sendOnReturn(place: HTMLElement): Promise<void> {
  const account = place.dataset.sendUnsent ?? "";
  const storage = await openStorage(account);
  // after consent was withdrawn, pages and texts stored for working offline go, too; those of other campaigns return
  if ("withdrawn" in place.dataset) await forgetAccount(account);
  const hadJudgments = (await storage.all()).some(({ kind }) => kind === "judgment");
  const ended: Unsent[] = [];
  const sent = await sendAndShow(place, storage, account, place.dataset.settings ?? "", ended);
  showNote(place, sent !== "all" || hadJudgments ? sent : null);
  if (hadJudgments) await renewCounts();
  const download = place.querySelector<HTMLElement>("[data-download]");
  const remove = place.querySelector<HTMLElement>("[data-remove]");
  if (!download || !remove) return;
  download.onclick = () => {
    saveAnswers(ended);
    remove.hidden = false;
  };
  remove.onclick = async () => {
    for (const { key } of ended) await storage.remove(key);
    showNote(place, null);
  };
}

/** [data-counts]: what the page says of the annotator's tasks was true before the answers were sent. */
async function renewCounts(): Promise<void> {
  const place = document.querySelector<HTMLElement>("[data-counts]");
  if (!place) return;
  const response = await fetch(location.href).catch(() => null);
  if (!response?.ok) return; // they stay as old as the page
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-counts]");
  if (fresh) replaceContent(place, fresh.innerHTML, () => undefined);
}

async function signOut(form: HTMLFormElement, account: string, saved: ReadonlySet<string>): Promise<void> {
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  try {
    const storage = await openStorage(account);
    const sent = await sendAndShow(form, storage, account, location.pathname);
    const isLeft = sent === "waiting" || sent === "ended";
    const isSafe =
      sent === "all" || sent === "removed" || (isLeft && (await storage.all()).every(({ key }) => saved.has(key)));
    if (!isSafe) return showNote(form, sent);
    for (const { key } of await storage.all()) await storage.remove(key);
    await forgetAccount(account);
    browserStorage("sessionStorage")?.clear();
    form.submit();
  } finally {
    delete form.dataset.busy;
  }
}

async function save(account: string, saved: Set<string>): Promise<void> {
  const unsent = await (await openStorage(account)).all();
  saveAnswers(unsent);
  for (const { key } of unsent) saved.add(key);
}
