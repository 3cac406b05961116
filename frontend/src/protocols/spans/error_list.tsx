/* The errors of a translation in a list: what each is, its words, and what can be done to it. */

import type { Answer, Item } from "../../workbench/api";
import type { PageData } from "../../workbench/page";
import { t } from "../../workbench/words";
import { edit } from "./error_dialog";
import type { Gestures } from "./gestures";
import { rankOf, type Span, spansOf } from "./span";
import { choiceAt } from "./typology";
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
    <ol class={isBrief ? "errs brief plain" : "errs plain"} aria-label={item.slots.length > 1 ? t("Errors in {slot}", { slot }) : t("Errors")} data-slot={slot}>
      {spans.map((span, place) => (
        <Entry key={place} {...props} slot={slot} span={span} place={place} isChosen={selection?.slot === slot && selection.of === place} />
      ))}
    </ol>
  );
}

interface EntryProps extends ListProps {
  readonly span: Span;
  readonly place: number;
  readonly isChosen: boolean;
}

function Entry({ gestures, item, page, slot, span, place, isChosen }: EntryProps) {
  const { choices } = gestures.desk.marks;
  const of = span.side === "source" ? page.source : page.target;
  const error = describe(choices, span, place + 1);
  const what = categoryWord(choices, span);
  const group = choiceAt(choices, span.category)?.group ?? "";
  const description = `error-${slot}-${place}`;
  return (
    <li aria-current={isChosen ? "true" : undefined}>
      <span class="k">{place + 1}</span>
      {what && <span class="what">{what}{group && <> <span>{t(group)}</span></>}</span>}
      <span class="sv" data-s={rankOf(span.severity)}><i />{severityWord(span.severity)}</span>
      <span class="quote" id={description}>
        {span.side === "source" && <span>{t("In the source:")} </span>}
        <bdi lang={of.language} dir={of.direction}>{quoteOf(item, slot, span)}</bdi>
      </span>
      {span.note && <span class="noted" dir="auto">{span.note}</span>}
      <span class="tools">
        <button type="button" class="link" aria-label={t("Edit {error}", { error })} aria-describedby={description} onClick={(event) => edit(gestures, slot, place, event.currentTarget.ownerDocument)}>{t("Edit")}</button>
        <button type="button" class="link" aria-label={t("Delete {error}", { error })} aria-describedby={description} onClick={(event) => remove(event, gestures, slot, place)}>{t("Delete")}</button>
      </span>
    </li>
  );
}

/** The focus goes to the word: the button is gone. */
function remove({ currentTarget: { ownerDocument } }: { currentTarget: HTMLElement }, gestures: Gestures, slot: string, place: number): void {
  gestures.choose(slot, place, ownerDocument);
  gestures.remove(slot, place);
}
