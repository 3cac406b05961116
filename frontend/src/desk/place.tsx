/* Where one is: in the task, in its time, in the document. */

import { Button } from "../workbench/render/controls";
import { Modal } from "../workbench/render/modal";
import { headingOf, isAnswered, itemOf, rowsOf, type State, workOf } from "../workbench/state";
import { t, tn } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";
import { secondsEach, timeWords, type Visit } from "./pace";

interface Props {
  readonly workbench: Workbench;
  readonly visit: Visit;
}

/** Items that wait here to be sent are done, as the bar counts them. */
export function itemsLeft(workbench: Workbench): number {
  const { total, done } = workbench.state.value;
  const firsts = workbench.saver.state.value.judgments.filter(
    ({ assignment, base_revision }) => assignment === workbench.page.assignment && base_revision === 0,
  );
  return Math.max(0, total - done - new Set(firsts.map(({ item }) => item)).size);
}

export function Place({ workbench, visit }: Props) {
  const { page, closeDialog } = workbench;
  const state = workbench.state.value;
  const item = itemOf(state, state.current);
  const left = itemsLeft(workbench);
  const practice = page.reading?.practice;
  return (
    <Modal id="place" title={t("Where you are")} onClose={closeDialog}>
      <dl class="keys">
        <Fact name={t("Done")}>{t("{done} of {total}", { done: state.total - left, total: state.total })}</Fact>
        <Fact name={t("Left")}>{left}</Fact>
        {page.pace && left > 0 && <Time workbench={workbench} visit={visit} left={left} />}
        {item && page.pace && page.pace.texts > 1 && (
          <Fact name={t("Document")}>
            {t("{number} of {total}", { number: item.document, total: page.pace.texts })}
          </Fact>
        )}
      </dl>
      {item && <Segments workbench={workbench} state={state} />}
      <div class="row tight">
        <Button autofocus onClick={() => workbench.openDialog("guidelines")}>
          {t("Guidelines")}
        </Button>
        {practice && !workbench.isPractice && (
          <a class="btn" href={`${practice}?review`} target="_blank" rel="noopener">
            {t("Look at the practice again")}
            <span class="vh"> ({t("opens a new tab")})</span>
          </a>
        )}
      </div>
    </Modal>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="num">{children}</dd>
    </div>
  );
}

function Time({ workbench, visit, left }: Props & { left: number }) {
  const { seconds, isOwn } = secondsEach(workbench.page.pace!, visit);
  return (
    <Fact name={isOwn ? t("Time left, at your own pace") : t("Time left, as it is expected")}>
      {timeWords(left * seconds)}
    </Fact>
  );
}

/** The segments of this text; each leads there, and what is entered stays. */
function Segments({ workbench, state }: { workbench: Workbench; state: State }) {
  const rows = rowsOf(state).filter((row) => row.kind === "item");
  const first = rows[0]?.item;
  const open = rows.filter(({ item }) => !isAnswered(state, item.id)).length;
  const go = (id: string) => {
    workbench.closeDialog();
    workbench.show(id);
  };
  if (!first) return null;
  return (
    <section class="stack-s" aria-labelledby="place-text">
      <h3 id="place-text">
        <bdi>{headingOf(first)}</bdi>
      </h3>
      <p class="small muted">{tn("{n} segment left in this document", "{n} segments left in this document", open)}</p>
      <ol class="places">
        {rows.map(({ item, number, isCurrent }) => (
          <li key={item.id}>
            <button
              type="button"
              class="btn small"
              aria-current={isCurrent ? "step" : undefined}
              data-done={workOf(state, item.id).submitted ? "" : undefined}
              onClick={() => go(item.id)}
            >
              <span class="num">{number}</span>
              <span class="vh">
                {" "}
                {isCurrent ? t("here") : isAnswered(state, item.id) ? t("done") : t("not done yet")}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
