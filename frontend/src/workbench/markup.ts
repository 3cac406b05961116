/* Marks of paragraphs, which are kept in a text and not shown. Offsets count them. Pure. */

/** Also in annotation/beside/inline_codes.py. */
const MARKUP = /<\/?p(?:\s[^<>]*)?>/gi;

/** The text as people read it. */
export function visible(text: string): string {
  return text.replace(MARKUP, "");
}

/** Where the marks are, in UTF-16 units. */
export function markupIn(text: string): { start: number; end: number }[] {
  return Array.from(text.matchAll(MARKUP), ({ 0: mark, index }) => ({ start: index, end: index + mark.length }));
}

/** The code points of a text; those that are not shown are empty. */
export function pointsShown(text: string): string[] {
  const points = [...text];
  for (const { start, end } of markupIn(text)) {
    const from = [...text.slice(0, start)].length;
    points.fill("", from, from + [...text.slice(start, end)].length);
  }
  return points;
}

/** From a place among what is shown to one in the text, at the end the text's end. */
export function rawOffset(points: readonly string[], shown: number): number {
  let left = shown;
  const found = points.findIndex((point) => point !== "" && left-- === 0);
  return found < 0 ? points.length : found;
}

export function shownOffset(points: readonly string[], raw: number): number {
  return points.slice(0, raw).filter(Boolean).length;
}
