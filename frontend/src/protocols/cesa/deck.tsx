/* The document on a phone: the source on top, one translation at a time; a swipe or a letter leads to another one. */

import { useLayoutEffect, useRef } from "preact/hooks";

import { headingOf } from "../../workbench/state";
import { t } from "../../workbench/words";
import { bandOf, lackOf, marksOf, scoreOf, tagsOf } from "./cell_answer";
import { Brief } from "./brief";
import { CellText } from "./cell_text";
import { type Cell, cellAt, cellsOf, letterOf, sameWords } from "./columns";
import { cellId, type Place } from "./desk";
import { NotJudged } from "./grid";
import type { MarkingDesk } from "./marking_desk";
import type { Pointing } from "./pointing";
import { lookOfRow, wordsName } from "./row_look";
import { furtherLanes } from "./runs";
import { DeckScore } from "./score_field";
import { Tools } from "./tools";

interface DeckProps {
  readonly desk: MarkingDesk;
  readonly pointing: Pointing;
}

export function Deck({ desk, pointing }: DeckProps) {
  const { here, items } = desk;
  const deck = useTopOfSegment(here?.item.id);
  if (!here) return null;
  const { page } = desk.workbench;
  const { item, cell } = here;
  const focus = desk.focus.value;
  const answer = desk.answerTo(item);
  const number = items.indexOf(item) + 1;
  const look = lookOfRow(desk);
  const isJudged = answer.cannot_judge === null;
  const marksSource = desk.options.mark_source && isJudged;
  return (
    <div class="deck" ref={deck} data-item={item.id} {...swiping(desk)}>
      <h1 class="vh" dir="auto">
        {headingOf(item)}
      </h1>
      <Brief desk={desk} />
      <div id="beside" />
      <div class="deck-head">
        <section class="deck-src" aria-label={t("Source, segment {number}", { number })} tabIndex={0}>
          <p class="lang">
            {t("{language}, source, segment {number} of {n}", { language: page.source.name, number, n: items.length })}
          </p>
          <CellText
            text={item.source ?? ""}
            language={page.source}
            side="source"
            name={t("Source, word by word")}
            marks={marksSource ? marksOf(answer, cell.slot) : NONE}
            near={look.near(null)}
            chosen={look.chosen(here, "source")}
            at={marksSource && focus.side === "source" ? focus.at : null}
            owner={here}
            place={marksSource ? here : null}
            pointing={pointing}
          />
        </section>
        <div class="deck-sys">
          <Dots desk={desk} here={here} />
          <span class="muted">{[page.target.name, sameWords(cell)].filter(Boolean).join(", ")}</span>
        </div>
      </div>
      <article
        class="cell"
        id={cellId(here)}
        aria-label={wordsName(here, number)}
        aria-current="true"
        style={{ "--more": furtherLanes(marksOf(answer, cell.slot)) }}
        data-refused={desk.isRefused.value && lackOf(answer, cell.slot, desk.options) ? "" : undefined}
      >
        <CellText
          key={`${item.id} ${cell.slot}`}
          text={cell.text ?? ""}
          language={page.target}
          side="target"
          name={wordsName(here, number)}
          marks={marksOf(answer, cell.slot)}
          near={null}
          chosen={look.chosen(here, "target")}
          at={focus.side === "target" ? focus.at : null}
          tags={tagsOf(answer, cell.slot)}
          chosenTag={focus.chosen?.kind === "tag" ? focus.chosen.place : null}
          choices={desk.tags}
          owner={here}
          place={isJudged ? here : null}
          pointing={pointing}
        />
        {isJudged ? <Controls desk={desk} place={here} number={number} /> : <NotJudged desk={desk} answer={answer} />}
      </article>
    </div>
  );
}

const NONE: readonly [] = [];
/** The same part of a long segment stays in sight, to be compared. */
const IN_PLACE = { takesFocus: false };

/** Whoever comes from the end of a long segment begins the next one at its first line. */
function useTopOfSegment(item: string | undefined) {
  const deck = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [head, cell] = [".deck-head", ".cell"].map((part) => deck.current?.querySelector(part));
    if (!head || !cell) return;
    const hidden = head.getBoundingClientRect().bottom - cell.getBoundingClientRect().top;
    if (hidden > 0) scrollBy({ top: -hidden, behavior: "instant" });
  }, [item]);
  return deck;
}

function Controls({ desk, place, number }: { desk: MarkingDesk; place: Place; number: number }) {
  const answer = desk.answerTo(place.item);
  const tools = <Tools desk={desk} place={place} answer={answer} />;
  const score = (
    <DeckScore desk={desk} place={place} number={number} answer={answer} isCurrent isRefused={desk.isRefused.value} />
  );
  return desk.options.order === "score_then_mark" ? [score, tools] : [tools, score];
}

/** A letter a column, with what is done there. */
function Dots({ desk, here }: { desk: MarkingDesk; here: Place }) {
  const { item } = here;
  const cells = cellsOf(item);
  const letters = cells.flatMap((cell) => cell.columns.map((column) => ({ column, cell })));
  return (
    <div class="dots" role="group" aria-label={t("Translation")}>
      {letters
        .sort((one, other) => one.column - other.column)
        .map(({ column, cell }) => {
          const { look, words } = stateOf(desk, cell, here);
          return (
            <button
              key={column}
              type="button"
              data-st={look}
              aria-current={cell.slot === here.cell.slot ? "true" : undefined}
              aria-label={t("Translation {name}, {state}", { name: letterOf(column), state: words })}
              onClick={() => desk.go({ item, cell }, IN_PLACE)}
            >
              {letterOf(column)}
              <i />
            </button>
          );
        })}
    </div>
  );
}

function stateOf(desk: MarkingDesk, cell: Cell, { item }: Place): { look: string; words: string } {
  const answer = desk.answerTo(item);
  const lack = lackOf(answer, cell.slot, desk.options);
  const score = scoreOf(answer, cell.slot);
  if (!lack) return { look: "done", words: score === null ? t("not judged") : `${score}, ${bandOf(score).name}` };
  return lack === "score" ? { look: "", words: t("no score yet") } : { look: "bad", words: t("not finished") };
}

const SWIPE_PX = 48;

/** Sideways, and clearly so; not on a slider, nor where a text is scrolled. */
function swiping(desk: MarkingDesk) {
  let from: { x: number; y: number } | null = null;
  return {
    onTouchStart: (event: TouchEvent) => {
      const touch = event.touches.length === 1 ? event.touches[0] : undefined;
      const isOnSlider = event.target instanceof Element && event.target.closest("input, .deck-src") !== null;
      from = touch && !isOnSlider ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: (event: TouchEvent) => {
      const touch = event.changedTouches[0];
      const { here } = desk;
      if (!from || !touch || !here) return;
      const [x, y] = [touch.clientX - from.x, touch.clientY - from.y];
      from = null;
      if (Math.abs(x) < SWIPE_PX || Math.abs(x) < 2 * Math.abs(y)) return;
      const by = x < 0 ? 1 : -1;
      const cells = cellsOf(here.item);
      const next = cells[cells.findIndex(({ slot }) => slot === here.cell.slot) + by];
      if (next) desk.go({ item: here.item, cell: cellAt(cells, next.columns[0]!) ?? next }, IN_PLACE);
    },
  };
}
