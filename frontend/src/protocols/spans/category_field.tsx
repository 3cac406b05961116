/* The category of an error by typing: what is typed filters, up and down choose, Enter takes. */

import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../../workbench/words";
import type { PartProps } from "./error_dialog";
import { best, type Choice, choiceAt, fits, matching } from "./typology";

const LIST = "categories";

export function CategoryField({ gestures, selection: { side }, described, rewrite }: PartProps) {
  const { choices } = gestures.marks;
  const { category } = described;
  const [query, setQuery] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const last = query ? undefined : choiceAt(choices, gestures.lastCategory);
  const shown = last
    ? [{ ...last, group: t("Chosen last") }, ...choices.filter(({ path }) => path !== last.path)]
    : matching(choices, query);
  const open = shown.filter((choice) => fits(choice, side));
  const active = open.find(({ path }) => path === category);
  useEffect(
    () => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" }),
    [category, query],
  );
  /** Highlights it; it is not taken yet. */
  const choose = (choice: Choice | undefined) => rewrite({ category: choice?.path ?? "" }, false);
  const type = (typed: string) => {
    setQuery(typed);
    const fitting = matching(choices, typed).filter((choice) => fits(choice, side));
    choose(best(fitting, typed));
  };
  const move = (by: number) => {
    const at = active ? open.indexOf(active) + by : by > 0 ? 0 : open.length - 1;
    choose(open[Math.min(open.length - 1, Math.max(0, at))]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && !event.isComposing) gestures.mark();
    else return;
    event.preventDefault();
  };
  const chosen = choiceAt(choices, category);
  return (
    <>
      <input
        class="input sm"
        id="category"
        role="combobox"
        aria-expanded="true"
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={active ? optionId(active) : undefined}
        aria-label={t("Category")}
        aria-invalid={described.missing === "category" || undefined}
        aria-describedby={chosen?.description ? "category-says" : undefined}
        placeholder={chosen && !query ? t(chosen.title) : t("Category, type to find")}
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div ref={list} class="list" id={LIST} role="listbox" tabIndex={-1} aria-label={t("Categories")}>
        {groupsOf(shown).map(({ group, members }) => (
          <div key={`${group}:${members[0]?.path}`} role="group" aria-label={group ? t(group) : t("Others")}>
            {group && (
              <div class="grp" aria-hidden="true">
                {t(group)}
              </div>
            )}
            {members.map((choice) => (
              <div
                key={choice.path}
                id={optionId(choice)}
                role="option"
                aria-selected={choice === active}
                aria-disabled={fits(choice, side) ? undefined : "true"}
                title={choice.description ? t(choice.description) : undefined}
                onClick={() => fits(choice, side) && rewrite({ category: choice.path }, true)}
              >
                <Marked words={t(choice.title)} query={query} />
                {!fits(choice, side) && (
                  <span class="where">
                    {choice.side === "source" ? t("only in the source") : t("only in the translation")}
                  </span>
                )}
              </div>
            ))}
          </div>
        ))}
        {shown.length === 0 && (
          <p class="small muted" role="status">
            {t("No category matches.")}
          </p>
        )}
      </div>
      {chosen?.description && (
        <p class="small muted says" id="category-says">
          {t(chosen.description)}
          {chosen.example && <em> {t(chosen.example)}</em>}
        </p>
      )}
    </>
  );
}

function optionId({ path }: Choice): string {
  return `category-${path.replace(/\W+/gu, "-")}`;
}

function groupsOf(choices: readonly Choice[]): { group: string; members: Choice[] }[] {
  const groups: { group: string; members: Choice[] }[] = [];
  for (const choice of choices) {
    const last = groups.at(-1);
    if (last && last.group === choice.group) last.members.push(choice);
    else groups.push({ group: choice.group, members: [choice] });
  }
  return groups;
}

function Marked({ words, query }: { words: string; query: string }) {
  const plainQuery = query.trim().toLocaleLowerCase();
  const at = plainQuery ? words.toLocaleLowerCase().indexOf(plainQuery) : -1;
  if (at < 0) return <>{words}</>;
  return (
    <>
      {words.slice(0, at)}
      <mark>{words.slice(at, at + plainQuery.length)}</mark>
      {words.slice(at + plainQuery.length)}
    </>
  );
}
