/* What lies beside the texts: loaded by the judging page only if its items have an instruction, terms or codes. */

import { speak } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";
import { Beside } from "./beside";

function openBeside(workbench: Workbench): void {
  speak(workbench.page.catalogue, document.documentElement.lang);
  new Beside(workbench).open();
}

Object.assign(globalThis, { openBeside });
