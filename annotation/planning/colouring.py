"""Dividing edges of a bipartite graph into classes that no vertex meets twice, with loads as even as can be.

An edge is a pass; its ends are a text and (a stratum of) a system; a class ("colour") is an assignment. König's theorem
(1916) says that as many classes as the highest degree suffice, and its proof is the method: where no class is free at
both ends, the edges of two classes change places along an alternating chain. The same exchange evens out the loads of
two classes afterwards and never breaks what was reached: neither end of an edge ever meets its class twice.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

PARTNERS_TRIED = 8


class Colouring:
    """Edges given one after another; no vertex may have more edges than there are classes."""

    def __init__(
        self, lefts: Sequence[int], rights: Sequence[int], sizes: Sequence[int], *, classes: int, ties: Sequence[float]
    ) -> None:
        """`ties`, one per class and each below a half, decides between equally loaded classes."""
        self.lefts = lefts
        self.rights = rights
        self.sizes = sizes
        self.at_left: list[dict[int, int]] = [{} for _ in range(max(lefts, default=-1) + 1)]
        self.at_right: list[dict[int, int]] = [{} for _ in range(max(rights, default=-1) + 1)]
        self.is_free = np.ones((len(self.at_right), classes), dtype=bool)
        self.load: NDArray[np.float64] = np.array(ties, dtype=float)
        self.members: list[set[int]] = [set() for _ in range(classes)]

    def add(self, edge: int) -> None:
        """Puts the edge into the least loaded class that both its ends can take."""
        left, right = self.lefts[edge], self.rights[edge]
        for_left = self.load.copy()
        for_left[list(self.at_left[left])] = np.inf
        for_both = np.where(self.is_free[right], for_left, np.inf)
        chosen = int(for_both.argmin())
        if for_both[chosen] == np.inf:
            chosen = int(for_left.argmin())
            other = int(np.where(self.is_free[right], self.load, np.inf).argmin())
            self._swap(self._chain(right, chosen, other), chosen, other)
        self._put(edge, chosen)

    def even_out(self, capacity: int) -> None:
        """Exchanges until no class is loaded above capacity and, as far as exchanges reach, all are alike.

        Where exchanges cannot make room, a class is added. Every edge must fit the capacity by itself.
        """
        longest = max(self.sizes)
        while True:
            heavy = int(self.load.argmax())
            is_over = round(float(self.load[heavy])) > capacity
            if not is_over and round(float(self.load[heavy])) - round(float(self.load.min())) <= longest:
                return
            if not self._relieve(heavy):
                if not is_over:
                    return
                self._add_class()
                self._exchange(heavy, len(self.members) - 1)

    def _relieve(self, heavy: int) -> bool:
        count = min(PARTNERS_TRIED, len(self.load))
        partners = np.argpartition(self.load, count - 1)[:count]
        return any(
            self._exchange(heavy, int(light)) for light in sorted(partners, key=lambda light: float(self.load[light]))
        )

    def _exchange(self, heavy: int, light: int) -> bool:
        """Swaps the one chain that brings the two loads nearest to each other; False when none brings them nearer."""
        gap = round(float(self.load[heavy])) - round(float(self.load[light]))
        best, least = None, gap
        for chain in self._chains(heavy, light):
            moved = sum(self.sizes[edge] if edge in self.members[heavy] else -self.sizes[edge] for edge in chain)
            if abs(gap - 2 * moved) < least:
                best, least = chain, abs(gap - 2 * moved)
        if best is not None:
            self._swap(best, heavy, light)
        return best is not None

    def _chains(self, one: int, other: int) -> Iterable[list[int]]:
        """The connected pieces of two classes; each vertex has at most one edge in either."""
        left = sorted(self.members[one] | self.members[other])
        seen: set[int] = set()
        for start in left:
            if start in seen:
                continue
            piece = [start]
            seen.add(start)
            for edge in piece:
                for at in (self.at_left[self.lefts[edge]], self.at_right[self.rights[edge]]):
                    for neighbour in (at.get(one), at.get(other)):
                        if neighbour is not None and neighbour not in seen:
                            seen.add(neighbour)
                            piece.append(neighbour)
            yield piece

    def _chain(self, right: int, first: int, second: int) -> list[int]:
        """The alternating chain that leaves a right vertex by class `first`."""
        chain: list[int] = []
        edge = self.at_right[right].get(first)
        while edge is not None:
            chain.append(edge)
            first, second = second, first
            at = self.at_left[self.lefts[edge]] if len(chain) % 2 else self.at_right[self.rights[edge]]
            edge = at.get(first)
        return chain

    def _swap(self, chain: Sequence[int], one: int, other: int) -> None:
        going = [(edge, other if edge in self.members[one] else one) for edge in chain]
        for edge, into in going:
            self._take(edge, one if into == other else other)
        for edge, into in going:
            self._put(edge, into)

    def _put(self, edge: int, into: int) -> None:
        self.at_left[self.lefts[edge]][into] = edge
        self.at_right[self.rights[edge]][into] = edge
        self.is_free[self.rights[edge], into] = False
        self.members[into].add(edge)
        self.load[into] += self.sizes[edge]

    def _take(self, edge: int, out_of: int) -> None:
        del self.at_left[self.lefts[edge]][out_of]
        del self.at_right[self.rights[edge]][out_of]
        self.is_free[self.rights[edge], out_of] = True
        self.members[out_of].remove(edge)
        self.load[out_of] -= self.sizes[edge]

    def _add_class(self) -> None:
        self.load = np.append(self.load, 0.0)
        self.is_free = np.column_stack([self.is_free, np.ones(len(self.at_right), dtype=bool)])
        self.members.append(set())
