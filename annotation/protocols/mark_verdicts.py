"""Expected marks beside given ones: which were found, found otherwise or missed, and which nobody expected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.protocols.expected_marks import ExpectedMark, marks_in

FOUND, OTHER_KIND, OTHER_PLACE, MISSED, EXTRA = OUTCOMES = ("found", "other_kind", "other_place", "missed", "extra")
Given = Mapping[str, Any]
Fits = Callable[[ExpectedMark, Given], bool]

# From the best: what fits one of them better is not used up by what fits worse.
_DEGREES: tuple[tuple[str, Fits], ...] = (
    (FOUND, lambda expected, given: expected.is_placed(given) and expected.fits(given)),
    (OTHER_KIND, lambda expected, given: expected.is_placed(given)),
    (OTHER_PLACE, lambda expected, given: expected.touches(given)),
)


@dataclass(frozen=True)
class MarkVerdict:
    """One expected mark and the given one that comes nearest to it; `expected` is None for one that nobody expected.

    `is_wanted` says whether the text has any errors: where it has, a mark too many is told and not counted.
    """

    slot: str
    outcome: str
    expected: ExpectedMark | None = None
    given: Given | None = None
    is_wanted: bool = True

    @property
    def is_right(self) -> bool:
        return self.outcome == FOUND or (self.outcome == EXTRA and self.is_wanted)


def mark_verdicts(slot: str, expected: Sequence[ExpectedMark], values: Mapping[str, Any]) -> list[MarkVerdict]:
    """Each given mark answers for one expected at most. In the order of the expected ones, then those too many."""
    given = marks_in(values)
    chosen: dict[int, tuple[int, str]] = {}
    for outcome, fits in _DEGREES:
        open_marks = [place for place in range(len(expected)) if place not in chosen]
        used = {mark for mark, _outcome in chosen.values()}
        free = [mark for mark in range(len(given)) if mark not in used]
        fitting = {place: [mark for mark in free if fits(expected[place], given[mark])] for place in open_marks}
        chosen |= {place: (mark, outcome) for place, mark in _paired(fitting).items()}
    verdicts = [
        MarkVerdict(slot, chosen[place][1], mark, given[chosen[place][0]])
        if place in chosen
        else MarkVerdict(slot, MISSED, mark)
        for place, mark in enumerate(expected)
    ]
    used = {mark for mark, _outcome in chosen.values()}
    extra = [mark for place, mark in enumerate(given) if place not in used]
    return verdicts + [MarkVerdict(slot, EXTRA, given=mark, is_wanted=bool(expected)) for mark in extra]


def _paired(fitting: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """As many pairs as there can be: a place gives its mark to another one if it finds one of its own (Kuhn 1955)."""
    place_of: dict[int, int] = {}

    def find(place: int, tried: set[int]) -> bool:
        for mark in fitting[place]:
            if mark not in tried:
                tried.add(mark)
                if mark not in place_of or find(place_of[mark], tried):
                    place_of[mark] = place
                    return True
        return False

    for place in fitting:
        find(place, set())
    return {place: mark for mark, place in place_of.items()}
