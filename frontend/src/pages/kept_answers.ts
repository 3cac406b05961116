/* What an account left on this device, sent from a page where no task is open, and said by the note that fits. */

import { createApi } from "../workbench/api";
import { sendKept, type Sent } from "../workbench/send_kept";
import { Session } from "../workbench/session";
import type { Kept, Storage } from "../workbench/storage";

export interface Sender {
  account: string;
  token: string;
  /** The page that names the account signed in. */
  settings: string;
}

/** Each `[data-kept=NEWS]` under `place` is a note. */
export async function sendWhatIsKept(
  place: HTMLElement,
  storage: Storage,
  { account, token, settings }: Sender,
  ended: Kept[] = [],
): Promise<Sent> {
  if ((await storage.all()).length === 0) return "all";
  tell(place, "sending");
  const fetcher = (url: string, init: RequestInit) => fetch(url, init);
  const session = new Session({ account, token, page: settings, fetch: fetcher });
  return sendKept(createApi({ base: "/api/v1/", fetch: fetcher, session }), storage, ended);
}

export function tell(place: HTMLElement, news: Sent | "sending" | null): void {
  for (const note of place.querySelectorAll<HTMLElement>("[data-kept]"))
    note.hidden = (note.dataset.kept ?? "") !== news;
}
