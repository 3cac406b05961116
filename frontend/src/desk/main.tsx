/* Loaded by the judging page once its texts are shown: what is needed now and then need not come before them. */

import { render } from "preact";

import { speak } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";
import { Desk } from "./desk";

export function openDesk(workbench: Workbench): () => void {
  speak(workbench.page.catalogue, document.documentElement.lang);
  const place = document.body.appendChild(document.createElement("div"));
  const draw = () => render(<Desk workbench={workbench} state={workbench.state.value} />, place);
  // Not effects: signals of another script are followed only through their own `subscribe`.
  const stops = [workbench.state.subscribe(draw), workbench.report.subscribe(draw)];
  return () => {
    for (const stop of stops) stop();
    render(null, place);
    place.remove();
  };
}

Object.assign(globalThis, { openDesk });
