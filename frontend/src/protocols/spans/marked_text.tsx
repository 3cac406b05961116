/* A text to mark, word by word: a list of its words with one tab stop, for keys, mouse and touch alike. */

import { Component, Fragment } from "preact";
import { useMemo, useRef } from "preact/hooks";

import type { PageData } from "../../workbench/page";
import { NoOutput } from "../../workbench/render/controls";
import type { Gestures } from "./gestures";
import { onMarkingKey } from "./marking_keys";
import { Pointing } from "./marking_pointer";
import { boundsOf, cellAt, isSamePlace, type Place, type Selection, wordId } from "./marking_state";
import { draw, type DrawnUnit, type Hole, overlap, type Piece, type Stroke } from "./pieces";
import type { Span } from "./span";
import type { Cell } from "./text_units";
import { descriptionOf, holesAtEnd } from "./words";

interface MarkedTextProps {
  readonly gestures: Gestures;
  readonly place: Place;
  readonly page: PageData;
  readonly name: string;
  /** Takes the focus when the item is shown. */
  readonly isFirst: boolean;
}

/** Undo may have moved the words of an error under what is selected. */
function boundsOfSelection(selection: Selection | null, spans: readonly Span[], isDescribed: boolean): Cell | null {
  if (!selection || selection.error === null || isDescribed) return selection && boundsOf(selection);
  const span = spans[selection.error];
  return span?.side === selection.side ? span : null;
}

const LANES_THAT_FIT = 1;

export function MarkedText({ gestures, place, page, name, isFirst }: MarkedTextProps) {
  const of = page[place.side];
  const marking = gestures.now;
  const pointing = useRef(new Pointing());
  const units = gestures.units(place);
  const spans = gestures.spans(place.slot);
  const selection = isSamePlace(marking.selection, place) ? marking.selection : null;
  const cursor = isSamePlace(marking.cursor, place) ? marking.cursor : null;
  const bounds = boundsOfSelection(selection, spans, marking.described !== null);
  const letter = marking.byLetters && cursor && !selection ? cellAt(units.letters, cursor.at) : null;
  const drawing = useMemo(
    () => draw(units, spans, place.side, bounds ?? letter),
    [units, spans, place.side, bounds?.start, bounds?.end, letter?.start],
  );
  const tabStop = cellAt(units.words, cursor?.at ?? 0)?.start ?? 0;
  const last = units.words.at(-1)?.start;
  const atEnd = holesAtEnd(units, spans, place.side);
  const gap = bounds && bounds.start === bounds.end ? bounds.start : null;
  const caret = (
    <span class="miss now" aria-hidden="true">
      ‸
    </span>
  );
  return (
    <div
      class="read marking"
      role="listbox"
      aria-multiselectable="true"
      aria-orientation="horizontal"
      aria-label={name}
      lang={of.language}
      dir={of.direction}
      data-slot={place.slot}
      data-side={place.side}
      style={{ "--more": Math.max(0, drawing.lanes - LANES_THAT_FIT) }}
      onKeyDown={(event) => onMarkingKey(event, gestures, place, page.single_keys)}
      onFocusIn={(event) => {
        const at = event.target instanceof HTMLElement ? event.target.dataset.at : undefined;
        if (at !== undefined) gestures.entered(place, Number(at));
      }}
      onPointerDown={(event) => pointing.current.down(event, gestures, place)}
      onPointerMove={(event) => pointing.current.move(event, gestures, place)}
      onPointerUp={(event) => pointing.current.up(event, gestures, place)}
      onPointerCancel={() => pointing.current.cancel()}
      onClick={(event) => pointing.current.click(event, gestures, place)}
    >
      {drawing.units.map((unit) => (
        <Fragment key={unit.start}>
          {gap === unit.start && caret}
          <Word
            unit={unit}
            id={wordId(place, unit.start)}
            isTabStop={unit.start === tabStop}
            isFirst={isFirst && unit.start === tabStop}
            isSelected={bounds !== null && overlap(bounds, unit)}
            description={descriptionOf(
              gestures.marks.choices,
              spans,
              unit.start === last ? [...unit.spans, ...atEnd] : unit.spans,
            )}
          />
        </Fragment>
      ))}
      {gap === units.length && caret}
      <Holes holes={drawing.after} />
      {units.words.length === 0 && (
        <NoOutput
          role="option"
          aria-selected={false}
          tabIndex={0}
          id={wordId(place, 0)}
          data-at={0}
          data-first={isFirst ? "" : undefined}
        />
      )}
    </div>
  );
}

interface WordProps {
  readonly unit: DrawnUnit;
  readonly id: string;
  readonly isTabStop: boolean;
  readonly isFirst: boolean;
  readonly isSelected: boolean;
  readonly description: string | undefined;
}

/** Drawn again only when something of it changed. */
class Word extends Component<WordProps> {
  override shouldComponentUpdate({ unit, ...next }: WordProps): boolean {
    const { unit: old, ...before } = this.props;
    return (
      !looksSame(old, unit) || (Object.keys(next) as (keyof typeof next)[]).some((key) => next[key] !== before[key])
    );
  }

  override render({ unit, id, isTabStop, isFirst, isSelected, description }: WordProps) {
    const worst = unit.worst < 0 ? undefined : unit.worst;
    const isDrawnSelected = unit.pieces.length === 1 && unit.pieces[0]?.isSelected;
    const drawn = {
      "data-at": unit.start,
      "data-w": unit.isSpace || unit.pieces.length === 1 ? worst : undefined,
      "data-on": isDrawnSelected ? "" : undefined,
      children: <Pieces pieces={unit.pieces} />,
    };
    return (
      <>
        <Holes holes={unit.before} />
        {unit.isSpace ? (
          <span class="tk sp" {...drawn} />
        ) : (
          <span
            class="tk"
            role="option"
            id={id}
            tabIndex={isTabStop ? 0 : -1}
            aria-selected={isSelected}
            aria-description={description}
            data-first={isFirst ? "" : undefined}
            {...drawn}
          />
        )}
      </>
    );
  }
}

/** Only a word that a span cuts is in several pieces: letters that join stay joined. */
export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  const drawn = pieces.map(({ start, text, strokes, isSelected }) => {
    const inside = (
      <>
        {text}
        <Strokes strokes={strokes} />
      </>
    );
    if (pieces.length === 1) return inside;
    const worst = strokes.length ? Math.max(...strokes.map(({ rank }) => rank)) : undefined;
    return (
      <span key={start} class="pc" data-w={worst} data-on={isSelected ? "" : undefined}>
        {inside}
      </span>
    );
  });
  return <>{drawn}</>;
}

function Strokes({ strokes }: { strokes: readonly Stroke[] }) {
  return (
    <>
      {strokes.map(({ number, rank, lane, isFirst }) => (
        <i key={number} class="u" aria-hidden="true" data-s={rank} style={{ "--lane": lane }}>
          {isFirst && <b>{number}</b>}
        </i>
      ))}
    </>
  );
}

/** Missing content: not part of the text, and shown as such. */
export function Holes({ holes }: { holes: readonly Hole[] }) {
  return (
    <>
      {holes.map(({ number, rank }) => (
        <span key={number} class="miss" aria-hidden="true" data-s={rank}>
          ‸{number}
        </span>
      ))}
    </>
  );
}

function looksSame(one: DrawnUnit, other: DrawnUnit): boolean {
  if (one === other) return true;
  if (one.text !== other.text || one.start !== other.start) return false;
  return JSON.stringify([one.pieces, one.before]) === JSON.stringify([other.pieces, other.before]);
}
