/* The text under judgment: one row a segment, source beside translation, the current row in full ink. */

import { Component } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Protocol } from "../../protocols/protocol";
import { whereabouts } from "../actions";
import type { Item } from "../api";
import type { PageData } from "../page";
import { headingOf, itemOf, type Row, rowsOf, textOf, workOf } from "../state";
import { t } from "../words";
import type { Workbench } from "../workbench";
import { Button, Read, textName } from "./controls";

export function Text({ workbench }: { workbench: Workbench }) {
  const state = workbench.state.value;
  const { page, protocol } = workbench;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const row = list.current?.querySelector("[aria-current]");
    if (protocol.WholeText || (row && row === list.current?.firstElementChild))
      scrollTo({ top: 0 }); // with the heading of its text
    else row?.scrollIntoView({ block: isTallerThanItsRoom(row) ? "start" : "nearest" });
  }, [state.current, state.unfolded]);
  if (protocol.WholeText) return <WholeText workbench={workbench} Drawn={protocol.WholeText} />;
  return (
    <>
      <Heading workbench={workbench} />
      <div id="beside" />
      {protocol.layout !== "rows" && <Columns page={page} protocol={protocol} />}
      <Button look="link small unfold" aria-expanded={state.unfolded} onClick={workbench.unfold}>
        {state.unfolded ? t("Show only nearby segments") : t("Show the whole document")}
      </Button>
      <ol
        ref={list}
        class={["doc plain", protocol.layout ?? "", state.unfolded ? "all" : ""].join(" ").trim()}
        aria-label={t("Document")}
      >
        {rowsOf(state).map((row) => (
          <TextRow key={row.kind === "item" ? row.item.id : `context-${row.number}`} row={row} workbench={workbench} />
        ))}
      </ol>
    </>
  );
}

function WholeText({ workbench, Drawn }: { workbench: Workbench; Drawn: NonNullable<Protocol["WholeText"]> }) {
  const state = workbench.state.value;
  const item = itemOf(state, state.current);
  if (!item) return null;
  const lines = rowsOf(state).flatMap((row) => (row.kind === "context" ? [row.segment] : []));
  return (
    <>
      <Heading workbench={workbench} />
      <div id="beside" />
      <Drawn key={item.id} item={item} answer={workOf(state, item.id).entered} lines={lines} page={workbench.page} />
    </>
  );
}

/** A row that does not fit between bar and dock is scrolled to its beginning. */
function isTallerThanItsRoom(row: Element): boolean {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const taken = (parseFloat(scrollPaddingTop) || 0) + (parseFloat(scrollPaddingBottom) || 0);
  return row.getBoundingClientRect().height > innerHeight - taken;
}

function Heading({ workbench }: { workbench: Workbench }) {
  const state = workbench.state.value;
  const first = textOf(state, state.current)[0];
  return (
    <div class="doc-head">
      <h1 dir="auto">{first && headingOf(first)}</h1>
      <p>{whereabouts(state)}</p>
      <Button look="link small only-narrow guide" onClick={() => workbench.openDialog("guidelines")}>
        {t("Guidelines")}
      </Button>
    </div>
  );
}

function Columns({ page, protocol }: { page: PageData; protocol: Protocol }) {
  return (
    <div class="doc-cols lang" aria-hidden="true">
      <span />
      <span>{textName(page, protocol.beside === "reference" ? "reference" : "source")}</span>
      <span>{protocol.translationHeading?.(page.target.name) ?? textName(page, "translation")}</span>
      <span class="answer-head">{protocol.answerHeading}</span>
    </div>
  );
}

type ItemRow = Extract<Row, { kind: "item" }>;

interface RowProps {
  readonly row: Row;
  readonly workbench: Workbench;
}

/** Rows are drawn again only when something of theirs changed: a long document stays quick under a moving slider. */
class TextRow extends Component<RowProps> {
  override shouldComponentUpdate({ row, workbench: { protocol } }: RowProps): boolean {
    const old = this.props.row;
    if (old.kind === "context" || row.kind === "context") return old !== row && old.kind !== row.kind;
    const isEntered =
      (protocol.Texts !== undefined || protocol.withholds !== undefined) && old.work.entered !== row.work.entered;
    return (
      isEntered ||
      old.number !== row.number ||
      old.isCurrent !== row.isCurrent ||
      old.item !== row.item ||
      old.work.submitted !== row.work.submitted
    );
  }

  override render({ row, workbench }: RowProps) {
    const { page, protocol } = workbench;
    if (row.kind === "context") {
      return (
        <li class="seg quiet">
          <span class="n">{row.number}</span>
          <Beside page={page} protocol={protocol} shown={row.segment} />
          <Read of={page.target} text={row.segment.text} className="tgt" />
          <span class="mk">
            <span class="vh">{t("shown for context, not judged")}</span>
          </span>
          <ReferenceBelow page={page} protocol={protocol} shown={row.segment} />
        </li>
      );
    }
    const { item, work, isCurrent } = row;
    const instead = protocol.withholds?.(item, work.entered) ?? "";
    return (
      <li class={work.submitted ? "seg done" : "seg"} data-item={item.id} aria-current={isCurrent ? "true" : undefined}>
        {item.level === "document" ? (
          <>
            <span class="n" />
            <p class="whole">{t("The whole document")}</p>
          </>
        ) : (
          <>
            <span class="n">{row.number}</span>
            {protocol.Texts ? (
              <protocol.Texts
                item={item}
                answer={work.entered}
                isCurrent={isCurrent}
                page={page}
                change={workbench.change}
              />
            ) : (
              <>
                {instead ? (
                  <p class="src withheld">{instead}</p>
                ) : (
                  <Beside page={page} protocol={protocol} shown={item} />
                )}
                <Read of={page.target} text={item.slots[0]?.text ?? null} className="tgt" />
              </>
            )}
          </>
        )}
        <span class="mk num">
          <SubmittedAnswer row={row} workbench={workbench} />
        </span>
        {!protocol.Texts && !instead && <ReferenceBelow page={page} protocol={protocol} shown={item} />}
      </li>
    );
  }
}

interface BesideProps {
  readonly page: PageData;
  readonly protocol: Protocol;
  readonly shown: Pick<Item, "source" | "reference">;
}

function Beside({ page, protocol, shown: { source, reference } }: BesideProps) {
  if (protocol.beside === "reference") return <Read of={page.target} text={reference} className="src" />;
  return <Read of={page.source} text={source} className="src" />;
}

/** Where both are shown, the reference runs below the source and the translation. */
function ReferenceBelow({ page, protocol, shown: { reference } }: BesideProps) {
  if (protocol.beside !== "both" || !reference) return null;
  return (
    <div class="ref">
      <p class="lang">{textName(page, "reference")}</p>
      <Read of={page.target} text={reference} />
    </div>
  );
}

function SubmittedAnswer({ row, workbench: { protocol, show } }: RowProps & { row: ItemRow }) {
  const { item, work, isCurrent, number } = row;
  if (!work.submitted) return null;
  const isWithheld = work.submitted.cannot_judge !== null;
  const words = isWithheld ? t("none") : protocol.summary(item, work.submitted);
  if (isCurrent) return <>{words}</>;
  const values = { number, score: words };
  const name =
    item.level === "document"
      ? t("The whole document, score {score}, change", values)
      : t("Segment {number}, score {score}, change", values);
  return (
    <Button look="link" aria-label={name} onClick={() => show(item.id)}>
      {words}
    </Button>
  );
}
