"""Which systems each document is judged with."""

import random
from collections import Counter
from collections.abc import Sequence

from annotation.planning.documents import PlanDocument, systems_in
from annotation.planning.options import PlanningOptions


def choose_systems(
    documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random
) -> list[tuple[int, ...]]:
    """For each document its systems: all, or as many as asked with every system equally often.

    Documents are walked in random order and take the systems used least so far, so over documents that all systems
    translated the counts never differ by more than one; among equals the one with fewer segments so far, then chance.
    The same systems serve all rounds: each of their outputs gets all its judgments.
    """
    available = [systems_in(document) for document in documents]
    chosen: list[tuple[int, ...]] = [tuple(systems) for systems in available]
    times: Counter[int] = Counter()
    segments: Counter[int] = Counter()
    for index in rng.sample(range(len(documents)), len(documents)):
        wanted = options.systems_of(len(available[index]))
        if wanted == len(available[index]):
            taken = available[index]
        else:
            by_use = sorted(available[index], key=lambda system: (times[system], segments[system], rng.random()))
            taken = by_use[:wanted]
        times.update(taken)
        segments.update({system: len(documents[index].segments) for system in taken})
        chosen[index] = tuple(sorted(taken))
    return chosen


def side_by_side(systems: Sequence[int], slots: int, rng: random.Random) -> list[tuple[int, ...]]:
    """The systems in random groups of at most `slots`, as equal in size as can be and none of one system alone.

    An odd system out borrows a partner from another group. A single system has nothing to be compared with.
    """
    mixed = rng.sample(list(systems), len(systems))
    if len(mixed) < 2:
        return []
    count = -(-len(mixed) // slots)
    groups = [tuple(mixed[start::count]) for start in range(count)]
    return [group if len(group) > 1 else (*group, groups[0][0]) for group in groups]
