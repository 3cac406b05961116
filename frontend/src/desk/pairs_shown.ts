/* The words that correspond to the one under the pointer, or in focus, are underlined on the other side. Painted by the
   browser: no element changes, so that nothing is in the way of marking. */

import { rangeIn, type ShownText, textsIn } from "../beside/painted_texts";
import type { Item } from "../workbench/api";
import { itemOf } from "../workbench/state";
import type { Workbench } from "../workbench/workbench";
import { alignedTo, correspondingTo, type Stretch, type Word, wordsOf } from "./pairing";

const LOOK = "desk-pair";

export function showPairs(workbench: Workbench): () => void {
  // a screen of whole documents shows such places itself
  if (workbench.protocol.submitsTexts || !("highlights" in CSS) || typeof Highlight === "undefined")
    return () => undefined;
  const bound = new AbortController();
  const { signal } = bound;
  let shown = "";
  const paint = (node: Node | null, offset: number) => {
    const found = node && pairsAt(workbench, node, offset);
    const key = found ? `${found.key}` : "";
    if (key === shown) return;
    shown = key;
    if (found?.ranges.length) CSS.highlights.set(LOOK, new Highlight(...found.ranges));
    else CSS.highlights.delete(LOOK);
  };
  let next: PointerEvent | null = null;
  const onMove = (event: PointerEvent) => {
    if (event.pointerType === "touch") return;
    if (!next) requestAnimationFrame(() => (at(next!), (next = null)));
    next = event;
  };
  const at = ({ clientX, clientY, target }: PointerEvent) => {
    const isText = target instanceof Element && target.closest("[data-item] .read") !== null;
    const caret = isText ? caretAt(clientX, clientY) : null;
    paint(caret?.[0] ?? null, caret?.[1] ?? 0);
  };
  const onFocus = ({ target }: FocusEvent) => {
    const word = target instanceof Element ? target.closest("[data-item] .read [data-at]") : null;
    const text = word && document.createTreeWalker(word, NodeFilter.SHOW_TEXT).nextNode();
    paint(text, 0);
  };
  document.addEventListener("pointermove", onMove, { signal, passive: true });
  document.addEventListener("focusin", onFocus, { signal });
  return () => {
    bound.abort();
    CSS.highlights.delete(LOOK);
  };
}

/** The text node under a point, and the place in it. */
function caretAt(x: number, y: number): [Node, number] | null {
  const place = document.caretPositionFromPoint?.(x, y);
  if (place) return [place.offsetNode, place.offset];
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? [range.startContainer, range.startOffset] : null;
}

/** Of a word of the source those of each translation, of one of a translation those of the source. */
export function pairsAt(workbench: Workbench, node: Node, offset: number): { key: string; ranges: Range[] } | null {
  const row = node.parentElement?.closest<HTMLElement>("[data-item]");
  const item = row && itemOf(workbench.state.value, row.dataset.item ?? "");
  if (!row || !item) return null;
  const texts = textsIn(row, item).map(readyText);
  const own = texts.find(({ shown }) => shown.nodes.some((each) => each === node));
  const word = own && wordAt(own, node, offset);
  if (!own || !word) return null;
  const others = texts.filter(({ shown }) => (shown.slot === "") !== (own.shown.slot === ""));
  const ranges = others.flatMap((other) =>
    partnersIn(other, own, word, item).flatMap(({ start, end }) => {
      const range = rangeIn(other.shown.nodes, start, end);
      return range ? [range] : [];
    }),
  );
  return { key: `${item.id} ${own.shown.slot} ${word.start}`, ranges };
}

function partnersIn(other: ReadyText, own: ReadyText, word: Word, { slots }: Item): readonly Stretch[] {
  const isSource = own.shown.slot === "";
  const [source, translation] = isSource ? [own.shown, other.shown] : [other.shown, own.shown];
  const alignment = slots.find(({ slot }) => slot === translation.slot)?.alignment;
  return alignment === undefined
    ? correspondingTo(word, own.words, other.words, [own.length, other.length])
    : alignedTo(word, alignment, [source.text, translation.text], isSource ? "source" : "translation");
}

interface ReadyText {
  readonly shown: ShownText;
  readonly words: readonly Word[];
  readonly length: number;
}

function readyText(shown: ShownText): ReadyText {
  const text = shown.nodes.map(({ data }) => data).join("");
  return { shown, words: wordsOf(text, shown.element.lang), length: text.length };
}

function wordAt({ shown, words }: ReadyText, node: Node, offset: number): Word | undefined {
  let place = offset;
  for (const each of shown.nodes) {
    if (each === node) break;
    place += each.length;
  }
  return words.find(({ start, end }) => start <= place && place < end) ?? words.find(({ end }) => end === place);
}
