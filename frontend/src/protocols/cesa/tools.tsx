/* The tools of the cell in focus: the severity of what is chosen, and the tags. */

import type { Answer } from "../../workbench/api";
import { Button, Icon, Keys, singleKey } from "../../workbench/render/controls";
import { t } from "../../workbench/words";
import { marksOf, type Severity, tagsOf } from "./cell_answer";
import type { Chosen, Place } from "./desk";
import { shortened } from "../spans/words";
import { quote } from "../spans/text_units";
import type { MarkingDesk } from "./marking_desk";
import { tagTitle } from "./tags";

interface ToolsProps {
  readonly desk: MarkingDesk;
  readonly place: Place;
  readonly answer: Answer;
}

export function Tools({ desk, place, answer }: ToolsProps) {
  const { page } = desk.workbench;
  const { chosen } = desk.focus.value;
  const { slot } = place.cell;
  const n = marksOf(answer, slot).length + tagsOf(answer, slot).length;
  const hasKeys = page.single_keys;
  return (
    <div class="tools" role="group" aria-label={t("Marks and tags of this translation")}>
      <p class="micro">
        {chosen
          ? numbered(desk, answer, slot, chosen)
          : desk.selection
            ? t("Minor or major?")
            : hasText(place) && <Hint isTouch={desk.isDeck.value} hasKeys={hasKeys} />}{" "}
        {n > 0 && hasKeys && <Keys keys={["[", "]"]} />}
      </p>
      <SeverityRow desk={desk} place={place} answer={answer} />
      <div class="row tags">
        {desk.tags.map(({ name, title, key }) => (
          <Button
            key={name}
            look="add"
            {...(key ? singleKey(page, key.toUpperCase()) : {})}
            onClick={() => desk.addTag(name)}
          >
            {title}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** An empty output has nothing to mark, only tags and a score. */
const hasText = ({ cell }: Place) => Boolean(cell.text?.trim());

function Hint({ isTouch, hasKeys }: { isTouch: boolean; hasKeys: boolean }) {
  if (isTouch) return <>{t("Tap the first and the last word of an error.")}</>;
  return (
    <>
      {t("Drag over an error to mark it")}
      {hasKeys && (
        <>
          {t(", or")} <Keys keys={["Space"]} />
        </>
      )}
    </>
  );
}

function numbered(desk: MarkingDesk, answer: Answer, slot: string, { kind, place }: Chosen): string {
  if (kind === "tag") return t("Tag: {title}", { title: tagTitle(desk.tags, tagsOf(answer, slot)[place]?.tag ?? "") });
  return t("Mark {number} of {n}", { number: place + 1, n: marksOf(answer, slot).length });
}

/** Always in its place, so that the row does not jump; it rates what is selected. */
function SeverityRow({ desk, place, answer }: ToolsProps) {
  const { chosen } = desk.focus.value;
  const { slot } = place.cell;
  const all = chosen?.kind === "tag" ? tagsOf(answer, slot) : marksOf(answer, slot);
  const now = chosen ? (all[chosen.place]?.severity ?? "") : null;
  const isIdle = !chosen && !desk.selection;
  const rate = (severity: Severity) => desk.rate(severity);
  const choice = (severity: "minor" | "major", words: string, key: string) => (
    <label>
      <input
        type="radio"
        name="severity"
        disabled={isIdle}
        checked={now === severity}
        onChange={() => rate(severity)}
        onClick={() => now === severity && rate(severity)}
      />
      <span class="sv" data-s={key}>
        <i />
        {words}
      </span>
      {desk.workbench.page.single_keys && <Keys keys={[key]} />}
    </label>
  );
  return (
    <div class="row rate">
      <fieldset class="seg-ctl" disabled={isIdle}>
        <legend class="vh">{t("Severity of {what}", { what: whatIsChosen(desk, place, answer) })}</legend>
        {choice("minor", t("Minor"), "1")}
        {choice("major", t("Major"), "2")}
      </fieldset>
      {!isIdle && (
        <Button
          look="quiet icon"
          aria-label={chosen ? t("Delete") : t("Clear the selection")}
          aria-keyshortcuts="Delete"
          onClick={() => (chosen ? desk.remove() : desk.put({ anchor: null }))}
        >
          <Icon name={chosen ? "bin" : "close"} />
        </Button>
      )}
    </div>
  );
}

function whatIsChosen(desk: MarkingDesk, { item, cell }: Place, answer: Answer): string {
  const { chosen, side } = desk.focus.value;
  if (chosen?.kind === "tag") return tagTitle(desk.tags, tagsOf(answer, cell.slot)[chosen.place]?.tag ?? "");
  const mark = chosen ? marksOf(answer, cell.slot)[chosen.place] : null;
  const range = mark ?? desk.selection;
  const text = (mark?.side ?? side) === "source" ? item.source : cell.text;
  return range ? `“${shortened(quote(text ?? "", range))}”` : t("the selection");
}
