/* form[data-sign-out=ACCOUNT]: held back until nothing waits on this device any more: sent, or downloaded where it
   cannot be. */

import { forgetAccount } from "../offline/kept_pages";
import { offerAnswers } from "../workbench/offer_file";
import { tokenIn } from "../workbench/session";
import { clearStorage, openStorage } from "../workbench/storage";
import { tabStorage } from "../workbench/tab_storage";
import { sendWhatIsKept, tell } from "./kept_answers";

export function bindSigningOut(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-sign-out]")) {
    const downloaded = new Set<string>();
    for (const button of form.querySelectorAll("[data-download]"))
      button.addEventListener("click", () => void download(accountOf(form), downloaded));
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
    const account = accountOf(form);
    const storage = await openStorage(account);
    const left = await sendWhatIsKept(form, storage, { account, token: tokenIn(form), settings: location.pathname });
    const isHere = left === "waiting" || left === "ended";
    const isSafe =
      left === "all" || left === "removed" || (isHere && (await storage.all()).every(({ key }) => downloaded.has(key)));
    if (!isSafe) return tell(form, left);
    await clearStorage(account);
    if ("caches" in window) await forgetAccount(caches, account);
    tabStorage()?.clear();
    form.submit();
  } finally {
    delete form.dataset.busy;
  }
}

async function download(account: string, downloaded: Set<string>): Promise<void> {
  const kept = await (await openStorage(account)).all();
  offerAnswers(kept);
  for (const { key } of kept) downloaded.add(key);
}

function accountOf(form: HTMLFormElement): string {
  return form.dataset.signOut ?? "";
}
