/* The instruction above a text: paragraphs, never markup; folded as it was left. */

import { t } from "../workbench/words";
import { element, keyCap } from "./elements";
import { isFolded, rememberFolding } from "./folding";

export const BRIEF = "brief";

export function instructionElement(text: string, hasKey: boolean): HTMLDetailsElement {
  const paragraphs = text.split(/\n{2,}/).map((part) => element("p", { dir: "auto" }, part));
  const fold = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  fold.setAttribute("class", "ic way");
  fold.setAttribute("viewBox", "0 0 16 16");
  fold.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M6 3.5L10.5 8 6 12.5");
  fold.append(path);
  const short = element("span", { class: "short", dir: "auto", "aria-hidden": "true" }, text.replace(/\s+/g, " "));
  const summary = element("summary", { id: BRIEF }, fold, element("b", {}, t("Instruction for this text")), short);
  if (hasKey) {
    summary.setAttribute("aria-keyshortcuts", "B");
    summary.append(keyCap("B"));
  }
  const details = element("details", { class: "instruction" }, summary, ...paragraphs);
  details.open = !isFolded();
  details.addEventListener("toggle", () => rememberFolding(!details.open));
  return details;
}
