"""BEER 2.0: characters and words shared, with weights trained on human rankings (Stanojević & Sima'an 2014, 2015)."""

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics.automatic.base import SegmentMean, own_signature

_BLANKS = re.compile(r"[ \t\n\x0b\x0c\r]+")
_OF_NOTHING = 100_000.0
Parts = Counter[Hashable]
# Trained weights of BEER 2.0, model "default" of github.com/stanojevic/beer, Apache License 2.0, as numbers. Of each
# family of features: the weights of the smaller and the larger of precision and recall, of F and of their geometric
# mean. The lengths have one weight each, and are divided by the largest difference seen in training.
_WEIGHTS: dict[str, tuple[float, float, float, float]] = {
    "char1": (0.1453012787604123, 0.0, 0.08861262840679592, 0.08071032085363784),
    "char2": (0.1963900843116995, 0.06515868202839548, 0.1457506057170697, 0.1383432728191938),
    "char3": (0.2288091014521096, 0.1136062574211859, 0.1850358136947743, 0.1782195954599223),
    "char4": (0.2132309870368653, 0.1036528693342176, 0.1720805840081217, 0.1653847284409279),
    "char5": (0.1860579652408249, 0.08062119074995505, 0.1464673678251906, 0.1400450423822087),
    "char6": (0.1503807664898314, 0.04926482573995186, 0.1122103662117159, 0.106157021073168),
    "ngram1": (0.06807458263090639, 0.05380997585103303, 0.06354981067307003, 0.06228233096985503),
    "ngram2": (0.00460929288024133, -0.01121946032441008, -0.001774526363490596, -0.002526741780956323),
    "ngram3": (0.003335563919629424, -0.0119865249033762, -0.002977353219855405, -0.003639129150936202),
    "ngram4": (0.03380028335248807, 0.02031454216657496, 0.02814558652025983, 0.02760736375590271),
    "skip1": (0.03410560722687306, 0.002957890345543543, 0.02232057366987459, 0.02047663314700889),
    "skip2": (0.04512868658179872, 0.00048644514914091, 0.03053557826072926, 0.02694907525040777),
    "skip3": (0.05115885400335407, 0.001332583028179822, 0.03522813424695521, 0.03106090665878986),
    "skip4": (0.05144138930242565, -0.003651911910241825, 0.03401907034863563, 0.02932655167577753),
    "skip1000000": (0.08696468673168692, 0.03996031610474091, 0.0750912304497027, 0.06980953322351235),
}
_CHARACTER_LENGTHS = (-0.1000152811921732, 2.25)
_WORD_LENGTHS = (0.003628603438301872, 3.666666666666667)
_OFFSET, _SLOPE = 8.580459341342790, 20.51272094172102


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
        return (min(max((_OFFSET + _SLOPE * raw) / 100, 0.0), 1.0),)

    def signature(self, n_references: int | None) -> str:
        return own_signature(n_references, "case:mixed", "tok:blanks", "model:beer-2.0-default")


def weighted_features(hypothesis: str, reference: str) -> Iterator[tuple[float, float]]:
    """Each feature with its weight."""
    ours, theirs = _words(hypothesis), _words(reference)
    units, others = _units(ours), _units(theirs)
    parts, counterparts = _parts(ours, units), _parts(theirs, others)
    for family, weights in _WEIGHTS.items():
        yield from zip(weights, _shared(parts[family], counterparts[family]), strict=True)
    for (weight, largest), difference in (
        (_CHARACTER_LENGTHS, _difference(len(units), len(others))),
        (_WORD_LENGTHS, _difference(len(ours), len(theirs))),
    ):
        yield weight, difference / largest


def _words(text: str) -> list[str]:
    """Empty words at the end are dropped, one at the beginning stays."""
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
