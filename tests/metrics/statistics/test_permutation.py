import math
import time

import numpy as np
import pytest

from metrics.statistics.permutation import paired_permutation_all
from tests.machine_speed import times_slower
from tests.metrics.statistics import reference_values as foreign
from tests.metrics.statistics.one_case import paired_permutation


def generator(seed: int = 12345) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_all_signs_of_darwins_maize_are_counted_as_fisher_counted_them() -> None:
    test = paired_permutation(foreign.MAIZE, [0] * 15, resamples=2**15, rng=generator())
    assert test.is_exact
    assert test.extreme == foreign.MAIZE_EXTREME.value
    assert test.p == foreign.MAIZE_EXTREME.value / 2**15


def test_drawn_signs_come_near_to_all_signs_and_never_say_zero() -> None:
    test = paired_permutation(foreign.MAIZE, [0] * 15, resamples=20_000, rng=generator())
    assert not test.is_exact
    assert test.p == (test.extreme + 1) / 20_001
    assert test.p == pytest.approx(foreign.MAIZE_EXTREME.value / 2**15, abs=0.005)
    certain = paired_permutation([1.0] * 40, [0.0] * 40, resamples=500, rng=generator())
    assert (certain.extreme, certain.p) == (0, 1 / 501)


def test_the_same_seed_gives_the_same_p() -> None:
    x, y = generator(1).normal(size=(2, 50))
    assert paired_permutation(x, y, resamples=300, rng=generator()) == paired_permutation(
        x, y, resamples=300, rng=generator()
    )


def test_whole_documents_are_flipped_together() -> None:
    """Ten alike differences are overwhelming on their own, and one throw of a coin in a single document."""
    x, y = np.arange(10.0) + 5, np.arange(10.0)
    assert paired_permutation(x, y, rng=generator()).p == 2 / 2**10
    assert paired_permutation(x, y, groups=["a"] * 10, rng=generator()).p == 1
    assert paired_permutation(x, y, groups=["a"] * 5 + ["b"] * 5, rng=generator()).p == 0.5


def test_all_pairs_at_once_are_the_pairs_one_by_one() -> None:
    scores = generator(2).normal(size=(4, 30))
    scores[0] += 0.5
    groups = np.repeat(np.arange(15), 2)
    together = paired_permutation_all(scores, groups=groups, resamples=400, rng=generator())
    for first in range(4):
        for second in range(first + 1, 4):
            alone = paired_permutation(scores[first], scores[second], groups=groups, resamples=400, rng=generator())
            assert together.p[first, second] == together.p[second, first] == alone.p
            assert together.difference[first, second] == pytest.approx(alone.difference)
            assert together.difference[second, first] == -together.difference[first, second]


def test_only_shared_segments_are_compared() -> None:
    x = [3.0, 5.0, math.nan, 9.0, 100.0]
    y = [2.0, 3.0, 50.0, 6.0, math.nan]
    test = paired_permutation(x, y, rng=generator())
    assert (test.n, test.difference, test.p) == (3, 2.0, 0.25)


def test_nothing_shared_is_no_p_and_no_difference_is_no_evidence() -> None:
    assert math.isnan(paired_permutation([1.0, math.nan], [math.nan, 1.0], rng=generator()).p)
    assert paired_permutation([1.0, 2.0], [1.0, 2.0], rng=generator()).p == 1


def test_shift_and_scale_do_not_change_p() -> None:
    x, y = generator(3).normal(size=(2, 25))
    p = paired_permutation(x, y, resamples=500, rng=generator()).p
    assert paired_permutation(7 * x + 3, 7 * y + 3, resamples=500, rng=generator()).p == p


def test_resamples_are_checked() -> None:
    with pytest.raises(ValueError, match="resample"):
        paired_permutation([1, 2], [1, 2], resamples=0, rng=generator())


def test_a_hundred_thousand_judgments_of_fifteen_systems_take_seconds() -> None:
    scores = generator(4).normal(size=(15, 6_667))
    groups = np.arange(6_667) // 20
    before, started = times_slower(), time.process_time()
    paired_permutation_all(scores, groups=groups, resamples=10_000, rng=generator())
    assert time.process_time() - started < 3 * max(1.0, before, times_slower())
