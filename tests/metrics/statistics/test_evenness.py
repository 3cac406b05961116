"""What severities alone make two systems differ by, by hand and by drawing severities."""

import itertools

import numpy as np
import pytest

from metrics.statistics.arrays import IntArray
from metrics.statistics.evenness import Imbalance, annotator_imbalance
from metrics.statistics.significance import holm


def test_the_shift_is_the_spread_of_drawn_severities() -> None:
    rng = np.random.default_rng(4)
    systems, annotators = rng.integers(0, 3, 400), rng.integers(0, 5, 400) * rng.integers(0, 2, 400)
    severities = rng.normal(0, 7, (20_000, 5))
    means = np.stack([severities[:, annotators[systems == one]].mean(axis=1) for one in range(3)])
    uneven = annotator_imbalance(systems, annotators, deviation=7)
    assert uneven.shift[0, 1] == pytest.approx((means[0] - means[1]).std(), rel=0.02)
    assert (uneven.shift == uneven.shift.T).all()
    assert (np.diagonal(uneven.shift) == 0).all()


def test_the_same_people_on_all_systems_are_even() -> None:
    uneven = annotator_imbalance(list("xyxy"), ["ana", "ana", "bo", "bo"], deviation=10, errors=np.full((2, 2), 1.0))
    assert not uneven.is_uneven
    assert uneven.shift.max() == 0


def test_the_ratio_is_by_the_error_and_the_worst_pair_is_named() -> None:
    systems, annotators = list("xxyyzz"), list("ababac")
    uneven = annotator_imbalance(systems, annotators, deviation=2.0, errors=np.full((3, 3), 4.0))
    assert uneven.shift[0, 2] == pytest.approx(2 * np.sqrt(0.5))
    assert uneven.ratio[0, 2] == pytest.approx(np.sqrt(0.5) / 2)
    assert uneven.is_uneven
    assert uneven.worst in ((0, 2), (2, 0), (1, 2))
    larger = annotator_imbalance(systems, annotators, deviation=2.0, errors=np.full((3, 3), 5.0))
    assert not larger.is_uneven


@pytest.mark.parametrize("deviation", [0.0, float("nan")])
def test_no_severities_are_even(deviation: float) -> None:
    assert annotator_imbalance(list("xy"), list("ab"), deviation=deviation).shift.max() == 0


def test_nothing_and_no_error_have_no_ratio() -> None:
    assert annotator_imbalance([], [], deviation=1).worst is None
    uneven = annotator_imbalance(list("xy"), list("ab"), deviation=1, errors=np.zeros((2, 2)))
    assert (uneven.is_uneven, uneven.worst) == (False, None)
    with pytest.raises(ValueError, match="not below 0"):
        annotator_imbalance(list("xy"), list("ab"), deviation=-1)
    with pytest.raises(ValueError, match="every two of 2"):
        annotator_imbalance(list("xy"), list("ab"), deviation=1, errors=np.zeros((3, 3)))


def test_chance_spreads_annotators_unevenly_too() -> None:
    """Whoever comes takes a task: uneven by the ratio, not beyond chance; tied to systems it is both."""
    rng = np.random.default_rng(3)
    documents, systems = (one.ravel() for one in np.indices((40, 4)))
    errors = np.full((4, 4), 1.0)
    anybody = rng.integers(0, 6, 160)
    tied = np.where(rng.random(160) < 0.5, systems, anybody)

    def imbalance(annotators: IntArray) -> Imbalance:
        rng = np.random.default_rng(1)
        return annotator_imbalance(systems, annotators, deviation=6.0, errors=errors, documents=documents, rng=rng)

    by_chance = imbalance(anybody)
    assert (by_chance.ratio > 0.3).any()
    assert not by_chance.is_uneven
    beyond = imbalance(tied)
    assert beyond.is_uneven
    assert beyond.worst is not None
    assert beyond.p[beyond.worst] < 0.05


def test_p_is_that_of_all_exchanges() -> None:
    """Every way to exchange the labels of two systems in seven documents, counted one by one."""
    rng = np.random.default_rng(8)
    documents, systems = (one.ravel() for one in np.indices((7, 4)))
    annotators = np.where(systems == 3, 3, rng.integers(0, 4, systems.size))
    uneven = annotator_imbalance(
        systems, annotators, deviation=6.0, errors=np.ones((4, 4)), documents=documents, rng=np.random.default_rng(1)
    )
    shares = np.zeros((4, 7, 4))
    shares[systems, documents, annotators] = 1 / 7
    signs = np.array(list(itertools.product([1, -1], repeat=7)))
    pairs = list(itertools.combinations(range(4), 2))
    exact = []
    for one, other in pairs:
        apart = (np.tensordot(signs, shares[one] - shares[other], axes=1) ** 2).sum(axis=1)
        exact.append(np.mean(apart >= apart[0] - 1e-9))
    found = [uneven.p[pair] for pair in pairs]
    assert found == pytest.approx(holm(np.array(exact)).tolist(), rel=0.3)
    assert len({round(p, 2) for p in found}) > 2
