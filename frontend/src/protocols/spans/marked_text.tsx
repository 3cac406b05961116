/* A text to mark, word by word: a list of its words with one tab stop, for keys, mouse and touch alike. */

import { Fragment } from "preact";
import { useMemo, useRef } from "preact/hooks";

import type { Language } from "../../workbench/page";
import { t } from "../../workbench/words";
import { type Place, type Selection, wordId } from "./marking_state";
import type { Gestures } from "./gestures";
import { onMarkingKey } from "./marking_keys";
import { draw, overlap } from "./pieces";
import { Pointing } from "./marking_pointer";
import { boundsOf, cellAt } from "./selection";
import { type Span, spansOf } from "./span";
import type { Cell } from "./text_units";
import { Holes, Word } from "./word";
import { descriptionOf, holesAtEnd } from "./words";

interface MarkedTextProps {
  readonly gestures: Gestures;
  readonly place: Place;
  readonly of: Language;
  readonly name: string;
  readonly singleKeys: boolean;
  readonly className?: string;
  /** The focus comes here when the item is shown. */
  readonly isFirst: boolean;
}

/** Undo may have moved the words of an error under what is selected. */
function boundsOfSelection(selection: Selection | null, spans: readonly Span[], isDescribed: boolean): Cell | null {
  if (!selection || selection.of === null || isDescribed) return selection && boundsOf(selection);
  const span = spans[selection.of];
  return span?.side === selection.side ? span : null;
}

const LANES_THAT_FIT = 2;

export function MarkedText({ gestures, place, of, name, singleKeys, className = "", isFirst }: MarkedTextProps) {
  const { desk } = gestures;
  const { item, answer } = desk.shown ?? {};
  const marking = item ? desk.of(item) : desk.marking.value;
  const pointing = useRef(new Pointing());
  const units = gestures.units(place);
  const spans = (item && answer && spansOf(item, answer, place.slot)) ?? [];
  const isHere = (other: Place | null) => other !== null && other.slot === place.slot && other.side === place.side;
  const selection = isHere(marking.selection) ? marking.selection : null;
  const cursor = isHere(marking.cursor) ? marking.cursor : null;
  const bounds = boundsOfSelection(selection, spans, marking.described !== null);
  const letter = marking.byLetters && cursor && !selection ? cellAt(units.letters, cursor.at) : null;
  const isOn = (span: Span) => span.side === place.side;
  const drawing = useMemo(
    () => draw(units, spans, isOn, bounds ?? letter),
    [units, spans, place.side, bounds?.start, bounds?.end, letter?.start],
  );
  const tabStop = cellAt(units.words, cursor?.at ?? 0)?.start ?? 0;
  const last = units.words.at(-1)?.start;
  const atEnd = holesAtEnd(units, spans, isOn);
  const gap = bounds && bounds.start === bounds.end ? bounds.start : null;
  return (
    <div
      class={`read marking ${className}`.trim()}
      role="listbox"
      aria-multiselectable="true"
      aria-orientation="horizontal"
      aria-label={name}
      lang={of.language}
      dir={of.direction}
      data-slot={place.slot}
      data-side={place.side}
      style={{ "--more": Math.max(0, drawing.lanes - LANES_THAT_FIT) }}
      onKeyDown={(event) => onMarkingKey(event, gestures, place, singleKeys)}
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
          {gap === unit.start && (
            <span class="miss now" aria-hidden="true">
              ‸
            </span>
          )}
          <Word
            unit={unit}
            id={wordId(place, unit.start)}
            isTabStop={unit.start === tabStop}
            isFirst={isFirst && unit.start === tabStop}
            isSelected={bounds !== null && overlap(bounds, unit)}
            description={descriptionOf(
              desk.marks.choices,
              spans,
              unit.start === last ? [...unit.spans, ...atEnd] : unit.spans,
            )}
          />
        </Fragment>
      ))}
      {gap === units.length && (
        <span class="miss now" aria-hidden="true">
          ‸
        </span>
      )}
      <Holes holes={drawing.after} />
      {units.words.length === 0 && <span class="muted">{t("There is no text here.")}</span>}
    </div>
  );
}
