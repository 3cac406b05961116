"""BEER 2.0: characters and words shared, with weights trained on human rankings (Stanojević & Sima'an 2014, 2015)."""

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrics.automatic.base import FloatArray, IntArray, SegmentMean, divided, own_signature
from metrics.automatic.compiled.flat import Numbers, groups, units_of

_BLANKS = re.compile(r"[ \t\n\x0b\x0c\r]+")
_OF_NOTHING = 100_000.0
_CHARACTER_ORDERS, _WORD_ORDERS, _GAPS = range(1, 7), range(1, 5), (1, 2, 3, 4, 1_000_000)
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
    has_kernel: ClassVar[bool] = True

    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        raw = 0.0
        for weight, value in weighted_features(hypothesis, reference):
            raw += weight * value  # sum() rounds otherwise from Python 3.12 on
        return (min(max((_OFFSET + _SLOPE * raw) / 100, 0.0), 1.0),)

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        ours = [
            words
            for text, some in zip(map(_words, hypotheses), references, strict=True)
            for words in [text] * len(some)
        ]
        theirs = [_words(text) for some in references for text in some]
        raw = np.zeros(len(ours))
        for weights, values in _features(ours, theirs):
            for weight, value in zip(weights, values, strict=True):
                raw += weight * value
        scores = np.minimum(np.maximum((_OFFSET + _SLOPE * raw) / 100, 0.0), 1.0)
        return self.best_of(scores[:, None], groups(references))

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
    encoded = _encoded(words)
    return [encoded[at : at + 2] for at in range(0, len(encoded), 2)]


def _encoded(words: list[str]) -> bytes:
    return " ".join(words).encode("utf-16-le", "surrogatepass")


def _parts(words: list[str], units: list[bytes]) -> dict[str, Parts]:
    """What is compared, by family."""
    parts: dict[str, Parts] = {}
    for order in _CHARACTER_ORDERS:
        parts[f"char{order}"] = Counter(
            tuple(units[at : at + order - 1]) for at in range(max(len(units) - order + 1, 0))
        )
    for order in _WORD_ORDERS:
        inner: Parts = Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))
        inner[("start", tuple(words[:order]))] += 1
        inner[("end", tuple(words[-order:]))] += 1
        parts[f"ngram{order}"] = inner
    for gap in _GAPS:
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


def _features(
    ours: Sequence[list[str]], theirs: Sequence[list[str]]
) -> Iterator[tuple[Sequence[float], Sequence[FloatArray]]]:
    """As `weighted_features`, of many pairs of texts at once."""
    from metrics.automatic.compiled.ngrams import shared_ngrams  # noqa: PLC0415 - loads the compiler
    from metrics.automatic.compiled.words import shared_pairs  # noqa: PLC0415

    written = [[_encoded(words) for words in side] for side in (ours, theirs)]
    n_units, n_others = (np.array([len(text) // 2 for text in side], dtype=np.int64) for side in written)
    units, others = (units_of([text[:-2] for text in side]) for side in written)
    each = np.arange(len(ours) + 1)
    matches = [np.minimum(n_units, n_others), *shared_ngrams(units, others, each, _CHARACTER_ORDERS[-1] - 1).T]
    totals = [[np.maximum(n - order + 1, 0) for order in _CHARACTER_ORDERS] for n in (n_units, n_others)]
    numbers = Numbers()
    words, counterparts = numbers.flat(ours), numbers.flat(theirs)
    n_words, n_counterparts = np.diff(words.starts), np.diff(counterparts.starts)
    pairs = shared_pairs(words, counterparts, np.array(_GAPS, dtype=np.int64))
    inner = shared_ngrams(words, counterparts, each, _WORD_ORDERS[-1])
    for order in _WORD_ORDERS:
        ends = np.minimum(n_words, order)
        has_equal = ends == np.minimum(n_counterparts, order)
        matches.append(inner[:, order - 1] + sum(has_equal & (pairs[:, -side] >= ends) for side in (1, 2)))
    matches += list(pairs[:, : len(_GAPS)].T)
    for of_side, n in zip(totals, (n_words, n_counterparts), strict=True):
        of_side += [np.maximum(n - order + 1, 0) + 2 for order in _WORD_ORDERS]
        of_side += [_pairs_within(n, gap + 1) for gap in _GAPS]
    for weights, shared, total, other in zip(_WEIGHTS.values(), matches, *totals, strict=True):
        yield weights, _shared_by_many(shared, total, other)
    for (weight, largest), one, other in (
        (_CHARACTER_LENGTHS, n_units, n_others),
        (_WORD_LENGTHS, n_words, n_counterparts),
    ):
        shorter = np.minimum(one, other)
        difference = divided(np.maximum(one, other), shorter, otherwise=_OF_NOTHING + 1) - 1
        yield (weight,), (difference / largest,)


def _shared_by_many(matches: IntArray, ours: IntArray, theirs: IntArray) -> tuple[FloatArray, ...]:
    precision = divided(matches.astype(np.float64), np.where(matches > 0, ours, 0.0))
    recall = divided(matches.astype(np.float64), np.where(matches > 0, theirs, 0.0))
    f = divided(2 * precision * recall, precision + recall)
    return np.minimum(precision, recall), np.maximum(precision, recall), f, np.sqrt(precision * recall)


def _pairs_within(n_words: IntArray, distance: int) -> IntArray:
    """How many pairs of words are no farther apart."""
    reach = np.minimum(distance, np.maximum(n_words - 1, 0))
    pairs: IntArray = reach * n_words - reach * (reach + 1) // 2
    return pairs
