/* What a desk has beside the judgment: dialogs that are opened now and then. */

import type { State } from "../workbench/state";
import type { Workbench } from "../workbench/workbench";
import { Guidelines } from "./guidelines";
import { KeyHelp } from "./key_help";
import { Report } from "./report";

export const DIALOGS = { guidelines: Guidelines, keys: KeyHelp, report: Report };

export function Desk({ workbench, state: { dialog } }: { workbench: Workbench; state: State }) {
  const Opened = dialog in DIALOGS ? DIALOGS[dialog as keyof typeof DIALOGS] : null;
  return Opened && <Opened key={dialog} workbench={workbench} />;
}
