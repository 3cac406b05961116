/* The terms of an item in words: what is required, what is forbidden, and what each translation has. */

import type { Item } from "../workbench/api";
import type { PageData } from "../workbench/page";
import { t } from "../workbench/words";
import { element } from "./elements";

type Hit = NonNullable<Item["beside"]>["terms"][number];
type Output = Hit["outputs"][number];

export function forbiddenCount(item: Item): number {
  return (item.beside?.terms ?? []).flatMap(({ outputs }) => outputs).filter(({ forbidden }) => forbidden.length)
    .length;
}

/** A native modal dialog; Esc leaves it. `isEdited`: the output changes as one types. */
export function termsDialog(item: Item, page: PageData, isEdited: boolean): HTMLDialogElement {
  const close = element("button", { type: "submit", class: "btn" }, t("Close"));
  const terms = item.beside?.terms ?? [];
  const lost = Object.entries(item.beside?.lost ?? {});
  const dialog = element(
    "dialog",
    { "aria-labelledby": "terms-heading", class: "terms" },
    element(
      "form",
      { method: "dialog", class: "stack" },
      element("h2", { id: "terms-heading" }, t("Terms and codes of this segment")),
      ...(terms.length
        ? [element("dl", { class: "terms" }, ...terms.flatMap((hit) => termRows(hit, item, page, isEdited)))]
        : [element("p", { class: "muted" }, t("No term of the glossary is in this segment."))]),
      ...(lost.length && !isEdited
        ? [
            element(
              "ul",
              { class: "plain" },
              ...lost.map(([slot, codes]) => element("li", {}, named(item, slot), lostWords(codes))),
            ),
          ]
        : []),
      element("div", { class: "row end" }, close),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  return dialog;
}

export function lostWords(codes: readonly string[]): string {
  return t("Missing in the translation: {codes}", { codes: codes.join("  ") });
}

function termRows(hit: Hit, item: Item, page: PageData, isEdited: boolean): HTMLElement[] {
  const { term, required, forbidden, note } = hit.term;
  const { language, direction } = page.target;
  const list = (label: string, words: readonly string[], look: string) =>
    words.length
      ? [
          element(
            "p",
            {},
            `${label} `,
            ...words.flatMap((word, place) => [
              ...(place ? [", "] : []),
              element("bdi", { class: look, lang: language, dir: direction }, word),
            ]),
          ),
        ]
      : [];
  return [
    element("dt", { lang: page.source.language, dir: page.source.direction }, term),
    element(
      "dd",
      {},
      ...list(t("Required:"), required, "required"),
      ...list(t("Forbidden:"), forbidden, "forbidden"),
      ...(note ? [element("p", { class: "muted", dir: "auto" }, note)] : []),
      ...(isEdited
        ? []
        : item.slots.map((slot, place) => verdict(item, slot, hit.outputs[place], required.length > 0))),
    ),
  ];
}

/** What one translation has of the term; a sign stands beside the words. */
function verdict(
  item: Item,
  { slot, text }: Item["slots"][number],
  output: Output | undefined,
  isRequired: boolean,
): HTMLElement {
  const points = [...(text ?? "")];
  const quoted = (pairs: readonly number[][] = []) => [
    ...new Set(pairs.map(([start, end]) => points.slice(start, end).join(""))),
  ];
  const forbidden = quoted(output?.forbidden);
  const required = quoted(output?.required);
  const words = [
    ...(forbidden.length ? [t("✗ forbidden translation found: {words}", { words: forbidden.join(", ") })] : []),
    ...(required.length ? [t("✓ found: {words}", { words: required.join(", ") })] : []),
    ...(isRequired && !required.length ? [t("– no required translation found")] : []),
  ];
  return element("p", { class: forbidden.length ? "verdict bad" : "verdict" }, named(item, slot), words.join("; "));
}

function named(item: Item, slot: string): string {
  return item.slots.length > 1 ? `${slot}: ` : "";
}
