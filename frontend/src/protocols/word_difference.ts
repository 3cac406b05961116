/* Which words of a text were removed and which came in their place; which words of translations side by side no other
   translation has there. Pure. */

export interface Piece {
  readonly kind: "same" | "removed" | "inserted";
  readonly text: string;
}

/** Words with what clings to them, single marks, single characters of scripts without spaces, and the spaces
    between. */
const UNSPACED = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"].map(
  (script) => `\\p{Script=${script}}`,
);
const ALONE = `[${UNSPACED.join("")}]`;
const PARTS = new RegExp(`\\s+|${ALONE}\\p{M}*|(?:(?!${ALONE})[\\p{L}\\p{M}\\p{N}’'_-])+|[^\\s]`, "gu");
const LARGEST_TABLE = 4_000_000;

interface Word {
  readonly text: string;
  /** The space before it. */
  readonly space: string;
}

export interface Difference {
  readonly pieces: readonly Piece[];
  /** Words replaced, removed or inserted. A word that moved counts where it left and where it came. */
  readonly edits: number;
  /** Words of the text as it is now. */
  readonly words: number;
}

export function difference(before: string, after: string): Difference {
  const [old, young] = [wordsOf(before), wordsOf(after)];
  const text = (word: Word) => word.text;
  const { start, end } = commonEnds(old.map(text), young.map(text));
  const stretches = [
    ...young.slice(0, start).map((word) => ({ removed: [], inserted: [], same: word })),
    ...align(old.slice(start, old.length - end), young.slice(start, young.length - end)),
    ...young.slice(young.length - end).map((word) => ({ removed: [], inserted: [], same: word })),
  ];
  const edits = stretches.reduce((sum, { removed, inserted }) => sum + Math.max(removed.length, inserted.length), 0);
  return { pieces: piecesOf(stretches), edits, words: young.length };
}

/** How many parts both have in common at the start, and how many after that at the end. */
export function commonEnds(old: readonly string[], young: readonly string[]): { start: number; end: number } {
  const shorter = Math.min(old.length, young.length);
  let start = 0;
  while (start < shorter && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === young[young.length - 1 - end]) end += 1;
  return { start, end };
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let space = "";
  for (const [part] of text.matchAll(PARTS)) {
    if (/^\s/.test(part)) space = part;
    else {
      words.push({ text: part, space });
      space = "";
    }
  }
  return words;
}

interface Stretch {
  readonly removed: readonly Word[];
  readonly inserted: readonly Word[];
  /** The word both have after what differs. */
  readonly same: Word | null;
}

/** Along a longest common subsequence; texts too long for its table differ as a whole. */
function align(old: readonly Word[], young: readonly Word[]): Stretch[] {
  if (old.length * young.length > LARGEST_TABLE) return [{ removed: old, inserted: young, same: null }];
  const width = young.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = young.length - 1; column >= 0; column -= 1) {
      const isSame = old[row]?.text === young[column]?.text;
      common[row * width + column] = isSame
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const stretches: Stretch[] = [];
  let [removed, inserted]: [Word[], Word[]] = [[], []];
  for (let row = 0, column = 0; row < old.length || column < young.length;) {
    const [left, right] = [old[row], young[column]];
    if (left && right && left.text === right.text) {
      stretches.push({ removed, inserted, same: right });
      [removed, inserted] = [[], []];
      row += 1;
      column += 1;
    } else if (left && (!right || at(row + 1, column) >= at(row, column + 1))) {
      removed.push(left);
      row += 1;
    } else if (right) {
      inserted.push(right);
      column += 1;
    }
  }
  return [...stretches, { removed, inserted, same: null }];
}

function piecesOf(stretches: readonly Stretch[]): Piece[] {
  const pieces: Piece[] = [];
  const put = (kind: Piece["kind"], text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text };
    else if (text) pieces.push({ kind, text });
  };
  const mark = (kind: "removed" | "inserted", [first, ...rest]: readonly Word[]) => {
    if (!first) return;
    put("same", first.space || (kind === "inserted" && pieces.at(-1)?.kind === "removed" ? " " : ""));
    put(kind, first.text + rest.map(({ space, text }) => space + text).join(""));
  };
  for (const { removed, inserted, same } of stretches) {
    mark("removed", removed);
    mark("inserted", inserted);
    if (same) put("same", same.space + same.text);
  }
  return pieces;
}

export interface Part {
  readonly text: string;
  readonly isOwn: boolean;
}

/** Each text in its parts, which joined are the text to the last space. Texts of the same words are marked where their
    spaces differ. */
export function markedWords(texts: readonly string[]): Part[][] {
  const gaps = texts.map((text) => text.split(NO_SPACE));
  return texts.map((text, place) => {
    const others = texts.filter((_, other) => other !== place);
    const words = others.map((other) => ownMarks(text, other));
    const isAlike = (other: number) => other !== place && joined(texts[other] ?? "") === joined(text);
    const spaces = gaps.filter((_, other) => isAlike(other));
    return partsOf(
      text,
      (mark) => words.length > 0 && words.every((own) => own[mark]),
      (gap) => spaces.length > 0 && spaces.every((other) => other[gap] !== gaps[place]?.[gap]),
    );
  });
}

const NO_SPACE = /\S/u;
const joined = (text: string) => text.replace(/\s+/gu, "");

/** For each character of `text` that is no space, whether `other` has something else there. */
function ownMarks(text: string, other: string): boolean[] {
  return difference(other, text)
    .pieces.filter(({ kind }) => kind !== "removed")
    .flatMap(({ kind, text: piece }) => marksOf(piece).map(() => kind === "inserted"));
}

const marksOf = (text: string): string[] => [...text].filter((character) => !/\s/.test(character));

/** A space between two words that differ is marked with them. Gap 0 is before the first character that is no space. */
function partsOf(text: string, isOwn: (mark: number) => boolean, isOwnGap: (gap: number) => boolean): Part[] {
  const parts: Part[] = [];
  let marks = 0;
  for (const [piece] of text.matchAll(/\s+|\S/gu)) {
    const isSpace = /^\s/.test(piece);
    const own = isSpace ? isOwnGap(marks) || (marks > 0 && isOwn(marks - 1) && isOwn(marks)) : isOwn(marks);
    if (!isSpace) marks += 1;
    const last = parts.at(-1);
    if (last?.isOwn === own) parts[parts.length - 1] = { text: last.text + piece, isOwn: own };
    else parts.push({ text: piece, isOwn: own });
  }
  return parts;
}
