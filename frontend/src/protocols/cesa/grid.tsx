/* The document on a wide screen: a row a segment, the source at the left, a column a system. */

import { Component } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

import type { Answer, Item } from "../../workbench/api";
import { Button, Note } from "../../workbench/render/controls";
import { t } from "../../workbench/words";
import { lackOf, marksOf, tagsOf } from "./cell_answer";
import { CellText } from "./cell_text";
import { cellName, cellsOf, columnCount, type Drawn, drawnCells, letterOf } from "./columns";
import { cellId, type Focus, type Place } from "./desk";
import type { MarkingDesk } from "./marking_desk";
import type { Pointing } from "./pointing";
import { lookOfRow, NO_LOOK, wordsName } from "./row_look";
import { furtherLanes } from "./runs";
import { ScoreField } from "./score_field";
import { Tools } from "./tools";

interface GridProps {
  readonly desk: MarkingDesk;
  readonly pointing: Pointing;
}

/** These fill a window: rows, or characters of the source where its paragraphs are long. */
const FIRST_ROWS = 6;
const FIRST_CHARACTERS = 2000;

/** The rows below the window come after the first picture. */
export function Grid({ desk, pointing }: GridProps) {
  const { page, state } = desk.workbench;
  const { items } = desk;
  const count = columnCount(items);
  const focus = desk.focus.value;
  const first = firstRows(items);
  const [isWhole, complete] = useState(items.findIndex(({ id }) => id === state.value.current) >= first);
  useEffect(() => void requestAnimationFrame(() => setTimeout(() => complete(true))), []);
  useSteadyPlace(desk);
  return (
    <div
      class="cesa"
      role="grid"
      aria-label={t("Document, a row for each segment, a column for each translation")}
      style={{ "--k": count }}
    >
      <div class="cesa-cols" role="row">
        <span role="columnheader">
          <span class="vh">{t("Segment")}</span>
        </span>
        <span role="columnheader">{t("{language}, source", { language: page.source.name })}</span>
        {Array.from({ length: count }, (_, place) => (
          <span key={place} role="columnheader">
            {page.target.name} <b>{letterOf(place + 1)}</b>
          </span>
        ))}
      </div>
      {(isWhole ? items : items.slice(0, first)).map((item, place) => {
        const isCurrent = item.id === state.value.current;
        return (
          <Row
            key={item.id}
            desk={desk}
            pointing={pointing}
            item={item}
            number={place + 1}
            count={count}
            answer={desk.answerTo(item)}
            focus={isCurrent ? focus : null}
            typedAt={isCurrent ? (state.value.typed?.at ?? 0) : 0}
            isRefused={desk.isRefused.value}
          />
        );
      })}
    </div>
  );
}

function firstRows(items: readonly Item[]): number {
  let characters = 0;
  const last = items.findIndex(({ source }) => (characters += source?.length ?? 0) > FIRST_CHARACTERS);
  return last < 0 ? FIRST_ROWS : Math.min(last + 1, FIRST_ROWS);
}

/** Where the focus leaves, a row shrinks, and another one grows: the one that is entered stays where it was, and comes
    into view with its tools. */
function useSteadyPlace(desk: MarkingDesk): void {
  const { anchor } = desk;
  useLayoutEffect(() => {
    desk.anchor = null;
    const cell = anchor && document.getElementById(anchor.id);
    if (!cell) return;
    if (anchor.top !== null) scrollBy({ top: cell.getBoundingClientRect().top - anchor.top, behavior: "instant" });
    if (document.activeElement?.matches("input[type=range]")) return; // under the pointer just now
    const room = innerHeight - 2 * parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop || "0");
    if (cell.offsetHeight < room) cell.scrollIntoView({ block: "nearest" });
  }, [anchor]);
}

interface RowProps extends GridProps {
  readonly item: Item;
  readonly number: number;
  readonly count: number;
  readonly answer: Answer;
  /** null where another row is current. */
  readonly focus: Focus | null;
  readonly typedAt: number;
  readonly isRefused: boolean;
}

/** Drawn again only when something of it changed. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return (Object.keys(next) as (keyof RowProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render({ desk, pointing, item, number, count, answer, focus, isRefused }: RowProps) {
    const { page } = desk.workbench;
    const look = focus ? lookOfRow(desk) : NO_LOOK;
    const here = focus ? desk.here : null;
    const marksSource = desk.options.mark_source && here !== null;
    const more = Math.max(0, ...item.slots.map(({ slot }) => furtherLanes(marksOf(answer, slot))));
    const isDone = item.slots.every(({ slot }) => lackOf(answer, slot, desk.options) === null);
    return (
      <div
        class={isDone ? "crow done" : "crow"}
        role="row"
        data-item={item.id}
        aria-current={focus ? "true" : undefined}
        style={{ "--more": more }}
      >
        <span class="n num" aria-hidden="true">
          {number}
        </span>
        <div class="src" role="rowheader" aria-label={t("Source, segment {number}", { number })}>
          <CellText
            text={item.source ?? ""}
            language={page.source}
            side="source"
            name={t("Source, word by word")}
            marks={marksSource ? marksOf(answer, here.cell.slot) : NONE}
            near={look.near(null)}
            chosen={here && look.chosen(here, "source")}
            at={marksSource && focus?.side === "source" ? focus.at : null}
            owner={here ?? { item, cell: cellsOf(item)[0]! }}
            place={marksSource ? here : null}
            pointing={pointing}
          />
        </div>
        {drawnCells(item, count).map((drawn) => (
          <DrawnCell
            key={drawn.column}
            {...{ desk, pointing, item, number, answer, drawn, look, isRefused }}
            focus={here && drawn.kind === "cell" && drawn.cell.slot === here.cell.slot ? focus : null}
          />
        ))}
      </div>
    );
  }
}

const NONE: readonly [] = [];

interface CellProps extends Omit<RowProps, "count" | "typedAt"> {
  readonly drawn: Drawn;
  readonly look: ReturnType<typeof lookOfRow>;
}

function DrawnCell(props: CellProps) {
  const { desk, item, drawn } = props;
  if (drawn.kind === "none") return <div class="cell none" role="gridcell" />;
  const place = { item, cell: drawn.cell };
  if (drawn.kind === "same") {
    const name = letterOf(drawn.cell.columns[0]!);
    return (
      <div class="cell" role="gridcell">
        <p class="as">
          <Button look="link" tabIndex={-1} onClick={() => desk.go(place)}>
            {t("the same as {name}", { name })}
          </Button>
        </p>
      </div>
    );
  }
  return <CellView {...props} place={place} span={drawn.span} />;
}

function CellView(props: CellProps & { place: Place; span: number }) {
  const { desk, pointing, number, answer, focus, isRefused, look, place, span } = props;
  const { page } = desk.workbench;
  const { cell } = place;
  const isCurrent = focus !== null;
  const lack = lackOf(answer, cell.slot, desk.options);
  const isScoreFirst = desk.options.order === "score_then_mark";
  const score = <ScoreField {...{ desk, place, number, answer, isCurrent, isRefused }} />;
  const isJudged = answer.cannot_judge === null;
  return (
    <div
      id={cellId(place)}
      class={["cell", span > 1 ? "same" : "", isScoreFirst ? "score-first" : ""].join(" ").trim()}
      role="gridcell"
      aria-label={t("Segment {number}, translation {name}", { number, name: cellName(cell) })}
      aria-current={isCurrent ? "true" : undefined}
      data-refused={isRefused && lack ? "" : undefined}
      style={{ "--span": span }}
      onFocusIn={() => desk.enter(place)}
      onClick={({ target, currentTarget }) => {
        const isTall = currentTarget.offsetHeight > innerHeight; // its first word may be far away
        if (!isCurrent && !isControl(target)) desk.go(place, { takesFocus: !isTall });
      }}
    >
      <CellText
        text={cell.text ?? ""}
        language={page.target}
        side="target"
        name={wordsName(place, number)}
        marks={marksOf(answer, cell.slot)}
        near={look.near(place)}
        chosen={look.chosen(place, "target")}
        at={isCurrent && focus.side === "target" ? focus.at : null}
        tags={tagsOf(answer, cell.slot)}
        chosenTag={isCurrent && focus.chosen?.kind === "tag" ? focus.chosen.place : null}
        choices={desk.tags}
        owner={place}
        place={isJudged ? place : null}
        pointing={pointing}
      />
      {isJudged && isScoreFirst && score}
      {isJudged && isCurrent && <Tools desk={desk} place={place} answer={answer} />}
      {isJudged && !isScoreFirst && score}
      {!isJudged && cell === firstOf(place) && <NotJudged desk={desk} answer={answer} />}
    </div>
  );
}

/** Words and controls do their own. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-text], input, button, label") !== null;
}

function firstOf({ item, cell }: Place) {
  return cellsOf(item)[0]?.slot === cell.slot ? cell : null;
}

export function NotJudged({ desk, answer }: { desk: MarkingDesk; answer: Answer }) {
  const { page, dropReason } = desk.workbench;
  const reason = answer.cannot_judge ?? "";
  return (
    <Note icon="info">
      <p>
        <b>{t("Segment not judged.")}</b> {page.reasons.cannot_judge[reason] ?? reason}
      </p>
      <Button onClick={dropReason}>{t("Judge it after all")}</Button>
    </Note>
  );
}
