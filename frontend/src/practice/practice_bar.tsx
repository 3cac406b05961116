/* Above the text: that it is practice, and a way past it. A skip leads to the next screen by a page of the server. */

import { type State, textOf } from "../workbench/state";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";

export function PracticeBar({ workbench, state }: { workbench: Workbench; state: State }) {
  const items = textOf(state, state.current);
  const { practice } = workbench.page;
  const [first] = items;
  if (state.phase !== "judging" || !first || !practice) return null;
  const token = document.querySelector<HTMLInputElement>("[name=csrfmiddlewaretoken]")?.value;
  return (
    <div class="wrap practice-bar">
      <p class="small muted">{t("Practice: what you answer here enters no result.")}</p>
      {practice.texts && (
        <a class="btn quiet small" href={practice.texts}>
          {t("Go on to the texts")}
        </a>
      )}
      {practice.skip && first.skippable && !state.review && (
        <form method="post" action={practice.skip}>
          <input type="hidden" name="csrfmiddlewaretoken" value={token} />
          <input type="hidden" name="item" value={first.id} />
          <button type="submit" class="btn quiet small">
            {items.length > 1 ? t("Skip this screen") : t("Skip this item")}
          </button>
        </form>
      )}
    </div>
  );
}
