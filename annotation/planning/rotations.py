"""Documents that are read once: nobody meets one twice, in whatever text, and everybody reads all systems alike.

A content is a set of documents. Its assignments are the rotations of a Latin square: in rotation r the document at
place d is read in the text at place (d + r) of all that are to be read. So each document is read in each text by
somebody, no two assignments of one content may go to one annotator (which is what the hand-out sees to), and within
an assignment, and within a round, two texts are read equally often, or differ by one. Where a document has not all
texts, a text without its document, or a document without its text, leaves a gap in some rotation.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from annotation.planning.documents import PlanDocument, systems_in
from annotation.planning.options import PlanningError, PlanningOptions
from annotation.planning.passes import reading_of
from annotation.planning.planned import PlannedAssignment, PlannedItem
from annotation.planning.sampling import choose_systems

Readings = Sequence[tuple[PlanDocument, Sequence[int]]]


def rotations(
    documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random
) -> Iterator[PlannedAssignment]:
    """Round after round, each with every content once; redundancy K repeats all rotations K times."""
    readings = _readings(documents, options, rng)
    contents = _evenly(range(len(readings)), options.items_per_assignment)
    count = max(len(texts) for _, texts in readings)
    for repetition in range(options.redundancy):
        for turn, rotation in enumerate(rng.sample(range(count), count)):
            for content in rng.sample(range(len(contents)), len(contents)):
                items = _items(readings, contents[content], rotation, count, rng)
                if items:
                    yield PlannedAssignment(items, repetition * count + turn, content)


def _readings(documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random) -> Readings:
    """The documents in random order, each with its texts in one random order of all."""
    whole = [each for document in documents if systems_in(each := _whole_alone(document))]
    if not whole:
        raise PlanningError("There is nothing to read: no system translated a document from beginning to end.")
    order = sorted({system for document in whole for system in systems_in(document)})
    rng.shuffle(order)
    mixed = rng.sample(whole, len(whole))
    chosen = choose_systems(mixed, options, rng)
    return [
        (document, [system for system in order if system in systems])
        for document, systems in zip(mixed, chosen, strict=True)
    ]


def _whole_alone(document: PlanDocument) -> PlanDocument:
    """With the outputs of those who translated all of it: a text with gaps could not answer for its system."""
    whole = set(systems_in(document)).intersection(*(segment.outputs for segment in document.segments))
    return replace(
        document,
        segments=[
            replace(segment, outputs={system: key for system, key in segment.outputs.items() if system in whole})
            for segment in document.segments
        ],
    )


def _evenly(places: Sequence[int], most: int) -> list[Sequence[int]]:
    """Neighbours together, in as few parts as hold at most so many, of sizes that differ by one."""
    count = -(-len(places) // most)
    edges = [part * len(places) // count for part in range(count + 1)]
    return [places[start:end] for start, end in pairwise(edges)]


def _items(
    readings: Readings, content: Sequence[int], rotation: int, count: int, rng: random.Random
) -> tuple[PlannedItem, ...]:
    items: list[PlannedItem] = []
    block = 0
    for place in rng.sample(content, len(content)):
        document, texts = readings[place]
        turn = (place + rotation) % count
        if turn < len(texts):
            block += 1
            items += [replace(item, block=block) for item in reading_of(document, texts[turn])]
    return tuple(items)
