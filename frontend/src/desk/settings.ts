/* How this person set the desk: kept by the server, so that it is the same on each device. */

import type { DeskSettings } from "../workbench/page";
import { tokenIn } from "../workbench/session";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";

export const FIRST: DeskSettings = { keys: {}, text_size: "medium" };

/** They hold on this page even if they could not be stored. */
export async function storeSettings(workbench: Workbench, settings: DeskSettings): Promise<void> {
  const { preview, urls } = workbench.page;
  if (preview || !urls.desk) return;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": tokenIn(document) };
  const answer = await fetch(urls.desk, { method: "POST", headers, body: JSON.stringify(settings) }).catch(() => null);
  if (!answer?.ok) workbench.notify(t("This could not be saved. It holds until you leave the page."));
}
