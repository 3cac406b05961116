/* A text of the screen. Plain runs where nothing is done to it; words of their own in the cell in focus. */

import { Component } from "preact";

import type { Language } from "../../workbench/page";
import { NoOutput } from "../../workbench/render/controls";
import { t } from "../../workbench/words";
import type { Side } from "../spans/span";
import { type Cell, unitsOf } from "../spans/text_units";
import { type Mark, type Severity, severityName, type Tag } from "./cell_answer";
import { isSamePlace, type Place, textId, wordId } from "./desk";
import type { Pointing } from "./pointing";
import { placedOn, type Run, runsByUnit, runsOf } from "./runs";
import { type TagChoice, tagTitle } from "./tags";

interface CellTextProps {
  readonly text: string;
  readonly language: Language;
  readonly side: Side;
  /** What it is called, where its words are. */
  readonly name: string;
  readonly marks: readonly Mark[];
  readonly near: Cell | null;
  readonly chosen: Cell | null;
  /** Where the word in focus begins; null where the text has no words of its own. */
  readonly at: number | null;
  readonly tags?: readonly Tag[];
  readonly chosenTag?: number | null;
  readonly choices?: readonly TagChoice[];
  /** Whose marks it shows. */
  readonly owner: Place;
  /** null where nothing can be marked. */
  readonly place: Place | null;
  readonly pointing: Pointing;
}

const COMPARED = ["text", "marks", "tags", "chosenTag", "at", "name"] as const;

/** Drawn again only when something of it changed: most keys change one text of many. */
export class CellText extends Component<CellTextProps> {
  override shouldComponentUpdate(next: CellTextProps): boolean {
    const old = this.props;
    return (
      COMPARED.some((name) => old[name] !== next[name]) ||
      !isSamePlace(old.owner, next.owner) ||
      (old.place === null) !== (next.place === null) ||
      !isSameRange(old.near, next.near) ||
      !isSameRange(old.chosen, next.chosen)
    );
  }

  override render({ text, language, at, tags = [], chosenTag = null, choices = [] }: CellTextProps) {
    return (
      <p class="read" lang={language.language} dir={language.direction}>
        {at === null ? <Plain {...this.props} /> : <Words {...this.props} at={at} />}
        {text === "" && <NoOutput />}
        {tags.map((tag, place) => (
          <span key={place} class="tg" aria-current={place === chosenTag ? "true" : undefined}>
            <SeverityStrokes severity={tag.severity} />
            {tagTitle(choices, tag.tag)}
            <span class="vh">, {severityName(tag.severity)}</span>
          </span>
        ))}
      </p>
    );
  }
}

function lookOf({ side, marks, near, chosen }: CellTextProps) {
  return { marks: placedOn(side, marks), near, chosen };
}

function handlers({ place, pointing, side }: CellTextProps) {
  if (!place) return {};
  type On<E> = E & { currentTarget: HTMLElement };
  return {
    onPointerDown: (event: On<PointerEvent>) => pointing.down(event, place, side),
    onPointerMove: (event: On<PointerEvent>) => pointing.move(event, place, side),
    onPointerUp: (event: On<PointerEvent>) => pointing.up(event, place, side),
    onPointerCancel: () => pointing.cancel(),
    onClick: (event: On<MouseEvent>) => pointing.click(event, place, side),
    onDblClick: (event: On<MouseEvent>) => pointing.doubleClick(event, place, side),
  };
}

function Plain(props: CellTextProps) {
  const { text, side } = props;
  return (
    <span class="t" data-text={side} {...handlers(props)}>
      {runsOf(text, lookOf(props)).map((run) => (hasLook(run) ? <Marked key={run.start} run={run} /> : run.text))}
    </span>
  );
}

function hasLook({ strokes, isNear, isChosen }: Run): boolean {
  return strokes.length > 0 || isNear || isChosen;
}

function Marked({ run }: { run: Run }) {
  if (run.strokes.length === 0) return <span {...lookProps(run)}>{run.text}</span>;
  return (
    <mark {...lookProps(run)} aria-description={description(run)}>
      {run.text}
    </mark>
  );
}

const RANKS: Readonly<Record<Severity, string>> = { "": "0", minor: "1", major: "2" };
const LANES = ["data-a", "data-b", "data-c"] as const;

/** The strokes of the first lanes; further ones are in the description. */
function lookProps({ strokes, isNear, isChosen, isFirst, isLast }: Run) {
  const ranks = strokes.map((stroke) => (stroke ? RANKS[stroke.severity] : undefined));
  const lanes = Object.fromEntries(LANES.map((name, lane) => [name, ranks[lane]]));
  return {
    class: [strokes.length ? "m" : "", isNear && !strokes.length ? "near" : ""].join(" ").trim() || undefined,
    ...lanes,
    "data-w": strokes.length ? [...ranks].sort().at(-1) : undefined,
    "data-on": isChosen ? [isFirst && "first", isLast && "last"].filter(Boolean).join(" ") : undefined,
  };
}

function description({ strokes }: Run): string | undefined {
  const words = strokes.flatMap((stroke) => (stroke ? [severityName(stroke.severity)] : []));
  return words.length ? words.join(", ") : undefined;
}

/** One tab stop: the word in focus. */
function Words(props: CellTextProps & { at: number }) {
  const { text, language, side, at, name, owner } = props;
  const units = unitsOf(text, language.language);
  const now = units.words.find(({ end }) => end > at) ?? units.words.at(-1);
  const isEmpty = units.words.length === 0;
  return (
    <span
      class="t words"
      data-text={side}
      id={textId(owner, side)}
      role={isEmpty ? "group" : "listbox"}
      aria-label={name}
      aria-multiselectable={isEmpty ? undefined : "true"}
      aria-orientation={isEmpty ? undefined : "horizontal"}
      tabIndex={isEmpty ? 0 : undefined}
      {...handlers(props)}
    >
      {runsByUnit(units, lookOf(props)).map(({ unit, runs }) => {
        if (unit.isSpace) return runs.map((run) => (hasLook(run) ? <Spaced key={run.start} run={run} /> : run.text));
        const [run] = runs;
        const isWhole = runs.length === 1 && run;
        return (
          <span
            key={unit.start}
            role="option"
            id={wordId(owner, side, unit.start)}
            tabIndex={unit === now ? 0 : -1}
            aria-selected={runs.some(({ isChosen }) => isChosen)}
            aria-description={run && description(run)}
            {...(isWhole ? lookProps(run) : {})}
          >
            {isWhole ? unit.text : runs.map((part) => <Marked key={part.start} run={part} />)}
          </span>
        );
      })}
    </span>
  );
}

function Spaced({ run }: { run: Run }) {
  return <span {...lookProps(run)}>{run.text}</span>;
}

export function SeverityStrokes({ severity }: { severity: Severity }) {
  return severity === "" ? (
    <b class="open" title={t("severity not chosen")}>
      ?
    </b>
  ) : (
    <span class="sv" data-s={RANKS[severity]}>
      <i />
    </span>
  );
}

function isSameRange(one: Cell | null, other: Cell | null): boolean {
  return one === other || (one?.start === other?.start && one?.end === other?.end);
}
