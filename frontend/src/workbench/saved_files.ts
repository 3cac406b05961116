/* Files for a reader to save, made in the browser. */

import type { Unsent } from "./storage";

export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000); // some browsers read the address only after the click
}

/** What the server does not accept must not be lost with the page. */
export function saveAnswers(answers: readonly Unsent[]): void {
  saveFile(new Blob([JSON.stringify(answers, null, 2)], { type: "application/json" }), "assay-unsent-answers.json");
}
