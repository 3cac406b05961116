"""Two systems on the same draws, which are those of sacreBLEU."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.base import Score
from sacrebleu.significance import _bootstrap_resample

from metrics.statistics.bootstrap import paired_bootstrap

SEED = 12345
FIRST = np.array([(index * 37) % 101 for index in range(80)], dtype=np.float64)
SECOND = np.array([(index * 53 + 5) % 97 for index in range(80)], dtype=np.float64)


def rng(seed: int = SEED) -> np.random.Generator:
    return np.random.default_rng(seed)


class MeanOfScores:
    """A "metric" whose hypotheses are scores, so that sacreBLEU's own resampling can be run on a mean."""

    def _compute_score_from_stats(self, total: float) -> Score:
        return Score("mean", total / FIRST.size)


@pytest.mark.parametrize("shift", [0, 3, 8, 25])
def test_the_share_is_that_of_the_draws_of_sacrebleu(shift: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", str(SEED))
    metric: Any = MeanOfScores()
    first, second = (
        np.array([draw.score for draw in _bootstrap_resample(list(scores), metric, 1_000)[1]])
        for scores in (FIRST + shift, SECOND)
    )
    result = paired_bootstrap(FIRST + shift, SECOND, resamples=1_000, rng=rng())
    assert result.share == pytest.approx(np.mean(first > second))


def test_documents_go_together() -> None:
    groups = np.arange(80) // 10
    alike = np.repeat(rng(3).normal(size=8), 10)
    alone = paired_bootstrap(alike, np.zeros(80), rng=rng())
    whole = paired_bootstrap(alike, np.zeros(80), groups=groups, rng=rng())
    assert abs(whole.share - 0.5) + 0.01 < abs(alone.share - 0.5)


@settings(max_examples=25, deadline=None)
@given(st.floats(-100, 100), st.floats(0.1, 10))
def test_shift_and_scale_change_nothing(shift: float, scale: float) -> None:
    plain = paired_bootstrap(FIRST, SECOND, resamples=50, rng=rng())
    moved = paired_bootstrap(scale * FIRST + shift, scale * SECOND + shift, resamples=50, rng=rng())
    assert moved.share == plain.share


def test_equal_systems_are_no_evidence() -> None:
    same = paired_bootstrap(FIRST, FIRST, rng=rng())
    assert (same.difference, same.share) == (0, 0)


def test_what_does_not_exist_says_why() -> None:
    nothing = [np.nan, 1.0], [1.0, np.nan]
    assert paired_bootstrap(*nothing, rng=rng()).reason == "no_overlap"
    one = paired_bootstrap([1, 2], [0, 0], groups=["d", "d"], rng=rng())
    assert (one.reason, one.difference) == ("one_group", 1.5)
    assert np.isnan(one.share)


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="resample"):
        paired_bootstrap([1], [1], resamples=0, rng=rng())
    with pytest.raises(ValueError, match="paired"):
        paired_bootstrap([1, 2], [1], rng=rng())
