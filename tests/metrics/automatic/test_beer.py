"""BEER 2.0: the original's features and weights."""

import pytest

from metrics.automatic.beer import Beer, weighted_features
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract


class TestBeer(MetricContract):
    name = "beer"


def test_there_are_sixty_two_features() -> None:
    assert len(list(weighted_features("a ferry", "the ferry"))) == 62


def test_nothing_against_anything_is_worth_nothing() -> None:
    assert Beer().score(["", "", "a"], ["", "a", ""]).segments.tolist() == [0, 0, 0]


@pytest.mark.real_data
def test_the_oracles_values() -> None:
    assert oracles.difference(Beer(), "beer/values", "score") < 1e-12


@pytest.mark.real_data
def test_of_two_references_the_better_one_counts() -> None:
    expected = oracles.values("beer/two-references", "best")
    pairs = [oracles.pairs()[key] for key in expected]
    scored = Beer().score([pair.hypothesis for pair in pairs], [pair.references for pair in pairs])
    assert scored.segments.tolist() == pytest.approx(list(expected.values()), abs=1e-12)


@pytest.mark.real_data
def test_the_original_divides_its_corpus_score_by_one_too_many() -> None:
    pairs = oracles.subset("de")
    scored = Beer().score([pair.hypothesis for pair in pairs], [pair.reference for pair in pairs])
    total = oracles.corpus_values("BEER 2.0")["de", "total as printed: sum / (n+1), n=100"]
    assert scored.value * len(pairs) / (len(pairs) + 1) == pytest.approx(total, abs=1e-9)
