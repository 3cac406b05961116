"""Passes into assignments: none over the asked size, each text at most once, systems as even as can be.

How many blocks of each are asked again is decided here, too: where some assignments get one more than others, they get
as much less of what is asked once. So the length of an assignment does not tell how many control items are in it.
"""

import random
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from annotation.planning.colouring import Colouring
from annotation.planning.controls import rounded_share, spread_evenly
from annotation.planning.options import PlanningOptions
from annotation.planning.passes import Pass

STRETCH = 4 / 3
TOLERATED = 1.05


@dataclass(frozen=True)
class Content:
    """What an assignment asks, and how many blocks of it again: as they are (`repeats`), and damaged (`degraded`)."""

    passes: Sequence[Pass]
    repeats: int = 0
    degraded: int = 0


def pack(passes: Sequence[Pass], options: PlanningOptions, rng: random.Random) -> list[Content]:
    """Divides the passes among assignments of at most so many asked segments; a longer pass gets its own.

    Each system's passes are walked from the longest to the shortest in strata of as many passes as there are
    assignments, and an assignment takes at most one of a stratum (the rounding of Shmoys and Tardos, 1993). So of two
    assignments neither holds more of a system than the other by more than about one document; when all documents are
    equally long the passes of a system differ by at most one between assignments. A text is met twice in an
    assignment only when it has more passes than there are assignments.

    Where a few long documents fill assignments by themselves, equal numbers of short ones cannot be put beside them.
    When that would waste more than a little, short documents get lower strata: as many passes as the documents that
    are no longer need assignments.
    """
    capacity = options.items_per_assignment
    mixed = rng.sample(list(passes), len(passes))
    longest_first = sorted(mixed, key=lambda one: -one.asked)
    alone = [[one] for one in longest_first if one.asked >= capacity]
    together = longest_first[len(alone) :]
    shares = (options.repeats_share, options.degraded_share)
    contents = _with_controls(alone, shares, rng)
    if together:
        sizes = [_size(one) for one in together]
        count = assignments_needed(sizes, _most_of_a_text(together), capacity)
        divided = _divided(together, capacity, count, [count] * len(together), shares, rng)
        if len(divided) > count * TOLERATED + 1:
            by_length = _divided(together, capacity, count, _lower_strata(sizes, capacity), shares, rng)
            divided = min(divided, by_length, key=len)
        contents += divided
    return _topped_up(contents, shares, rng)


def _with_controls(divided: Sequence[Sequence[Pass]], shares: tuple[float, float], rng: random.Random) -> list[Content]:
    count = sum(map(len, divided))
    most = [len(passes) for passes in divided]
    again = [spread_evenly(rounded_share(count, share), most, rng) for share in shares]
    return [Content(passes, *numbers) for passes, *numbers in zip(divided, *again, strict=True)]


def _divided(
    together: Sequence[Pass],
    capacity: int,
    count: int,
    heights: Sequence[int],
    shares: tuple[float, float],
    rng: random.Random,
) -> list[Content]:
    sizes = [_size(one) for one in together]
    ties = [rng.random() / 4 for _ in range(count)]
    again = [spread_evenly(rounded_share(len(together), share), [len(together)] * count, rng) for share in shares]
    controls = [sum(numbers) for numbers in zip(*again, strict=True)]
    room = capacity - max(sizes)  # every pass must fit beside it
    places = [min(room, round((number - min(controls)) * sum(sizes) / len(sizes))) for number in controls]
    colouring = Colouring(
        lefts=_strata((one.text for one in together), [count] * len(together)),
        rights=_strata((one.system for one in together), heights),
        sizes=sizes,
        classes=count,
        ties=[tie + place for tie, place in zip(ties, places, strict=True)],
    )
    for edge in range(len(together)):
        colouring.add(edge)
    colouring.even_out(capacity)
    numbers = [*zip(*again, strict=True), *((0, 0) for _ in colouring.members[count:])]  # a class may have been added
    return [
        Content([together[edge] for edge in sorted(members)], *each)
        for members, each in zip(colouring.members, numbers, strict=True)
        if members
    ]


def _topped_up(contents: Sequence[Content], shares: tuple[float, float], rng: random.Random) -> list[Content]:
    """As many control blocks as the shares ask for in sum, none of them where there is nothing to put between."""
    most = [len(one.passes) if sum(each.questions for each in one.passes) > 1 else 0 for one in contents]
    count = sum(len(one.passes) for one in contents)
    repeats, degraded = (
        _fitted(planned, most, rounded_share(count, share), rng)
        for planned, share in zip(
            ([one.repeats for one in contents], [one.degraded for one in contents]), shares, strict=True
        )
    )
    return [Content(one.passes, *numbers) for one, *numbers in zip(contents, repeats, degraded, strict=True)]


def _fitted(planned: Sequence[int], most: Sequence[int], total: int, rng: random.Random) -> list[int]:
    """Numbers as planned, none above its `most`; what is missing to the total goes where there is room."""
    kept = [min(number, room) for number, room in zip(planned, most, strict=True)]
    rooms = [room - number for number, room in zip(kept, most, strict=True)]
    more = spread_evenly(max(0, total - sum(kept)), rooms, rng)
    return [number + added for number, added in zip(kept, more, strict=True)]


def _lower_strata(longest_first: Sequence[int], capacity: int) -> list[int]:
    """For each pass, how many assignments the passes of about its length and below would need by themselves."""
    heights: list[int] = []
    for _, alike in groupby(longest_first, lambda size: (capacity // size).bit_length()):
        height = _best_fit(longest_first[len(heights) :], capacity)
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


def _size(one: Pass) -> int:
    """A pass in which only the document's score is asked takes a place, too."""
    return max(one.asked, 1)


def _most_of_a_text(passes: Iterable[Pass]) -> int:
    return max(Counter(one.text for one in passes).values())


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
