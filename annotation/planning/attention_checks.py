"""Attention checks that are made of a campaign's own texts: whole documents with one segment of one system rotated."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from annotation.planning.planned import PlannedAssignment
from annotation.planning.rotated_text import rotate

Texts = Sequence[Mapping[int, str]]  # of a document: a mapping from system to output for each segment


@dataclass(frozen=True)
class PlannedCheck:
    """`systems` are shown, `row` counts segments from 0; `clean` ones must get a higher score there than `rotated`."""

    document: int
    systems: tuple[int, ...]
    row: int
    rotated: int
    text: str
    clean: tuple[int, ...]


def widths_of(planned: Iterable[PlannedAssignment]) -> list[int]:
    """How many systems stand beside one another on each planned screen; none that shows one alone."""
    screens = (list(screen) for one in planned for _, screen in groupby(one.items, key=lambda item: item.block))
    widths = (max((column for item in screen for slot in item.slots for column in slot.columns), default=0)
              for screen in screens)  # fmt: skip
    return [width for width in widths if width > 1]


def plan_checks(
    documents: Iterable[tuple[int, Texts]],
    good: Sequence[int],
    widths: Sequence[int],
    rng: random.Random,
    *,
    language: str,
) -> Iterator[PlannedCheck]:
    """A check for each document that allows one, in this order; as wide as a planned screen, drawn at random.

    The systems are drawn from the `good` ones. Where a screen has more columns than there are good systems, others fill
    them and are not compared: the screen would otherwise be recognised by its width.
    """
    for document, texts in documents:
        check = _check(document, texts, good, rng.choice(widths), rng, language=language)
        if check is not None:
            yield check


def _check(
    document: int, texts: Texts, good: Sequence[int], width: int, rng: random.Random, *, language: str
) -> PlannedCheck | None:
    known = Counter(system for row in texts for system in row)
    complete = [system for system in good if known[system] == len(texts)]
    compared = rng.sample(complete, min(width, len(complete)))
    others = sorted(set(known).difference(compared))
    if len(compared) < 2 or len(compared) + len(others) < width:
        return None
    systems = (*compared, *rng.sample(others, width - len(compared)))
    for row in rng.sample(range(len(texts)), len(texts)):
        outputs = {system: texts[row][system] for system in systems if system in texts[row]}
        for rotated in rng.sample(compared, len(compared)):
            text = rotate(outputs[rotated], rng, language=language)
            if text is not None and text.strip() not in {each.strip() for each in outputs.values()}:
                clean = tuple(system for system in compared if system != rotated and outputs[system].strip())
                if clean:
                    return PlannedCheck(document, systems, row, rotated, text, clean)
    return None
