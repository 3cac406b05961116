"""Waves: documents in random order, a few at a time with all systems, for campaigns that drop systems meanwhile.

A wave is as many documents as fill an assignment with one system; its assignments share out all passes of these
documents. Waves go out one after the other, so that the documents that are judged by all systems are a random part of
all, whenever one looks.
"""

import random
from collections.abc import Iterator, Mapping, Sequence

from annotation.planning.controls import Again, Content
from annotation.planning.options import PlanningError, PlanningOptions
from annotation.planning.packing import pack
from annotation.planning.passes import Pass

MOST_ROUNDS = 32_767  # what the column of an assignment's round holds


def contents_of_waves(
    passes: Sequence[Pass], again: Sequence[Again], options: PlanningOptions, rng: random.Random
) -> Iterator[list[Content]]:
    """The contents of one wave after the other."""
    by_document: dict[int, list[Pass]] = {}
    for one in passes:
        by_document.setdefault(one.text[0], []).append(one)
    models: dict[int, list[Again]] = {}
    for each in again:
        models.setdefault(each.model.shown.text[0], []).append(each)
    waves = list(_waves(by_document, options.items_per_assignment, rng))
    if len(waves) * options.redundancy > MOST_ROUNDS:
        raise PlanningError(
            f"Adaptive allocation has at most {MOST_ROUNDS} rounds, and this plan needs "
            f"{len(waves) * options.redundancy}: put more segments into a task or ask for fewer judgments."
        )
    for wave in waves:
        own = [one for document in wave for one in by_document[document]]
        controls = [each for document in wave for each in models.get(document, ())]
        yield pack(own, controls, options, rng)


def _waves(by_document: Mapping[int, Sequence[Pass]], capacity: int, rng: random.Random) -> Iterator[list[int]]:
    """Every document has the same chance of every place in the order."""
    wave: list[int] = []
    size = 0
    for document in rng.sample(sorted(by_document), len(by_document)):
        length = _longest_of_a_system(by_document[document])
        if wave and size + length > capacity:
            yield wave
            wave, size = [], 0
        wave.append(document)
        size += length
    if wave:
        yield wave


def _longest_of_a_system(passes: Sequence[Pass]) -> int:
    sizes: dict[int, int] = {}
    for one in passes:
        sizes[one.system] = sizes.get(one.system, 0) + max(1, one.size)
    return max(sizes.values())
