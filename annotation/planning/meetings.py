"""Which systems share a screen, so that over the documents every two of them meet about equally often.

Each document is divided among screens, each system on one of them. Where a resolvable balanced design is known (two on
a screen: the circle method for tournaments; q on a screen of q² systems, q a prime: the lines of an affine plane), its
classes are used one after another, under new names each time it has been gone through, and every pair meets equally
often in it. Elsewhere each document gets, of some random divisions, the one whose pairs met least so far, improved by
exchanging systems between screens as long as that helps.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

DRAWS = 3
PRIMES = (2, 3, 5, 7)

Group = tuple[int, ...]
Pairs = Counter[tuple[int, int]]


class Meetings:
    """Divides documents one after another, and remembers who met whom."""

    def __init__(self, slots: int, rng: random.Random) -> None:
        self.slots = slots
        self.rng = rng
        self.met: Pairs = Counter()
        self._classes: dict[tuple[int, ...], Iterator[list[Group]]] = {}

    def divide(self, systems: Sequence[int]) -> list[Group]:
        """Screens of at most `slots` systems, as equal in size as can be, none of one system alone.

        An odd system out borrows a partner from another screen.
        """
        known = tuple(sorted(systems))
        if len(known) < 2:
            return []
        groups = self._of_design(known) or self._nearest(known)
        self.rng.shuffle(groups)
        if any(len(group) == 1 for group in groups):
            groups = self._with_partners(groups)
        for pair in _pairs(groups):
            self.met[pair] += 1
        return groups

    def _of_design(self, known: tuple[int, ...]) -> list[Group] | None:
        if not has_design(len(known), self.slots):
            return None
        classes = self._classes.get(known)
        found = next(classes, None) if classes is not None else None
        if found is None:
            names = self.rng.sample(known, len(known))
            made = [[tuple(names[place] for place in group) for group in one] for one in design(len(known), self.slots)]
            self.rng.shuffle(made)
            classes = self._classes[known] = iter(made)
            found = next(classes)
        return list(found)

    def _nearest(self, known: tuple[int, ...]) -> list[Group]:
        count = -(-len(known) // self.slots)
        best: list[list[int]] = []
        least = None
        for _ in range(DRAWS):
            mixed = self.rng.sample(known, len(known))
            groups = self._exchanged([mixed[start::count] for start in range(count)])
            cost = sum(self.met[pair] for pair in _pairs(groups))
            if least is None or cost < least:
                best, least = groups, cost
        return [tuple(group) for group in best]

    def _exchanged(self, groups: list[list[int]]) -> list[list[int]]:
        """Systems of two screens change places as long as those who met less often meet instead."""
        is_better = True
        while is_better:
            is_better = False
            for one, other in combinations(groups, 2):
                for here in range(len(one)):
                    for there in range(len(other)):
                        before = self._near(one, here) + self._near(other, there)
                        one[here], other[there] = other[there], one[here]
                        if self._near(one, here) + self._near(other, there) < before:
                            is_better = True
                        else:
                            one[here], other[there] = other[there], one[here]
        return groups

    def _near(self, group: Sequence[int], place: int) -> int:
        own = group[place]
        return sum(self.met[_pair(own, other)] for other in group if other != own)

    def _with_partners(self, groups: Sequence[Group]) -> list[Group]:
        everybody = [system for group in groups for system in group]
        return [
            group
            if len(group) > 1
            else (
                *group,
                min((each for each in everybody if each != group[0]), key=lambda each: self._borrowed(group, each)),
            )
            for group in groups
        ]

    def _borrowed(self, group: Group, partner: int) -> tuple[int, float]:
        return self.met[_pair(group[0], partner)], self.rng.random()


def has_design(systems: int, slots: int) -> bool:
    is_tournament = slots == 2 and systems % 2 == 0
    return is_tournament or (slots in PRIMES and systems == slots**2)


def design(systems: int, slots: int) -> list[list[Group]]:
    """Classes of groups of the places 0, 1, …: each class has every place once, all classes every pair once."""
    if slots == 2:
        return [_tournament_round(systems, number) for number in range(systems - 1)]
    lines = [[tuple(x * slots + (slope * x + start) % slots for x in range(slots)) for start in range(slots)]
             for slope in range(slots)]  # fmt: skip
    return [*lines, [tuple(x * slots + y for y in range(slots)) for x in range(slots)]]


def _tournament_round(systems: int, number: int) -> list[Group]:
    """The last place stays, the others go around in a circle."""
    around = systems - 1
    others = [((number + step) % around, (number - step) % around) for step in range(1, systems // 2)]
    return [(around, number), *others]


def balance(documents: int, systems: int, slots: int, *, times: int = 1, seed: int = 0) -> tuple[int, int]:
    """How often the two systems that meet least often meet, and those that meet most often: in documents × times."""
    meetings = Meetings(slots, random.Random(seed))  # noqa: S311 - a sum, not a secret
    for _ in range(documents):
        meetings.divide(range(systems))
    counts = [meetings.met[pair] * times for pair in combinations(range(systems), 2)]
    return (min(counts), max(counts)) if counts else (0, 0)


def _pairs(groups: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    return [_pair(one, other) for group in groups for one, other in combinations(group, 2)]


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
