/* A small typology for tests, with a category of each rule. */

import type { MqmOptions } from "../protocols/mqm";
import type { Category } from "../protocols/spans/typology";

function category(name: string, part: Partial<Category> = {}): Category {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replace("-", " ");
  return {
    name,
    title,
    description: "",
    can_be_chosen: true,
    severity: "",
    needs_note: false,
    annuls_others: false,
    side: "",
    subcategories: [],
    ...part,
  };
}

export function sampleCategories(): Category[] {
  return [
    category("accuracy", { can_be_chosen: false, subcategories: [category("mistranslation"), category("omission")] }),
    category("style", { can_be_chosen: false, subcategories: [category("awkward", { severity: "minor" })] }),
    category("source-error", { side: "source" }),
    category("other", { needs_note: true }),
    category("non-translation", { severity: "major", annuls_others: true, side: "target" }),
  ];
}

export const OPTIONS: MqmOptions = {
  typology: { categories: sampleCategories() },
  severities: ["neutral", "minor", "major"],
  mark_source: true,
  most_errors: 3,
  systems_per_screen: 1,
};
