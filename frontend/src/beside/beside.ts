/* What lies beside the texts, kept in step with the page: the instruction above them, terms and codes in them. */

import type { Item } from "../workbench/api";
import { isComposing, isControl, plainKey } from "../workbench/keys";
import { itemOf, textOf } from "../workbench/state";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";
import { element, keyCap } from "./elements";
import { BRIEF, instructionElement } from "./instruction";
import { type Look, paint, rangesOf, textsIn } from "./painted_texts";
import { forbiddenCount, lostWords, termsDialog } from "./terms";

const NOT_HERE = "textarea, select, input:not([type=range], [type=radio], [type=checkbox]), [contenteditable], dialog";

export class Beside {
  private isDue = false;
  /** What the place above the text shows now. */
  private drawn = "";
  private before: HTMLElement | null = null;

  constructor(private readonly workbench: Workbench) {}

  open(): void {
    const { moreKeys, protocol } = this.workbench;
    const isKnown = protocol.keys.some(({ keys }) => keys.includes("B"));
    if (!isKnown) moreKeys.push({ keys: ["B"], does: t("Instruction for this text") });
    moreKeys.push({ keys: ["T"], does: t("Terms and codes of this segment") });
    this.workbench.state.subscribe(() => this.request());
    const main = document.getElementById("main");
    if (main)
      new MutationObserver(() => this.request()).observe(main, { childList: true, characterData: true, subtree: true });
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** Once, however much was changed. */
  private request(): void {
    if (this.isDue) return;
    this.isDue = true;
    setTimeout(() => {
      this.isDue = false;
      this.draw();
    });
  }

  private get item(): Item | undefined {
    const state = this.workbench.state.value;
    return itemOf(state, state.current) ?? undefined;
  }

  private draw(): void {
    const state = this.workbench.state.value;
    this.drawAbove();
    const ranges: [Look, Range][] = [];
    for (const item of textOf(state, state.current)) {
      if (!item.beside) continue;
      for (const row of document.querySelectorAll(`[data-item="${item.id}"]`)) {
        for (const text of textsIn(row, item)) {
          ranges.push(...rangesOf(item, text));
          const lost = item.beside.lost[text.slot];
          if (lost) text.element.dataset.lost = lostWords(lost);
          else delete text.element.dataset.lost;
        }
      }
    }
    paint(ranges);
  }

  private drawAbove(): void {
    const place = document.getElementById("beside");
    if (!place) return;
    const { single_keys } = this.workbench.page;
    const state = this.workbench.state.value;
    const ownBrief = document.querySelector("details.brief"); // a protocol may draw its own
    const instruction = ownBrief
      ? ""
      : (textOf(state, state.current).find((each) => each.instruction)?.instruction ?? "");
    const { item } = this;
    const terms = item?.beside?.terms.length ?? 0;
    const lost = Object.keys(item?.beside?.lost ?? {}).length;
    const drawn = JSON.stringify([instruction, item?.id, terms, lost]);
    if (drawn === this.drawn && place.hasChildNodes()) return;
    const old = place.querySelector("details");
    const isSameText = old !== null && JSON.parse(this.drawn || "[]")[0] === instruction;
    this.drawn = drawn;
    const button = item && (terms || lost) ? [this.termsButton(item, terms, single_keys)] : [];
    const brief = instruction ? [isSameText ? old : instructionElement(instruction, single_keys)] : [];
    const hadFocus = place.querySelector("button") === document.activeElement && document.activeElement !== null;
    if (isSameText) {
      for (const each of place.querySelectorAll(":scope > :not(details)")) each.remove();
      place.append(...button);
    } else place.replaceChildren(...brief, ...button);
    if (hadFocus) button[0]?.focus();
  }

  private termsButton(item: Item, terms: number, hasKey: boolean): HTMLButtonElement {
    const forbidden = this.isEdited(item) ? 0 : forbiddenCount(item);
    const words = [
      terms ? t("Terms in this segment: {n}", { n: terms }) : t("Codes of this segment"),
      ...(forbidden ? [t("forbidden: {n}", { n: forbidden })] : []),
    ];
    const button = element(
      "button",
      { type: "button", class: "btn quiet small", "aria-haspopup": "dialog" },
      words.join(", "),
    );
    if (hasKey) {
      button.setAttribute("aria-keyshortcuts", "T");
      button.append(keyCap("T"));
    }
    button.addEventListener("click", () => this.openTerms());
    return button;
  }

  /** A translation that is being changed: what was found in it at first no longer holds. */
  private isEdited(item: Item): boolean {
    return document.querySelector(`[data-item="${item.id}"] textarea`) !== null;
  }

  private openTerms(): void {
    const { item } = this;
    if (!item || document.querySelector("dialog[open]")) return;
    const dialog = termsDialog(item, this.workbench.page, this.isEdited(item));
    document.body.append(dialog);
    dialog.showModal();
  }

  private onKey(event: KeyboardEvent): void {
    const { page, state } = this.workbench;
    if (!page.single_keys || state.value.phase !== "judging" || isComposing(event)) return;
    if (isControl(event) || event.altKey || event.shiftKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest(NOT_HERE)) return;
    if (document.querySelector("dialog[open]")) return;
    const key = plainKey(event);
    const done = key === "t" ? (this.openTerms(), true) : key === "b" && this.toggleInstruction();
    if (done) event.preventDefault();
  }

  /** Unfolds it with the focus on it; folds it, and goes back. */
  private toggleInstruction(): boolean {
    const summary = document.getElementById(BRIEF);
    const details = summary?.closest<HTMLDetailsElement>("details.instruction");
    if (!summary || !details) return false;
    if (!details.open || document.activeElement !== summary) {
      if (document.activeElement instanceof HTMLElement && document.activeElement !== summary)
        this.before = document.activeElement;
      details.open = true;
      summary.focus();
      summary.scrollIntoView({ block: "nearest" });
    } else {
      details.open = false;
      this.before?.focus();
    }
    return true;
  }
}
