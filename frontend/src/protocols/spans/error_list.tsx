/* The errors of a translation in a list: what each is, its words, and what can be done to it. */

import type { Answer, Item } from "../../workbench/api";
import type { PageData } from "../../workbench/page";
import { t } from "../../workbench/words";
import type { ToldProps } from "../protocol";
import { edit } from "./error_dialog";
import type { Gestures } from "./gestures";
import { rankOf, type Span, spansOf } from "./span";
import { type Choice, choiceAt } from "./typology";
import { categoryWord, describe, quoteOf, severityWord } from "./words";

interface ListProps {
  readonly gestures: Gestures;
  readonly item: Item;
  readonly answer: Answer;
  readonly page: PageData;
  readonly slot: string;
  /** On one line each. */
  readonly isBrief: boolean;
}

export function ErrorList({ slot, ...props }: ListProps) {
  const { item, answer, isBrief, gestures } = props;
  const spans = spansOf(item, answer, slot);
  if (!spans?.length) return <p class="small muted none">{spans ? t("No errors.") : t("Nothing marked yet.")}</p>;
  const { selection } = gestures.desk.of(item);
  return (
    <ol
      class={isBrief ? "errs brief plain" : "errs plain"}
      aria-label={item.slots.length > 1 ? t("Errors in {slot}", { slot }) : t("Errors")}
      data-slot={slot}
    >
      {spans.map((span, place) => (
        <Entry
          key={place}
          {...props}
          slot={slot}
          span={span}
          place={place}
          isChosen={selection?.slot === slot && selection.of === place}
        />
      ))}
    </ol>
  );
}

interface InWordsProps {
  readonly choices: readonly Choice[];
  readonly item: Item;
  readonly page: PageData;
  readonly slot: string;
  readonly span: Span;
  readonly place: number;
  readonly quoteId?: string;
}

/** Words of the interface in its direction, words of the texts in theirs. */
function ErrorInWords({ choices, item, page, slot, span, place, quoteId }: InWordsProps) {
  const of = span.side === "source" ? page.source : page.target;
  const what = categoryWord(choices, span);
  const group = choiceAt(choices, span.category)?.group ?? "";
  return (
    <>
      <span class="k">{place + 1}</span>
      {what && (
        <span class="what">
          {what}
          {group && (
            <>
              {" "}
              <span>{t(group)}</span>
            </>
          )}
        </span>
      )}
      <span class="sv" data-s={rankOf(span.severity)}>
        <i />
        {severityWord(span.severity)}
      </span>
      <span class="quote" id={quoteId}>
        {span.side === "source" && <span>{t("In the source:")} </span>}
        <bdi lang={of.language} dir={of.direction}>
          {quoteOf(item, slot, span)}
        </bdi>
      </span>
      {span.note && (
        <span class="noted" dir="auto">
          {span.note}
        </span>
      )}
    </>
  );
}

interface ToldErrorsProps extends ToldProps {
  readonly choices: readonly Choice[];
  readonly more?: (slot: string) => string;
}

/** An answer to be read: what was said of each translation, and its errors. */
export function ToldErrors({ item, answer, page, choices, more = () => "" }: ToldErrorsProps) {
  return (
    <>
      {item.slots.map(({ slot }) => {
        const spans = spansOf(item, answer, slot) ?? [];
        const head = [item.slots.length > 1 ? slot : "", more(slot)].filter(Boolean).join(" · ");
        return (
          <div key={slot}>
            {head && <p>{head}</p>}
            {spans.length === 0 ? (
              <p class="small muted none">{t("No errors.")}</p>
            ) : (
              <ol class="errs plain">
                {spans.map((span, place) => (
                  <li key={place}>
                    <ErrorInWords choices={choices} item={item} page={page} slot={slot} span={span} place={place} />
                  </li>
                ))}
              </ol>
            )}
          </div>
        );
      })}
    </>
  );
}

interface EntryProps extends ListProps {
  readonly span: Span;
  readonly place: number;
  readonly isChosen: boolean;
}

function Entry({ gestures, item, page, slot, span, place, isChosen }: EntryProps) {
  const { choices } = gestures.desk.marks;
  const error = describe(choices, span, place + 1);
  const description = `error-${slot}-${place}`;
  return (
    <li aria-current={isChosen ? "true" : undefined}>
      <ErrorInWords
        choices={choices}
        item={item}
        page={page}
        slot={slot}
        span={span}
        place={place}
        quoteId={description}
      />
      <span class="tools">
        <button
          type="button"
          class="link"
          aria-label={t("Edit {error}", { error })}
          aria-describedby={description}
          onClick={(event) => edit(gestures, slot, place, event.currentTarget.ownerDocument)}
        >
          {t("Edit")}
        </button>
        <button
          type="button"
          class="link"
          aria-label={t("Delete {error}", { error })}
          aria-describedby={description}
          onClick={(event) => remove(event, gestures, slot, place)}
        >
          {t("Delete")}
        </button>
      </span>
    </li>
  );
}

/** The focus goes to the word: the button is gone. */
function remove(
  { currentTarget: { ownerDocument } }: { currentTarget: HTMLElement },
  gestures: Gestures,
  slot: string,
  place: number,
): void {
  gestures.choose(slot, place, ownerDocument);
  gestures.remove(slot, place);
}
