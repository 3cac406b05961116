/* A file for the annotator to keep: what the server does not take must not be lost with the page. */

import type { Kept } from "./storage";

export function offerAnswers(kept: readonly Kept[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(kept, null, 2)], { type: "application/json" }));
  link.download = "assay-unsent-answers.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
