"""BEER 2.0: characters and words shared, weighed as people's rankings taught it (Stanojević & Sima'an 2014, 2015)."""

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics.automatic.base import counted_references
from metrics.automatic.beer_weights import CHARACTER_LENGTHS, OFFSET, SLOPE, WEIGHTS, WORD_LENGTHS
from metrics.automatic.segment_means import SegmentMean
from metrics.version import VERSION

_BLANKS = re.compile(r"[ \t\n\x0b\x0c\r]+")
_OF_NOTHING = 100_000.0
Parts = Counter[Hashable]


@dataclass(frozen=True)
class Beer(SegmentMean):
    """A weighted sum of 62 features, scaled to 0–1; of several references the best. The corpus value is the mean.

    The features are precision, recall, F and their geometric mean of sequences of characters and of words and of pairs
    of words with a gap, and how much lengths differ. They are the original program's with all its peculiarities, which
    the weights were trained with: "char n" takes n-1 characters (char1 is the empty one, as often as there are
    characters), characters are units of UTF-16, and a text without words has one empty word.
    Source: Stanojević & Sima'an 2014, "BEER: better evaluation as ranking", WMT; weights of version 2.0.
    """

    name: ClassVar[str] = "beer"
    title: ClassVar[str] = "BEER 2.0"

    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        raw = sum(weight * value for weight, value in weighted_features(hypothesis, reference))
        return (min(max((OFFSET + SLOPE * raw) / 100, 0.0), 1.0),)

    def signature(self, n_references: int | None) -> str:
        return (
            f"{counted_references(n_references)}|case:mixed|tok:blanks|model:beer-2.0-default|version:assay-{VERSION}"
        )


def weighted_features(hypothesis: str, reference: str) -> Iterator[tuple[float, float]]:
    """Each feature with its weight."""
    ours, theirs = _words(hypothesis), _words(reference)
    units, others = _units(ours), _units(theirs)
    parts, counterparts = _parts(ours, units), _parts(theirs, others)
    for family, weights in WEIGHTS.items():
        yield from zip(weights, _shared(parts[family], counterparts[family]), strict=True)
    for (weight, largest), difference in (
        (CHARACTER_LENGTHS, _difference(len(units), len(others))),
        (WORD_LENGTHS, _difference(len(ours), len(theirs))),
    ):
        yield weight, difference / largest


def _words(text: str) -> list[str]:
    """Empty words at the end vanish while one at the beginning stays."""
    words = _BLANKS.split(text)
    while len(words) > 1 and not words[-1]:
        words.pop()
    return words


def _units(words: list[str]) -> list[bytes]:
    encoded = " ".join(words).encode("utf-16-le", "surrogatepass")
    return [encoded[at : at + 2] for at in range(0, len(encoded), 2)]


def _parts(words: list[str], units: list[bytes]) -> dict[str, Parts]:
    """What is compared, by family."""
    parts: dict[str, Parts] = {}
    for order in range(1, 7):
        parts[f"char{order}"] = Counter(
            tuple(units[at : at + order - 1]) for at in range(max(len(units) - order + 1, 0))
        )
    for order in range(1, 5):
        inner: Parts = Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))
        inner[("start", tuple(words[:order]))] += 1
        inner[("end", tuple(words[-order:]))] += 1
        parts[f"ngram{order}"] = inner
    for gap in (1, 2, 3, 4, 1_000_000):
        parts[f"skip{gap}"] = Counter(
            (word, other) for at, word in enumerate(words) for other in words[at + 1 : at + gap + 2]
        )
    return parts


def _shared(ours: Parts, theirs: Parts) -> tuple[float, float, float, float]:
    """The smaller and the larger of precision and recall, F, and the geometric mean."""
    matches = sum(min(count, theirs[part]) for part, count in ours.items() if part in theirs)
    if not matches:
        return 0.0, 0.0, 0.0, 0.0
    precision, recall = matches / ours.total(), matches / theirs.total()
    f = 2 * precision * recall / (precision + recall)
    return min(precision, recall), max(precision, recall), f, math.sqrt(precision * recall)


def _difference(one: int, other: int) -> float:
    return max(one, other) / min(one, other) - 1 if min(one, other) else _OF_NOTHING
