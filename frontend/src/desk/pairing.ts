/* Which words of two texts correspond: as the test set's alignment says; where there is none by proportion, held in
   place by what stands in both as it is (numbers, names). A quiet hint where to look: nothing is stored of it.
   Positions are UTF-16 units of what is shown. */

import { pointsShown } from "../workbench/markup";

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface Word extends Stretch {
  readonly text: string;
}

/** What white space parts in a text as it is stored: an alignment counts these. */
export function tokensOf(text: string): Stretch[] {
  const tokens: Stretch[] = [];
  const shown = pointsShown(text);
  let [at, isOpen] = [0, false];
  for (const [place, point] of [...text].entries()) {
    const end = at + shown[place]!.length;
    const isPart = !/\p{White_Space}/u.test(point);
    if (isPart) tokens.push({ start: isOpen ? tokens.pop()!.start : at, end });
    [at, isOpen] = [end, isPart];
  }
  return tokens;
}

/** The tokens of the other text that the alignment pairs with that of a word; `side` is where the word is. */
export function alignedTo(
  word: Stretch,
  alignment: string,
  [source, translation]: readonly [source: string, translation: string],
  side: "source" | "translation",
): Stretch[] {
  const [from, to] = side === "source" ? [source, translation] : [translation, source];
  const own = tokensOf(from).findIndex(({ start, end }) => start < word.end && word.start < end);
  const there = tokensOf(to);
  const pairs = alignment.split(" ").map((pair) => pair.split("-").map(Number));
  const numbers = pairs.flatMap((pair) => {
    const [here, other] = side === "source" ? pair : pair.reverse();
    return here === own ? [other!] : [];
  });
  return [...new Set(numbers)].sort((one, other) => one - other).flatMap((number) => there[number] ?? []);
}

/** Words of any script; those of spaces where the browser cannot tell. */
export function wordsOf(text: string, language: string): Word[] {
  if (!("Segmenter" in Intl)) {
    return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
      start: index,
      end: index + word.length,
      text: word,
    }));
  }
  const segments = [...new Intl.Segmenter(language || undefined, { granularity: "word" }).segment(text)];
  return segments
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ start: index, end: index + segment.length, text: segment }));
}

/** Places that correspond: the beginning of each text, words that stand once in both, and the end. */
export type Anchor = readonly [from: Word, to: Word];

/** In the order of both texts; a word that stands elsewhere in the other order is left out. */
export function anchorsOf(from: readonly Word[], to: readonly Word[]): Anchor[] {
  const [there, here] = [once(to), once(from)];
  const pairs = from.flatMap((word): Anchor[] => {
    const key = word.text.toLocaleLowerCase();
    const other = here.has(key) && isTelling(word.text) ? there.get(key) : undefined;
    return other ? [[word, other]] : [];
  });
  return longestInOrder(pairs);
}

/** Short words of two languages are alike by chance. */
function isTelling(text: string): boolean {
  return /\p{N}/u.test(text) || [...text].length > 3;
}

function once(words: readonly Word[]): Map<string, Word> {
  const found = new Map<string, Word | null>();
  for (const word of words) {
    const key = word.text.toLocaleLowerCase();
    found.set(key, found.has(key) ? null : word);
  }
  return new Map([...found].filter((entry): entry is [string, Word] => entry[1] !== null));
}

/** Pairs come in the order of the first text: of those, the most that are in the order of the second, too. */
function longestInOrder(pairs: readonly Anchor[]): Anchor[] {
  const best: { length: number; before: number }[] = [];
  let last = -1;
  for (const [place, [, to]] of pairs.entries()) {
    let own = { length: 1, before: -1 };
    for (let earlier = 0; earlier < place; earlier += 1) {
      if (pairs[earlier]![1].start < to.start && best[earlier]!.length >= own.length)
        own = { length: best[earlier]!.length + 1, before: earlier };
    }
    best.push(own);
    if (last < 0 || own.length > best[last]!.length) last = place;
  }
  const chain: Anchor[] = [];
  for (let place = last; place >= 0; place = best[place]!.before) chain.unshift(pairs[place]!);
  return chain;
}

/** The words of `to` that correspond to one of `from`: its partner if it has one, else those at the same proportion
    between the nearest anchors. `lengths` are those of the texts. */
export function correspondingTo(
  word: Word,
  from: readonly Word[],
  to: readonly Word[],
  lengths: readonly [from: number, to: number],
): Word[] {
  const anchors = anchorsOf(from, to);
  const partner = anchors.find(([own]) => own.start === word.start)?.[1];
  if (partner) return [partner];
  const before = anchors.filter(([own]) => own.end <= word.start).at(-1);
  const after = anchors.find(([own]) => own.start >= word.end);
  const [low, lowThere] = [before?.[0].end ?? 0, before?.[1].end ?? 0];
  const [high, highThere] = [after?.[0].start ?? lengths[0], after?.[1].start ?? lengths[1]];
  const scale = high > low ? (highThere - lowThere) / (high - low) : 0;
  const [start, end] = [word.start, word.end].map((at) => lowThere + (at - low) * scale) as [number, number];
  const between = to.filter((each) => each.start >= lowThere && each.end <= highThere);
  // at least half of a word, or else the one in the middle
  const middle = (start + end) / 2;
  const inside = between.filter((each) => {
    const shared = Math.min(each.end, end) - Math.max(each.start, start);
    return shared >= Math.min(each.end - each.start, end - start) / 2;
  });
  if (inside.length > 0) return inside;
  const distance = ({ start: from, end: to }: Word) => Math.max(from - middle, middle - to, 0);
  return [...between].sort((one, other) => distance(one) - distance(other)).slice(0, 1);
}
