/* The errors of a translation in a list: what each is, its words, and what can be done to it. */

import type { Answer } from "../../workbench/api";
import { Button } from "../../workbench/render/controls";
import { t } from "../../workbench/words";
import type { AnswerTextProps } from "../protocol";
import type { Gestures } from "./gestures";
import { answeredSpans, rankOf, type Span, spansOf } from "./span";
import { type Choice, choiceAt } from "./typology";
import { categoryWord, describe, quoteOf, severityWord } from "./words";

interface ListProps extends AnswerTextProps {
  readonly gestures: Gestures;
  readonly slot: string;
}

export function ErrorList({ slot, ...props }: ListProps) {
  const { item, answer, gestures } = props;
  const spans = answeredSpans(item, answer, slot);
  if (!spans?.length) return <p class="small muted none">{spans ? t("No errors.") : t("Nothing marked yet.")}</p>;
  const { selection } = gestures.of(item);
  return (
    <ol
      class="errs brief plain"
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
          isChosen={selection?.slot === slot && selection.error === place}
        />
      ))}
    </ol>
  );
}

interface InWordsProps extends Omit<ErrorsToReadProps, "answer" | "more"> {
  readonly slot: string;
  readonly span: Span;
  readonly place: number;
  readonly quoteId?: string;
}

/** Words of the interface in its direction, words of the texts in theirs. */
function ErrorInWords({ choices, item, page, slot, span, place, quoteId }: InWordsProps) {
  const of = page[span.side];
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

interface ErrorsToReadProps extends AnswerTextProps {
  readonly choices: readonly Choice[];
  readonly more: (answer: Answer, slot: string) => string;
}

/** An answer to be read: each translation's answers and errors. */
export function ErrorsToRead({ item, answer, page, choices, more }: ErrorsToReadProps) {
  return (
    <>
      {item.slots.map(({ slot }) => {
        const spans = spansOf(item, answer, slot);
        const head = [item.slots.length > 1 ? slot : "", more(answer, slot)].filter(Boolean).join(" · ");
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

function Entry({ isChosen, ...props }: EntryProps) {
  const { gestures, slot, span, place } = props;
  const { choices } = gestures.marks;
  const error = describe(choices, span, place + 1);
  const quoteId = `error-${slot}-${place}`;
  const remove = () => {
    gestures.choose(slot, place); // moves the focus to the word: the button is gone
    gestures.remove(slot, place);
  };
  const actions = [
    { words: t("Edit"), label: t("Edit {error}", { error }), act: () => gestures.edit(slot, place) },
    { words: t("Delete"), label: t("Delete {error}", { error }), act: remove },
  ];
  return (
    <li aria-current={isChosen ? "true" : undefined}>
      <ErrorInWords {...props} choices={choices} quoteId={quoteId} />
      <span class="tools">
        {actions.map(({ words, label, act }) => (
          <Button key={words} look="link" aria-label={label} aria-describedby={quoteId} onClick={act}>
            {words}
          </Button>
        ))}
      </span>
    </li>
  );
}
