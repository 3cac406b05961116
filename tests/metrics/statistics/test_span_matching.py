"""Matched spans with partial credit: by hand, by brute force, and in WMT23's side-by-side MQM."""

import itertools
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pytest

from metrics.statistics.span_matching import match_spans
from metrics.statistics.spans import SpanRows
from tests.metrics.real_campaigns import expected_of
from tests.metrics.real_ratings import marked_errors
from tests.metrics.statistics.reference_values import MATCHED_SPANS

Spans = list[tuple[int, int]]


def rows(*comparisons: Spans | tuple[tuple[int, int], ...]) -> SpanRows:
    spans = [(place, *span, 1) for place, own in enumerate(comparisons) for span in own]
    return SpanRows(*np.array(spans, dtype=np.int64).reshape(-1, 4).T)


@pytest.mark.parametrize("name", MATCHED_SPANS)
def test_small_cases_by_hand(name: str) -> None:
    predicted, gold, precision, recall = MATCHED_SPANS[name]
    matches = match_spans(rows(predicted), rows(gold))
    assert matches.credit_predicted.sum() == pytest.approx(precision.value)
    assert matches.credit_gold.sum() == pytest.approx(recall.value)
    assert (matches.predicted, matches.gold) == (len(predicted), len(gold))


def some(rng: np.random.Generator) -> Spans:
    starts, lengths = rng.integers(0, 20, 4).tolist(), rng.integers(1, 9, 4).tolist()
    return [(start, start + length) for start, length in zip(starts, lengths, strict=True)][: rng.integers(0, 5)]


def test_the_matching_is_the_best_of_all() -> None:
    """Matchings can be equally good; then it is one of them."""
    rng = np.random.default_rng(5)
    for _round in range(60):
        predicted, gold = some(rng), some(rng)
        matches = match_spans(rows(predicted), rows(gold))
        sides = ((predicted, matches.credit_predicted), (gold, matches.credit_gold))
        shared = [
            sorted(credit * (end - start) for (start, end), credit in zip(spans, credits, strict=True) if credit)
            for spans, credits in sides
        ]
        assert shared[0] == pytest.approx(shared[1]), "one to one"
        matchings = list(_credits(predicted, gold))
        best = [sums for worth, *sums in matchings if worth == max(matchings)[0]]
        made = [matches.credit_predicted.sum(), matches.credit_gold.sum()]
        assert any(made == pytest.approx(sums) for sums in best)


def _credits(predicted: Spans, gold: Spans) -> Iterator[tuple[float, float, float]]:
    """Of every matching its worth, and the credit to precision and recall."""
    padded = [*gold, *[(0, 0)] * len(predicted)]
    for order in itertools.permutations(padded, len(predicted)):
        worth = precision = recall = 0.0
        for one, other in zip(predicted, order, strict=True):
            shared = max(0, min(one[1], other[1]) - max(one[0], other[0]))
            lengths = one[1] - one[0], other[1] - other[0]
            worth += 2 * shared / sum(lengths)
            precision += shared / lengths[0]
            recall += shared / lengths[1] if shared else 0
        yield round(worth, 9), precision, recall


def test_spans_of_different_comparisons_never_match_and_order_changes_nothing() -> None:
    assert match_spans(rows([(0, 4)], []), rows([], [(0, 4)])).f == 0
    predicted, gold = rows([(0, 4), (2, 9)], [(1, 3)]), rows([(3, 5), (4, 12)], [(0, 2), (2, 3)])
    before = match_spans(predicted, gold)
    turned = [2, 1, 0]
    after = match_spans(SpanRows(*(column[turned] for column in vars(predicted).values())), gold)
    assert after.credit_predicted[turned] == pytest.approx(before.credit_predicted)
    assert (after.precision, after.recall, after.f) == pytest.approx((before.precision, before.recall, before.f))


def test_what_does_not_exist_is_nan_and_omissions_are_refused() -> None:
    nothing = match_spans(rows(), rows())
    assert np.isnan([nothing.precision, nothing.recall, nothing.f]).all()
    only_gold = match_spans(rows(), rows([(0, 2)]))
    assert np.isnan(only_gold.precision)
    assert (only_gold.recall, only_gold.f) == (0, 0)
    with pytest.raises(ValueError, match="without characters"):
        match_spans(rows([(3, 3)]), rows())


@pytest.mark.real_data
def test_every_two_of_three_raters() -> None:
    expected = expected_of("statistics2")["mpp"]
    marks: dict[tuple[str, str, str], dict[str, Spans]] = {}
    for error in marked_errors():
        own = marks.setdefault(error.item, {}).setdefault(error.rater, [])
        if error.span and error.severity in ("minor", "major") and error.span[0] < error.span[1]:
            own.append(error.span)
    pairs = [
        (*names, of[names[0]], of[names[1]]) for of in marks.values() for names in itertools.combinations(sorted(of), 2)
    ]
    predicted, gold = rows(*(pair[2] for pair in pairs)), rows(*(pair[3] for pair in pairs))
    matches = match_spans(predicted, gold)
    assert (matches.predicted, matches.gold) == (expected["predicted"], expected["gold"])
    assert (matches.precision, matches.recall, matches.f) == pytest.approx(
        tuple(expected[name] for name in ("precision", "recall", "f")), abs=1e-9
    )
    by_pair: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0, 0.0])
    names = [f"{pair[0]}|{pair[1]}" for pair in pairs]
    sides = ((predicted, matches.credit_predicted), (gold, matches.credit_gold))
    for side, (spans, credits) in enumerate(sides):
        for comparison, credit in zip(spans.comparison.tolist(), credits.tolist(), strict=True):
            by_pair[names[comparison]][side] += credit
            by_pair[names[comparison]][side + 2] += 1
    for name, values in expected["pairs"].items():
        assert by_pair[name] == pytest.approx(values, rel=1e-8), name


@pytest.mark.real_data
@pytest.mark.parametrize("place", range(3))
def test_toys_of_the_reference(place: int) -> None:
    toy = expected_of("statistics2")["mpp"]["toy"][place]
    matches = match_spans(rows(toy["predicted"]), rows(toy["gold"]))
    sums = matches.credit_predicted.sum(), matches.credit_gold.sum(), matches.predicted, matches.gold
    assert sums == pytest.approx(toy["result"], abs=1e-8)
