"""Passes into assignments: none over the size limit, each text at most once, systems as even as can be.

Control blocks are packed in the same way, each as one more pass like its model.
"""

import random
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from annotation.planning.colouring import Colouring
from annotation.planning.controls import Again, Content, rounded_share, settle
from annotation.planning.options import PlanningOptions
from annotation.planning.passes import Pass

Packed = Pass | Again

STRETCH = 4 / 3
TOLERATED = 1.05


def pack(
    passes: Sequence[Pass],
    again: Sequence[Again],
    options: PlanningOptions,
    rng: random.Random,
) -> list[Content]:
    """Divides the passes among assignments of at most so many judged segments; a longer pass gets its own.

    Each system's passes are walked from the longest to the shortest in strata of as many passes as there are
    assignments, and an assignment takes at most one of a stratum (the rounding of Shmoys and Tardos, 1993). So of two
    assignments neither holds more of a system than the other by more than about one document; when all documents are
    equally long the passes of a system differ by at most one between assignments. A text is met twice in an
    assignment only when it has more passes than there are assignments. Control blocks are walked along, as their
    model's system; an assignment has room for its share of them on top of its limit.

    Where a few long documents fill assignments by themselves, equal numbers of short ones cannot be put beside them.
    When that would waste more than a little, short documents get lower strata: as many passes as the documents that
    are no longer need assignments.
    """
    shares = options.repeats_share + options.degraded_share
    capacity = options.items_per_assignment + rounded_share(options.items_per_assignment, shares)
    together: list[Packed] = [*passes, *again]
    mixed = rng.sample(together, len(together))
    longest_first = sorted(mixed, key=_place_in_walk, reverse=True)
    alone = [one for one in longest_first if one.size >= options.items_per_assignment]
    together = [one for one in longest_first if one.size < options.items_per_assignment]
    contents = _alone(alone)
    if not together:
        return contents
    sizes = sorted(map(_size, together), reverse=True)
    count = assignments_needed(sizes, _most_of_a_text(together), capacity)
    divided = _divided(together, capacity, count, [count] * len(together), rng)
    if len(divided) > count * TOLERATED + 1:
        by_length = _divided(together, capacity, count, _lower_strata(together, capacity), rng)
        divided = min(divided, by_length, key=len)
    contents += _contents(divided)
    settle(contents, rng)
    return contents


def _alone(longest_first: Sequence[Packed]) -> list[Content]:
    """Passes that fill an assignment alone share the control blocks among themselves."""
    passes = [one for one in longest_first if isinstance(one, Pass)]
    again = [one for one in longest_first if isinstance(one, Again)]
    return [Content([one], again[place :: len(passes)]) for place, one in enumerate(passes)]


def _contents(divided: Sequence[Sequence[Packed]]) -> list[Content]:
    """Control blocks of an assignment without passes move to another one."""
    contents = [
        Content([one for one in each if isinstance(one, Pass)], [one for one in each if isinstance(one, Again)])
        for each in divided
    ]
    asking = [content for content in contents if content.passes]
    for content in contents:
        if asking and not content.passes:
            min(asking, key=lambda each: each.load).again.extend(content.again)
    return asking


def _divided(
    together: Sequence[Packed], capacity: int, count: int, heights: Sequence[int], rng: random.Random
) -> list[list[Packed]]:
    colouring = Colouring(
        lefts=_strata((one.text if isinstance(one, Pass) else id(one) for one in together), [count] * len(together)),
        rights=_strata((one.system for one in together), heights),
        sizes=[_size(one) for one in together],
        classes=count,
        ties=[rng.random() / 4 for _ in range(count)],
    )
    for edge in range(len(together)):
        colouring.add(edge)
    colouring.even_out(capacity)
    return [[together[edge] for edge in sorted(members)] for members in colouring.members if members]


def _lower_strata(longest_first: Sequence[Packed], capacity: int) -> list[int]:
    """For each pass, how many assignments the passes of about its length and below would need by themselves."""
    heights: list[int] = []
    for _, alike in groupby(longest_first, lambda one: (capacity // max(1, _place_in_walk(one))).bit_length()):
        rest = sorted(map(_size, longest_first[len(heights) :]), reverse=True)
        height = _best_fit(rest, capacity)
        heights += [height for _ in alike]
    return heights


def assignments_needed(longest_first: Sequence[int], most_of_a_text: int, capacity: int) -> int:
    """How many assignments hold passes of these sizes, by best fit, so that hardly any place is wasted.

    Up to a third more are taken when that spares annotators a second translation of a text they have just read.
    """
    needed = _best_fit(longest_first, capacity)
    return most_of_a_text if needed < most_of_a_text <= needed * STRETCH else needed


def _best_fit(longest_first: Sequence[int], capacity: int) -> int:
    rooms: list[int] = []
    full = 0
    for size in longest_first:
        place = bisect_left(rooms, size)
        room = (rooms.pop(place) if place < len(rooms) else capacity) - size
        if room > 0:
            insort(rooms, room)
        else:
            full += 1
    return full + len(rooms)


def _place_in_walk(one: Packed) -> int:
    """A control block has its place beside the pass of its model, like that pass's own blocks."""
    return one.model.shown.size if isinstance(one, Again) else one.size


def _size(one: Packed) -> int:
    """A pass with only a document score takes one place."""
    return max(one.size, 1)


def _most_of_a_text(together: Iterable[Packed]) -> int:
    return max(Counter(one.text for one in together if isinstance(one, Pass)).values(), default=1)


def _strata(ends: Iterable[object], heights: Iterable[int]) -> list[int]:
    """Vertex numbers: as many edges at the same end as its height says become a vertex of their own."""
    vertices: dict[object, int] = {}
    degrees: list[int] = []
    strata: list[int] = []
    for end, height in zip(ends, heights, strict=True):
        if end not in vertices or degrees[vertices[end]] >= height:
            vertices[end] = len(degrees)
            degrees.append(0)
        degrees[vertices[end]] += 1
        strata.append(vertices[end])
    return strata
