/* The texts of an item whose errors are marked: the current item can be marked, others show their errors. */

import type { ComponentChildren } from "preact";

import { Read, textName } from "../../workbench/render/controls";
import { t, tn } from "../../workbench/words";
import type { TextsProps } from "../protocol";
import { ErrorDialog } from "./error_dialog";
import { ErrorList } from "./error_list";
import type { Gestures } from "./gestures";
import { Holes, MarkedText, Pieces } from "./marked_text";
import type { Place } from "./marking_state";
import { draw } from "./pieces";
import { answeredSpans, spansOf, textOf } from "./span";
import { unitsOf } from "./text_units";

export interface MarkingProps extends TextsProps {
  readonly gestures: Gestures;
  /** Several translations on one screen. */
  readonly isSideBySide: boolean;
  /** Further questions about each translation, side by side. */
  readonly controls?: (slot: string) => ComponentChildren;
}

export function MarkingTexts(props: MarkingProps) {
  const { item, answer, page, isCurrent, isSideBySide, gestures, change } = props;
  if (isCurrent && answer.cannot_judge === null) {
    gestures.show({ item, answer, change }, { source: page.source.language, target: page.target.language });
    return <Current {...props} />;
  }
  const slots = isSideBySide && !isCurrent ? [] : item.slots;
  return (
    <>
      {item.source !== null && <Still {...props} slot={item.slots[0]?.slot ?? ""} side="source" className="src" />}
      {slots.map(({ slot }) => (
        <Still key={slot} {...props} slot={slot} side="target" className="tgt" />
      ))}
    </>
  );
}

function Still({ item, answer, page, slot, side, className }: MarkingProps & Place & { className: string }) {
  const of = page[side];
  const units = unitsOf(textOf(item, slot, side), of.language);
  const spans = spansOf(item, answer, slot);
  if (!spans.some((span) => span.side === side)) return <Read of={of} text={units.text} className={className} />;
  const { units: drawn, after } = draw(units, spans, side, null);
  return (
    <Read of={of} className={`${className} marked`}>
      {drawn.map((unit) =>
        unit.spans.length === 0 ? (
          unit.text
        ) : (
          <>
            <Holes holes={unit.before} />
            <span class="tk" data-w={unit.worst < 0 ? undefined : unit.worst}>
              <Pieces pieces={unit.pieces} />
            </span>
          </>
        ),
      )}
      <Holes holes={after} />
    </Read>
  );
}

function Current(props: MarkingProps) {
  const { item, gestures, isSideBySide } = props;
  const { selection, described, announcement, notice } = gestures.of(item);
  const dialog = selection && described && (
    <ErrorDialog
      key={`${item.id}:${selection.slot}:${selection.side}:${selection.error}`}
      gestures={gestures}
      selection={selection}
      described={described}
      page={props.page}
    />
  );
  const news = (
    <>
      <p class="vh" role="status">
        {announcement}
      </p>
      <p class="complaint" role="alert">
        {notice}
      </p>
    </>
  );
  if (!isSideBySide)
    return (
      <>
        <InColumns {...props} news={news} />
        {dialog}
      </>
    );
  return (
    <div class="across marks">
      <SideBySide {...props} news={news} />
      {dialog}
    </div>
  );
}

type WithNews = MarkingProps & { readonly news: ComponentChildren };

/** The translation comes first, for Tab leads from it to the source; the style puts it beside. */
function InColumns({ news, ...props }: WithNews) {
  const { item } = props;
  const slot = item.slots[0]?.slot ?? "";
  return (
    <>
      <div class="tgt">
        <Translation {...props} slot={slot} />
      </div>
      <div class="src">{item.source !== null && <Source {...props} slot={slot} />}</div>
      <div class="ref">
        <ErrorList {...props} slot={slot} />
        {news}
      </div>
    </>
  );
}

function SideBySide({ news, ...props }: WithNews) {
  const { item, answer, page, gestures, controls } = props;
  const { slot: at } = gestures.of(item);
  return (
    <>
      {item.source !== null && (
        <div>
          <div class="row tight source-for">
            <p class="lang">{textName(page, "source")}</p>
            {gestures.marks.marksSource && <SourceFor {...props} at={at} />}
          </div>
          <Source {...props} slot={at} />
        </div>
      )}
      <div class="beside">
        {item.slots.map(({ slot }) => {
          const count = answeredSpans(item, answer, slot);
          return (
            <section key={slot} class="cand" aria-label={t("Translation {slot}", { slot })} data-slot={slot}>
              <header>
                <b>{slot}</b>
                <span class="lang">{count ? tn("{n} error", "{n} errors", count.length) : t("not marked yet")}</span>
              </header>
              <Translation {...props} slot={slot} />
              <ErrorList {...props} slot={slot} />
              {controls?.(slot)}
            </section>
          );
        })}
      </div>
      {news}
    </>
  );
}

/** An error marked in the source belongs to one translation. */
function SourceFor({ item, gestures, at }: MarkingProps & { at: string }) {
  return (
    <fieldset class="seg-ctl">
      <legend class="vh">{t("Errors marked in the source count for")}</legend>
      {item.slots.map(({ slot }) => (
        <label key={slot}>
          <input
            type="radio"
            name="source-for"
            checked={slot === at}
            onChange={() => gestures.deselect({ slot }, item)}
          />
          {t("for {slot}", { slot })}
        </label>
      ))}
    </fieldset>
  );
}

function Source({ item, page, gestures, slot }: MarkingProps & { slot: string }) {
  if (!gestures.marks.marksSource) return <Read of={page.source} text={item.source} />;
  const place: Place = { slot, side: "source" };
  return <MarkedText gestures={gestures} place={place} page={page} name={t("Source, word by word")} isFirst={false} />;
}

function Translation({ item, answer, page, gestures, slot }: MarkingProps & { slot: string }) {
  const first =
    item.slots.find(
      (other) => answeredSpans(item, answer, other.slot) === null || answer.slots[other.slot] === undefined,
    ) ?? item.slots[0];
  const name = item.slots.length > 1 ? t("Translation {slot}, word by word", { slot }) : t("Translation, word by word");
  const place: Place = { slot, side: "target" };
  return <MarkedText gestures={gestures} place={place} page={page} name={name} isFirst={first?.slot === slot} />;
}
