/* Ranks as an order: which translation has which rank, which has none, which ranks are unused. Pure. */

import type { Answer, Item } from "../workbench/api";

export function rankOf(answer: Answer, slot: string): number | null {
  const rank = answer.slots[slot]?.rank;
  return typeof rank === "number" ? rank : null;
}

export function unranked(item: Item, answer: Answer): string[] {
  return item.slots.map(({ slot }) => slot).filter((slot) => rankOf(answer, slot) === null);
}

/** The best first; translations of one rank together. */
export function tiers(item: Item, answer: Answer): string[][] {
  const byRank = new Map<number, string[]>();
  for (const { slot } of item.slots) {
    const rank = rankOf(answer, slot);
    if (rank !== null) byRank.set(rank, [...(byRank.get(rank) ?? []), slot]);
  }
  return [...byRank].sort(([one], [other]) => one - other).map(([, slots]) => slots);
}

/** Unused ranks before the last one in use; an order has none. */
export function gaps(item: Item, answer: Answer): number[] {
  const ranks = item.slots.map(({ slot }) => rankOf(answer, slot) ?? 0);
  return Array.from({ length: Math.max(0, ...ranks) }, (_, place) => place + 1).filter((rank) => !ranks.includes(rank));
}

/** "A = C > B": the order in signs. */
export function inSigns(item: Item, answer: Answer): string {
  return tiers(item, answer)
    .map((slots) => slots.join(" = "))
    .join(" > ");
}
