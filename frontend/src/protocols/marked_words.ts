/* Which words of translations side by side are a translation's own: none of the others has them in that place. Pure. */

import { difference } from "./word_difference";

export interface Part {
  readonly text: string;
  readonly isOwn: boolean;
}

/** Each text in its parts, which joined are the text to the last space. */
export function markedWords(texts: readonly string[]): Part[][] {
  return texts.map((text, place) => {
    const others = texts.filter((_, other) => other !== place).map((other) => ownMarks(text, other));
    return partsOf(text, (mark) => others.length > 0 && others.every((own) => own[mark]));
  });
}

/** For each character of `text` that is no space, whether `other` has something else there. */
function ownMarks(text: string, other: string): boolean[] {
  return difference(other, text)
    .pieces.filter(({ kind }) => kind !== "removed")
    .flatMap(({ kind, text: piece }) => marksOf(piece).map(() => kind === "inserted"));
}

const marksOf = (text: string): string[] => [...text].filter((character) => !/\s/.test(character));

/** Spaces belong to what stands on both sides of them, so that words that differ together are marked together. */
function partsOf(text: string, isOwn: (mark: number) => boolean): Part[] {
  const parts: Part[] = [];
  let marks = 0;
  for (const [piece] of text.matchAll(/\s+|\S/gu)) {
    const isSpace = /^\s/.test(piece);
    const own = isSpace ? marks > 0 && isOwn(marks - 1) && isOwn(marks) : isOwn(marks);
    if (!isSpace) marks += 1;
    const last = parts.at(-1);
    if (last?.isOwn === own) parts[parts.length - 1] = { text: last.text + piece, isOwn: own };
    else parts.push({ text: piece, isOwn: own });
  }
  return parts;
}
