/* The tags of a campaign: their names as stored, their titles for people, and a key for each. Pure. */

import { t } from "../../workbench/words";
import type { CesaOptions } from "./cell_answer";

export interface TagChoice {
  readonly name: string;
  readonly title: string;
  /** "" where no letter of its name is free. */
  readonly key: string;
}

/** Letters with another meaning on this screen or on every page. */
const TAKEN = "bfgnpstu";

export function tagChoices({ tags }: Pick<CesaOptions, "tags">): TagChoice[] {
  const taken = new Set(TAKEN);
  return tags.map(({ name, title }) => {
    const key = [...name.toLowerCase()].find((letter) => /[a-z]/.test(letter) && !taken.has(letter)) ?? "";
    taken.add(key);
    return { name, title: t(title), key };
  });
}

/** An older answer may have a tag that the campaign no longer offers. */
export function tagTitle(choices: readonly TagChoice[], name: string): string {
  return choices.find((choice) => choice.name === name)?.title ?? name;
}
