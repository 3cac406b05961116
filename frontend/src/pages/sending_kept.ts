/* [data-send-kept=ACCOUNT]: what an earlier visit could not send goes as soon as the annotator is back. */

import { forgetAccount } from "../offline/kept_pages";
import { offerAnswers } from "../workbench/offer_file";
import { tokenIn } from "../workbench/session";
import { type Kept, openStorage } from "../workbench/storage";
import { sendWhatIsKept, tell } from "./kept_answers";

export function bindSendingKept(root: ParentNode): void {
  for (const place of root.querySelectorAll<HTMLElement>("[data-send-kept]")) {
    if (place.dataset.bound) continue;
    place.dataset.bound = "yes";
    const send = () => void sendFrom(place);
    window.addEventListener("online", send);
    send();
  }
}

async function sendFrom(place: HTMLElement): Promise<void> {
  const account = place.dataset.sendKept ?? "";
  const storage = await openStorage(account);
  // after consent was withdrawn: pages and texts kept for working offline go, too; those of other campaigns come again
  if ("withdrawn" in place.dataset && "caches" in window) await forgetAccount(caches, account);
  const hadSome = (await storage.all()).some(({ kind }) => kind === "judgment");
  const ended: Kept[] = [];
  const sent = await sendWhatIsKept(
    place,
    storage,
    { account, token: tokenIn(place), settings: place.dataset.settings ?? "" },
    ended,
  );
  if (sent !== "all" || hadSome) tell(place, sent);
  else place.querySelector<HTMLElement>("[data-kept=sending]")?.toggleAttribute("hidden", true);
  const [download, remove] = ["[data-download]", "[data-remove]"].map((button) =>
    place.querySelector<HTMLElement>(button),
  );
  if (!download || !remove) return;
  download.onclick = () => {
    offerAnswers(ended);
    remove.hidden = false;
  };
  remove.onclick = async () => {
    for (const { key } of ended) await storage.remove(key);
    tell(place, null);
  };
}
