/* A medium that cannot be shown says why, by its name; it comes back with the network. */

import type { Medium } from "../workbench/api";
import { t } from "../workbench/words";
import { button, element } from "./elements";

export async function explainLoss(
  place: HTMLElement,
  { name }: Medium,
  address: string,
  again: () => void,
): Promise<void> {
  const status = await fetch(address, { method: "HEAD" }).then(
    (response) => response.status,
    () => 0,
  );
  const words = wordsFor(status, name);
  const retry = button({ class: "btn quiet" }, [t("Try again")]);
  retry.onclick = again;
  place.replaceChildren(element("p", { class: "lost", role: "status" }, [words, " ", retry]));
  if (status === 0) addEventListener("online", () => place.isConnected && again(), { once: true });
}

function wordsFor(status: number, name: string): string {
  if (status === 0)
    return t("“{name}” needs a network and appears when the connection is back. You can go on meanwhile.", { name });
  if (status === 404) return t("The file “{name}” is missing. If you need it, report a problem.", { name });
  if (status < 400) return t("Your browser cannot show “{name}”.", { name });
  return t("“{name}” could not be loaded.", { name });
}
