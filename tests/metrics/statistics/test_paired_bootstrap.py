"""Two systems on the same draws: what sacreBLEU makes of them, and what the textbook does."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.significance import Result, _paired_bs_test

from metrics.statistics.arrays import FloatArray
from metrics.statistics.bootstrap import paired_bootstrap

SEED = 12345
FIRST = np.array([(index * 37) % 101 for index in range(80)], dtype=np.float64)
SECOND = np.array([(index * 53 + 5) % 97 for index in range(80)], dtype=np.float64)


def rng(seed: int = SEED) -> np.random.Generator:
    return np.random.default_rng(seed)


@dataclass
class _Score:
    score: float


class MeanOfScores:
    """A "metric" whose hypotheses are scores, so that sacreBLEU's own tests can be run on a mean."""

    def _extract_corpus_statistics(self, hypotheses: Any, _references: Any) -> FloatArray:
        return np.stack([np.asarray(hypotheses, dtype=np.float64), np.ones(len(hypotheses))], axis=1)

    def _compute_score_from_stats(self, sums: Any) -> _Score:
        return _Score(float(sums[0]) / float(sums[1]))

    def _aggregate_and_compute(self, rows: Any) -> _Score:
        return self._compute_score_from_stats(np.asarray(rows).sum(axis=0))


def by_sacrebleu(baseline: FloatArray, system: FloatArray, resamples: int) -> float:
    metric: Any = MeanOfScores()
    hypotheses: Any = system
    counts = metric._extract_corpus_statistics(baseline, None)
    known = {"mean": (counts, Result(metric._aggregate_and_compute(counts).score))}
    _, results = _paired_bs_test(known, "system", hypotheses, None, {"mean": metric}, n_samples=resamples, seed=SEED)
    p = results["mean"].p_value
    assert p is not None
    return p


@pytest.mark.parametrize("shift", [0, 3, 8, 25])
def test_the_same_seed_gives_the_p_of_sacrebleu(shift: float) -> None:
    first = FIRST + shift
    drawn = paired_bootstrap(first, SECOND, resamples=1_000, rng=rng())
    assert drawn.p_sacrebleu == pytest.approx(by_sacrebleu(first, SECOND, 1_000), abs=1e-12)


def test_the_share_is_that_of_draws_in_which_the_first_is_ahead() -> None:
    """Counted one draw after another."""
    generator, drawn = rng(), []
    for _ in range(300):
        places = generator.integers(0, FIRST.size, size=FIRST.size, dtype=np.int32)
        drawn.append((FIRST - SECOND)[places].mean())
    result = paired_bootstrap(FIRST, SECOND, resamples=300, rng=rng())
    assert result.share == pytest.approx(np.mean(np.array(drawn) > 0))
    ordered = sorted(drawn)
    assert (result.interval.low, result.interval.high) == pytest.approx((ordered[7], ordered[-8]))


def test_documents_go_together() -> None:
    groups = np.arange(80) // 10
    alike = np.repeat(rng(3).normal(size=8), 10)
    alone = paired_bootstrap(alike, np.zeros(80), rng=rng())
    whole = paired_bootstrap(alike, np.zeros(80), groups=groups, rng=rng())
    assert whole.interval.high - whole.interval.low > 2 * (alone.interval.high - alone.interval.low)


@settings(max_examples=25, deadline=None)
@given(st.floats(-100, 100), st.floats(0.1, 10))
def test_shift_and_scale_change_no_p(shift: float, scale: float) -> None:
    plain = paired_bootstrap(FIRST, SECOND, resamples=50, rng=rng())
    moved = paired_bootstrap(scale * FIRST + shift, scale * SECOND + shift, resamples=50, rng=rng())
    assert (moved.share, moved.p_sacrebleu) == (plain.share, plain.p_sacrebleu)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    generator, covered = rng(5), 0
    for _ in range(300):
        x = generator.normal(0.3, 1, size=60)
        interval = paired_bootstrap(x, np.zeros(60), resamples=400, rng=generator).interval
        covered += interval.low <= 0.3 <= interval.high
    assert 0.9 <= covered / 300 <= 0.98


def test_equal_systems_are_no_evidence() -> None:
    same = paired_bootstrap(FIRST, FIRST, rng=rng())
    assert (same.difference, same.share, same.p_sacrebleu) == (0, 0, 1 / 1001)  # as sacreBLEU: nothing exceeds nothing


def test_what_does_not_exist_says_why() -> None:
    nothing = [np.nan, 1.0], [1.0, np.nan]
    assert paired_bootstrap(*nothing, rng=rng()).reason == "no_overlap"
    one = paired_bootstrap([1, 2], [0, 0], groups=["d", "d"], rng=rng())
    assert (one.reason, one.difference) == ("one_group", 1.5)
    assert np.isnan(one.share)


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="resample"):
        paired_bootstrap([1], [1], resamples=0, rng=rng())
    with pytest.raises(ValueError, match="level"):
        paired_bootstrap([1], [1], level=1, rng=rng())
    with pytest.raises(ValueError, match="paired"):
        paired_bootstrap([1, 2], [1], rng=rng())
