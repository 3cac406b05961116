import json

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.matrices import ScoreTable
from metrics.recipes import recipe_for
from metrics.statistics.bootstrap import share_correct
from tests.metrics.analyses.as_json import gisting
from tests.metrics.score_tables import score_table
from tests.metrics.statistics.reference_values import TWELVE_HIGH, TWELVE_LOW, TWELVE_QUESTIONS, TWELVE_RIGHT

READ = [("ana", "x", "d1", 2, 4), ("bo", "x", "d2", 4, 4), ("ana", "y", "d2", 1, 4), ("bo", "y", "d1", 1, 2)]


def tables() -> tuple[ScoreTable, ...]:
    annotators, systems, documents, correct, questions = zip(*READ, strict=True)
    return tuple(
        score_table(
            name,
            values=values,
            annotators=annotators,
            systems=systems,
            segments=[None] * len(READ),
            documents=documents,
            low=0,
        )
        for name, values in (("correct", correct), ("asked", questions))
    )


def test_right_answers_over_questions_the_best_first() -> None:
    result = gisting(Evidence(tables(), recipe_for("gisting")))["systems"]
    assert [(one["system"], one["correct"], one["asked"]) for one in result] == [("x", 6, 8), ("y", 2, 6)]
    assert result[0]["share"] == 0.75
    assert result[0]["interval"] == [0.5, 1.0]
    assert (result[0]["readings"], result[0]["documents"]) == (2, 2)
    assert json.dumps(result, allow_nan=False)


def test_who_is_excluded_did_not_read() -> None:
    result = gisting(Evidence(tables(), recipe_for("gisting"), excluded=frozenset({"bo"})))["systems"]
    assert [(one["system"], one["correct"], one["interval"]) for one in result] == [("x", 2, None), ("y", 1, None)]


def test_other_campaigns_have_none() -> None:
    nothing = gisting(Evidence((), recipe_for("gisting")))
    assert nothing == {"systems": [], "reasons": {"systems": "no_judgments"}}


def test_no_questions_give_no_share() -> None:
    result = share_correct([0, 0], [0, 0], ["a", "b"], rng=np.random.default_rng(1))
    assert np.isnan(result.share)
    assert (result.reason, result.interval.reason) == ("nothing_asked", "nothing_asked")
    for resamples, reason in ((99, "few_resamples"), (100, "one_document")):
        of_one = share_correct([1, 2], [2, 2], ["a", "a"], resamples=resamples, rng=np.random.default_rng(1))
        assert (of_one.share, of_one.interval.reason) == (0.75, reason)
    assert np.isnan(result.interval.low)
    assert np.isnan(share_correct([], [], [], rng=np.random.default_rng(1)).share)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(150):
        chances = rng.beta(6, 4, size=40)
        result = share_correct(rng.binomial(5, chances), np.full(40, 5), np.arange(40), resamples=300, rng=rng)
        covered += result.interval.low <= 0.6 <= result.interval.high
    assert covered / 150 == pytest.approx(0.94, abs=0.05)


def test_the_interval_of_a_share_is_that_of_others() -> None:
    result = share_correct(TWELVE_RIGHT, TWELVE_QUESTIONS, range(12), resamples=8_000, rng=np.random.default_rng(1))
    assert result.share == pytest.approx(2 / 3)
    assert result.interval.low == pytest.approx(TWELVE_LOW.value, abs=TWELVE_LOW.tolerance)
    assert result.interval.high == pytest.approx(TWELVE_HIGH.value, abs=TWELVE_HIGH.tolerance)
