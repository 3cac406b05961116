/* [data-send-kept=ACCOUNT]: what an earlier visit could not send goes as soon as the annotator is back. */

import { tokenIn } from "../workbench/session";
import { openStorage } from "../workbench/storage";
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
  const hadSome = (await storage.all()).some(({ kind }) => kind === "judgment");
  const sent = await sendWhatIsKept(place, storage, { account, token: tokenIn(place), settings: place.dataset.settings ?? "" });
  if (sent !== "all" || hadSome) tell(place, sent);
  else place.querySelector<HTMLElement>("[data-kept=sending]")?.toggleAttribute("hidden", true);
}
