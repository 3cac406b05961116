"""A test set as planning sees it: ids, which outputs are identical, and the systems each document is judged with."""

import random
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

from annotation.planning.options import PlanningOptions


@dataclass(frozen=True)
class PlanSegment:
    """`outputs` maps a system to a key of its text: equal keys are identical outputs; a system may be missing.

    `undegradable` names systems whose text here cannot be damaged (an empty one), so that no control item is wasted.
    """

    id: int
    outputs: Mapping[int, Hashable]
    undegradable: Collection[int] = ()


@dataclass(frozen=True)
class PlanDocument:
    """`partners` are systems that the others are shown beside, where systems are compared: they were judged before."""

    id: int
    segments: Sequence[PlanSegment]
    partners: Collection[int] = ()


def systems_in(document: PlanDocument) -> list[int]:
    """The systems to judge that have an output in the document, by id, so that the order of input changes nothing."""
    known = {system for segment in document.segments for system in segment.outputs}
    return sorted(known.difference(document.partners))


def in_runs(length: int, longest: int | None) -> list[range]:
    """So many segments in runs of at most so many: as few as can be, whose sizes differ by one at most."""
    count = 1 if longest is None else max(1, -(-length // longest))
    return [range(part * length // count, (part + 1) * length // count) for part in range(count)]


def choose_systems(
    documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random
) -> list[tuple[int, ...]]:
    """For each document its systems: all, or as many as the options say, with every system equally often.

    Documents are walked in random order and take the systems used least so far, so over documents that all systems
    translated the counts never differ by more than one; among equals the one with fewer segments so far, then chance.
    The same systems serve all rounds: each of their outputs gets all its judgments.
    """
    available = [systems_in(document) for document in documents]
    chosen: list[tuple[int, ...]] = [tuple(systems) for systems in available]
    times: Counter[int] = Counter()
    segments: Counter[int] = Counter()
    for index in rng.sample(range(len(documents)), len(documents)):
        count = options.systems_of(len(available[index]))
        if count == len(available[index]):
            taken = available[index]
        else:
            by_use = sorted(available[index], key=lambda system: (times[system], segments[system], rng.random()))
            taken = by_use[:count]
        times.update(taken)
        segments.update({system: len(documents[index].segments) for system in taken})
        chosen[index] = tuple(sorted(taken))
    return chosen


def side_by_side(
    systems: Sequence[int], slots: int, rng: random.Random, partners: Collection[int] = ()
) -> list[tuple[int, ...]]:
    """The systems in random groups of at most `slots`, as equal in size as can be and none of one system alone.

    An odd system out borrows a partner from another group. A single system has nothing to be compared with. Where there
    are `partners`, every group has some of them, which take at least half of its places if there are enough.
    """
    mixed = rng.sample(list(systems), len(systems))
    if partners and mixed:
        count = -(-len(mixed) // max(1, slots // 2))
        chosen = [tuple(mixed[start::count]) for start in range(count)]
        known = sorted(partners)
        return [(*group, *rng.sample(known, min(len(known), slots - len(group)))) for group in chosen]
    if len(mixed) < 2:
        return []
    count = -(-len(mixed) // slots)
    groups = [tuple(mixed[start::count]) for start in range(count)]
    return [group if len(group) > 1 else (*group, groups[0][0]) for group in groups]
