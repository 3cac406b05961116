/* Beside the question, in the dock: no errors, undo and redo, words or letters. */

import { Keys } from "../../workbench/render/marks";
import { t } from "../../workbench/words";
import type { ControlProps } from "../protocol";
import type { Gestures } from "./gestures";
import { cleanChange, type NextAt } from "./marking";

/** The id of the dialog about an error. */
export const DIALOG = "error-dialog";

interface ToolsProps extends ControlProps {
  readonly gestures: Gestures;
  readonly onClean: NextAt;
}

export function MarkingTools({ item, answer, change, page, travel, gestures, onClean }: ToolsProps) {
  const { byLetters, slot } = gestures.desk.of(item);
  const clean = (root: Document) => {
    const made = cleanChange(gestures, item, answer, onClean);
    change(made);
    if (made.focus) gestures.focus(made.focus, root);
  };
  return (
    <div class="row tight marking-tools">
      <button
        type="button"
        class="btn"
        aria-keyshortcuts={page?.single_keys ? "N Alt+N" : "Alt+N"}
        onClick={(event) => clean(event.currentTarget.ownerDocument)}
      >
        {item.slots.length > 1 ? t("No errors in {slot}", { slot }) : t("No errors")}{" "}
        <span aria-hidden="true">
          <Keys keys={page?.single_keys === false ? ["Alt", "N"] : ["N"]} />
        </span>
      </button>
      <button
        type="button"
        class="btn"
        aria-pressed={byLetters}
        aria-keyshortcuts={page?.single_keys ? "C" : undefined}
        onClick={() => gestures.switchLetters(item)}
      >
        {t("By letters")}{" "}
        {page?.single_keys && (
          <span aria-hidden="true">
            <Keys keys={["C"]} />
          </span>
        )}
      </button>
      {travel && (
        <button type="button" class="btn quiet" aria-keyshortcuts="Control+Z" onClick={() => travel("undo")}>
          {t("Undo")}
        </button>
      )}
      {travel && (
        <button type="button" class="btn quiet" aria-keyshortcuts="Control+Shift+Z" onClick={() => travel("redo")}>
          {t("Redo")}
        </button>
      )}
    </div>
  );
}
