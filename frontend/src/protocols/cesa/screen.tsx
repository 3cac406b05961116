/* The whole screen: heading, instruction, and the document as a grid or, on a phone, as a deck. */

import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";

import { giveFocus } from "../../workbench/render/controls";
import { headingOf } from "../../workbench/state";
import { t, tn } from "../../workbench/words";
import type { Workbench } from "../../workbench/workbench";
import { Brief } from "./brief";
import { columnCount } from "./columns";
import { Deck } from "./deck";
import { Grid } from "./grid";
import { onScreenKey } from "./keyboard";
import { NARROW } from "./desk";
import type { MarkingDesk } from "./marking_desk";
import { Pointing } from "./pointing";

export function Screen({ desk, workbench }: { desk: MarkingDesk; workbench: Workbench }) {
  desk.at(workbench);
  const pointing = useMemo(() => new Pointing(desk), [desk]);
  const { items } = desk;
  const document = items[0]?.document;
  useKeys(desk);
  useWidth(desk);
  useLeaving(desk);
  useBeginning(desk, document);
  const first = items[0];
  if (!first) return null;
  if (desk.isDeck.value) return <Deck desk={desk} pointing={pointing} />;
  const systems = columnCount(items);
  const segments = tn("{n} segment", "{n} segments", items.length);
  const translations = tn("{n} translation", "{n} translations", systems); // within t() it would not be collected
  return (
    <div class="cesa-page">
      <div class="cesa-head">
        <h1 dir="auto">{headingOf(first)}</h1>
        <p>{t("{segments}, {translations}", { segments, translations })}</p>
      </div>
      <Brief desk={desk} />
      <div id="beside" />
      <Grid key={document} desk={desk} pointing={pointing} />
    </div>
  );
}

/** Before those of the page, which would submit on Enter and change the segment on arrows. */
function useKeys(desk: MarkingDesk): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onScreenKey(desk, event);
    document.addEventListener("keydown", listen, { capture: true });
    return () => document.removeEventListener("keydown", listen, { capture: true });
  }, [desk]);
}

/** The log outlives the page. */
function useLeaving(desk: MarkingDesk): void {
  useEffect(() => {
    const turn = () => {
      desk.note(document.hidden ? "leave" : "return", undefined, null);
      desk.log.store();
    };
    document.addEventListener("visibilitychange", turn);
    return () => document.removeEventListener("visibilitychange", turn);
  }, [desk]);
}

function useWidth(desk: MarkingDesk): void {
  useLayoutEffect(() => {
    const narrow = matchMedia(NARROW);
    const take = () => (desk.isDeck.value = narrow.matches);
    narrow.addEventListener("change", take);
    return () => narrow.removeEventListener("change", take);
  }, [desk]);
}

/** A new text begins at its top, with its first open cell in focus. */
function useBeginning(desk: MarkingDesk, text: string | undefined): void {
  useLayoutEffect(() => {
    desk.isRefused.value = false;
    desk.put({ column: 1, side: "target", at: 0, anchor: null, chosen: null });
    const { here } = desk;
    scrollTo({ top: 0 });
    if (here) giveFocus(desk.wordIdAt(here));
    desk.note("load", undefined, null);
  }, [desk, text]);
}
