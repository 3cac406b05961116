/* Sends answers that an account left on this device, from pages where no task is open.

   [data-send-unsent=ACCOUNT]: sent as soon as the annotator is back. form[data-sign-out=ACCOUNT]: delayed until
   nothing is left on this device: sent, or saved as a file where it cannot be. Each [data-unsent=NEWS] inside is a
   note; the one that fits is shown. */

import { forgetAccount } from "../offline/stored_pages";
import { createApi } from "../workbench/api";
import { saveAnswers } from "../workbench/saved_files";
import { sendUnsent, type SendResult } from "../workbench/send_unsent";
import { Session, tokenIn } from "../workbench/session";
import { clearStorage, type Unsent, openStorage, type Storage, tabStorage } from "../workbench/storage";
import { bindEach } from "./fragments";

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
  const fetcher = (url: string, init: RequestInit) => fetch(url, init);
  const session = new Session({ account, token: tokenIn(place), page: settings, fetch: fetcher });
  return sendUnsent(createApi({ base: "/api/v1/", fetch: fetcher, session }), storage, ended);
}

function showNote(place: HTMLElement, news: SendResult | "sending" | null): void {
  for (const note of place.querySelectorAll<HTMLElement>("[data-unsent]"))
    note.hidden = (note.dataset.unsent ?? "") !== news;
}

async function sendOnReturn(place: HTMLElement): Promise<void> {
  const account = place.dataset.sendUnsent ?? "";
  const storage = await openStorage(account);
  // after consent was withdrawn, pages and texts stored for working offline go, too; those of other campaigns return
  if ("withdrawn" in place.dataset && "caches" in window) await forgetAccount(caches, account);
  const hadJudgments = (await storage.all()).some(({ kind }) => kind === "judgment");
  const ended: Unsent[] = [];
  const sent = await sendAndShow(place, storage, account, place.dataset.settings ?? "", ended);
  showNote(place, sent !== "all" || hadJudgments ? sent : null);
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
    await clearStorage(account);
    if ("caches" in window) await forgetAccount(caches, account);
    tabStorage()?.clear();
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
