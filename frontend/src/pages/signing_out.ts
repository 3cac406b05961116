/* form[data-sign-out=ACCOUNT]: held back until nothing waits on this device any more: sent, or downloaded where it cannot be. */

import { createApi } from "../workbench/api";
import { offerAnswers } from "../workbench/offer_file";
import { sendKept, type Sent } from "../workbench/send_kept";
import { Session, tokenIn } from "../workbench/session";
import { clearStorage, openStorage, type Storage } from "../workbench/storage";

export function bindSigningOut(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-sign-out]")) {
    const downloaded = new Set<string>();
    form.querySelector("[data-download]")?.addEventListener("click", () => void download(accountOf(form), downloaded));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void signOut(form, downloaded);
    });
  }
}

async function signOut(form: HTMLFormElement, downloaded: ReadonlySet<string>): Promise<void> {
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  try {
    const storage = await openStorage(accountOf(form));
    const left = await emptyQueue(form, storage);
    const isSafe = left === "all" || (left === "waiting" && (await storage.all()).every(({ key }) => downloaded.has(key)));
    if (!isSafe) return tell(form, left);
    await clearStorage(accountOf(form));
    form.submit();
  } finally {
    delete form.dataset.busy;
  }
}

async function emptyQueue(form: HTMLFormElement, storage: Storage): Promise<Sent> {
  if ((await storage.all()).length === 0) return "all";
  tell(form, "sending");
  const fetcher = (url: string, init: RequestInit) => fetch(url, init);
  const session = new Session({ account: accountOf(form), token: tokenIn(form), page: location.pathname, fetch: fetcher });
  return sendKept(createApi({ base: "/api/v1/", fetch: fetcher, session }), storage);
}

/** One of the form's notes is shown, the one that fits. */
function tell(form: HTMLFormElement, news: Sent | "sending"): void {
  for (const note of form.querySelectorAll<HTMLElement>("[data-kept]")) note.hidden = note.dataset.kept !== news;
}

async function download(account: string, downloaded: Set<string>): Promise<void> {
  const kept = await (await openStorage(account)).all();
  offerAnswers(kept);
  for (const { key } of kept) downloaded.add(key);
}

function accountOf(form: HTMLFormElement): string {
  return form.dataset.signOut ?? "";
}
