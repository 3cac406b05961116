/* What a desk has beside the judgment: dialogs that are opened now and then, and what is new in the guidelines. */

import { Button, Note } from "../workbench/render/controls";
import type { DeskSettings } from "../workbench/page";
import type { State } from "../workbench/state";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";
import { Guidelines } from "./guidelines";
import { KeyHelp } from "./key_help";
import type { Visit } from "./pace";
import { Place } from "./place";
import { Report } from "./report";

interface Props {
  readonly workbench: Workbench;
  readonly state: State;
  readonly visit: Visit;
  readonly onRead: () => void;
  readonly settings: DeskSettings;
  readonly onChange: (settings: DeskSettings) => void;
}

export function Desk({ workbench, state: { dialog }, visit, onRead, settings, onChange }: Props) {
  switch (dialog) {
    case "guidelines":
      return <Guidelines workbench={workbench} onRead={onRead} />;
    case "place":
      return <Place workbench={workbench} visit={visit} />;
    case "keys":
      return <KeyHelp workbench={workbench} settings={settings} onChange={onChange} />;
    case "report":
      return <Report workbench={workbench} />;
    default:
      return null;
  }
}

/** Above the texts until it was read. */
export function News({ workbench }: { workbench: Workbench }) {
  const { reading } = workbench.page;
  if (!reading?.changes.length) return null;
  return (
    <div class="wrap desk-news">
      <Note look="info" icon="info" role="status">
        <p>{t("The guidelines have changed since you read them on {day}.", { day: reading.since })}</p>
        <Button onClick={() => workbench.openDialog("guidelines")}>{t("Read what changed")}</Button>
      </Note>
    </div>
  );
}
