/* What is missing in how many cells, and submitting: the button is never dead. */

import { useRef } from "preact/hooks";

import { sameAnswer } from "../../workbench/api";
import { Button, Icon, singleKey } from "../../workbench/render/controls";
import { Links, MORE, useClearance } from "../../workbench/render/dock";
import { complaintOf } from "../../workbench/refusals";
import { neighbour, workOf } from "../../workbench/state";
import { t, tn } from "../../workbench/words";
import { LACKS, lackCount } from "./cell_answer";
import type { MarkingDesk } from "./marking_desk";

export function ScreenDock({ desk }: { desk: MarkingDesk }) {
  const { workbench } = desk;
  const dock = useRef<HTMLElement>(null);
  useClearance(dock);
  const { unfinished, places } = desk;
  const [n, of] = [unfinished.length, places.length];
  const isDeck = desk.isDeck.value;
  return (
    <section
      ref={dock}
      class={isDeck ? "dock cesa-dock deck-dock" : "dock cesa-dock"}
      aria-label={t("What is missing, and submitting")}
    >
      <div class="dock-in">
        <div class="ask">
          <p class="q num" role="status" aria-live="polite">
            {n === 0
              ? tn("{of} cell, all finished", "{of} cells, all finished", of, { of })
              : tn("{n} of {of} cells is not finished", "{n} of {of} cells are not finished", n, { of })}
          </p>
          <Reasons desk={desk} />
          <p class="complaint" role="alert">
            {complaintOf(workbench)}
          </p>
        </div>
        <div id={MORE} class="more" popover="auto">
          <Links workbench={workbench} />
          {isDeck && (
            <Button look="link" onClick={() => desk.back()}>
              {t("Back to the previous document")}
            </Button>
          )}
        </div>
        <Acts desk={desk} isFinished={n === 0} />
      </div>
      <p class="vh" role="status">
        {desk.announcement.value}
      </p>
    </section>
  );
}

/** Each reason leads to the first cell of its kind. */
function Reasons({ desk }: { desk: MarkingDesk }) {
  const { unfinished, options } = desk;
  const kinds = LACKS.map((lack) => ({ lack, all: unfinished.filter((each) => each.lack === lack) }));
  return (
    <p class="todo num">
      {kinds
        .filter(({ all }) => all.length > 0)
        .map(({ lack, all }) => (
          <Button key={lack} look="link" onClick={() => all[0] && desk.lead(all[0].place, lack)}>
            {lackCount(lack, all.length, options)}
          </Button>
        ))}
    </p>
  );
}

function Acts({ desk, isFinished }: { desk: MarkingDesk; isFinished: boolean }) {
  const { workbench } = desk;
  const { page } = workbench;
  const isDeck = desk.isDeck.value;
  const state = workbench.state.value;
  const isFirst = !neighbour({ ...state, current: desk.items[0]?.id ?? "" }, -1) && state.fromStart;
  return (
    <div class="acts">
      <Button look="quiet icon opens-more" aria-label={t("More")} popovertarget={MORE}>
        <Icon name="more" />
      </Button>
      {!isDeck && (
        <Button
          look="quiet icon"
          aria-label={t("Back to the previous document")}
          aria-keyshortcuts="Alt+ArrowLeft"
          disabled={isFirst}
          onClick={() => desk.back()}
        >
          <Icon name="back" />
        </Button>
      )}
      {isDeck && (
        <>
          <Button look="icon" aria-label={t("Previous segment")} onClick={() => desk.step(-1, 0)}>
            ↑
          </Button>
          <Button look="icon" aria-label={t("Next segment")} onClick={() => desk.step(1, 0)}>
            ↓
          </Button>
        </>
      )}
      <Button look={isDeck && !isFinished ? "go" : ""} {...singleKey(page, "U")} onClick={() => desk.goToUnfinished()}>
        {t("Next unfinished")}
      </Button>
      <Button
        look={isDeck && !isFinished ? "big" : "go big"}
        id="submit"
        keys={["Ctrl", "Enter"]}
        aria-keyshortcuts="Control+Enter"
        onClick={desk.submit}
      >
        {mainWords(desk)}
      </Button>
    </div>
  );
}

function mainWords({ workbench, items }: MarkingDesk): string {
  const works = items.map((item) => workOf(workbench.state.value, item.id));
  if (works.some(({ submitted }) => !submitted)) return t("Submit");
  return works.every(({ entered, submitted }) => sameAnswer(entered, submitted)) ? t("Next") : t("Save the change");
}
