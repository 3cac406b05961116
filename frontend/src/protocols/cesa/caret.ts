/* Between places on the screen and offsets in a text, in code points. */

interface CaretDocument {
  caretPositionFromPoint?: (x: number, y: number) => { offsetNode: Node; offset: number } | null;
  caretRangeFromPoint?: (x: number, y: number) => Range | null;
}

/** The code point under the pointer; null where there is none of this text. */
export function offsetAt(text: HTMLElement, x: number, y: number): number | null {
  const caret = caretAt(x, y);
  if (!caret || !text.contains(caret.node) || caret.node.nodeType !== Node.TEXT_NODE) return null;
  const { node } = caret;
  const before = caret.offset - 1;
  // the caret is between two characters, the nearer edge of the one that is meant
  const index = before >= 0 && isWithin(node, before, x, y) ? before : caret.offset;
  return pointsBefore(text, node) + [...(node.nodeValue ?? "").slice(0, index)].length;
}

function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  const root = document as CaretDocument;
  const position = root.caretPositionFromPoint?.(x, y);
  if (position) return { node: position.offsetNode, offset: position.offset };
  const range = root.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}

function isWithin(node: Node, index: number, x: number, y: number): boolean {
  const range = document.createRange();
  range.setStart(node, index);
  range.setEnd(node, index + 1);
  return [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
  );
}

function* textNodes(text: HTMLElement): Generator<Text> {
  const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) yield node as Text;
}

function pointsBefore(text: HTMLElement, target: Node): number {
  let points = 0;
  for (const node of textNodes(text)) {
    if (node === target) break;
    points += [...node.data].length;
  }
  return points;
}

/** The stretch of the document that shows these code points. */
export function rangeOf(text: HTMLElement, start: number, end: number): Range | null {
  const range = document.createRange();
  let points = 0;
  let isOpen = false;
  for (const node of textNodes(text)) {
    const characters = [...node.data];
    const index = (at: number) => characters.slice(0, at - points).join("").length;
    if (!isOpen && start < points + characters.length) {
      range.setStart(node, index(start));
      isOpen = true;
    }
    if (isOpen && end <= points + characters.length) {
      range.setEnd(node, index(end));
      return range;
    }
    points += characters.length;
  }
  return null;
}

const DRAWN = "cesa-drawn";

/** What a drag has covered so far, without an element for it; nothing in browsers that cannot. */
export function showDrawn(range: Range | null): void {
  if (!("highlights" in CSS) || typeof Highlight === "undefined") return;
  if (range) CSS.highlights.set(DRAWN, new Highlight(range));
  else CSS.highlights.delete(DRAWN);
}
