"""Means sharpened by a metric: what a campaign on a random part gives, and where it is refused."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from campaigns.models import Campaign, TestSet
from metrics.analyses.assisted import Assisted, assisted, assisted_table, saved_in_words
from metrics.analyses.evidence import Evidence
from metrics.recipes import AnalysisError, recipe_for
from metrics.results.codec import from_json, to_json
from metrics.scoring.reading import MetricScores, TestSetScores
from metrics.statistics.arrays import FloatArray
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.metrics.score_tables import score_table
from tests.metrics.scored_by_hand import store_metric
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

SYSTEMS = ("heron", "kestrel")
DOCUMENTS, LENGTH = 60, 3


def qualities() -> tuple[FloatArray, FloatArray]:
    """People's scores and a metric's that follows them, (systems, segments)."""
    rng = np.random.default_rng(5)
    true = rng.normal(60, 15, size=(2, DOCUMENTS * LENGTH)) + np.array([[6.0], [0.0]])
    return true + rng.normal(0, 8, true.shape), true / 100 + rng.normal(0, 0.05, true.shape)


def evidence(
    *, every: int = 3, own: FloatArray | None = None, chosen: str = "", metric: str = "Sage", **more: Any
) -> Evidence:
    """Of every third document people judged all segments."""
    people, by_metric = qualities()
    columns = [place for place in range(DOCUMENTS * LENGTH) if place // LENGTH % every == 0]
    cells = [(row, place) for row in range(2) for place in columns]
    table = score_table(
        "score",
        values=[float(people[cell]) for cell in cells],
        annotators=["ana"] * len(cells),
        systems=[SYSTEMS[row] for row, _place in cells],
        segments=[f"{place:03}" for _row, place in cells],
        documents=[f"d{place // LENGTH:02}" for _row, place in cells],
        low=0,
        high=100,
    )
    by_code = sorted(columns, key=lambda place: f"{place // LENGTH // every}\0{place:03}")  # as `score_table` codes
    table = replace(table, segment_ids=tuple(by_code), **more)
    scores = own if own is not None else by_metric
    sage = MetricScores(
        name="Sage",
        title="Sage",
        higher_is_better=True,
        is_imported=True,
        references=(),
        systems=scores.mean(axis=1),
        segments=scores,
        signatures=("s", "s"),
    )
    keys = tuple(range(DOCUMENTS * LENGTH))
    read = TestSetScores(
        systems=SYSTEMS,
        is_human=(False, False),
        segment_ids=keys,
        documents=tuple(f"d{place // LENGTH:02}" for place in keys),
        segment_names=tuple(map(str, keys)),
        metrics=(sage,),
    )
    recipe = recipe_for("esa", None, {"metric": metric})
    return Evidence(tables=(table,), recipe=recipe, metrics=read, chosen=chosen)


def test_the_metric_narrows_every_interval_and_brings_means_nearer_to_those_of_all() -> None:
    result = assisted(evidence())
    people, _own = qualities()
    assert result.reason is None
    for one in result.systems:
        truth = people[SYSTEMS.index(one.system)].mean()
        assert float(one.assisted_se) < 0.85 * float(one.se)  # type: ignore[arg-type]
        assert one.interval[0] < truth < one.interval[1]  # type: ignore[index]
        assert (one.judged, one.others) == (60, 120)
    assert result.equivalent_judgments is not None
    assert result.equivalent_judgments > 80
    assert "are saved" in saved_in_words(result)


def test_a_difference_is_sharpened_by_the_difference_of_the_metric() -> None:
    [test] = assisted(evidence()).tests
    assert (test.first, test.second) == SYSTEMS
    assert float(test.assisted_se) < float(test.se)  # type: ignore[arg-type]
    assert test.p == test.p_corrected


def test_penalties_are_turned_back() -> None:
    result = assisted(evidence(higher_is_better=False))
    mean = {one.system: one.mean for one in assisted(evidence()).systems}
    assert {one.system: -float(one.mean) for one in result.systems} == pytest.approx(mean)  # type: ignore[arg-type]
    one = result.systems[0]
    assert one.interval[0] < one.assisted < one.interval[1]  # type: ignore[index,operator]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"chosen": "variance,metric-Sage,100-segments"}, "metric_chose"),
        ({"chosen": "diversity-unigram,100-segments"}, "not_random"),
        ({"every": 4}, "few_documents"),
        ({"every": 1}, "all_judged"),
        ({"metric": "Rose"}, "no_scores"),
        ({"metric": "hter"}, "trained_on_these"),
        ({"is_relative": True}, "not_scores"),
        ({"own": np.full((2, DOCUMENTS * LENGTH), np.nan)}, "no_scores"),
    ],
)
def test_it_is_refused_with_a_reason(changed: dict[str, Any], reason: str) -> None:
    result = assisted(evidence(**changed))
    assert (result.reason, result.systems, result.tests) == (reason, (), ())
    assert from_json(Assisted, to_json(result)) == result


def test_a_random_choice_is_no_reason_to_refuse() -> None:
    assert assisted(evidence(chosen="random,60-segments")).reason is None


def test_judged_segments_that_a_metric_finds_easier_are_not_random() -> None:
    _people, own = qualities()
    judged = np.arange(DOCUMENTS * LENGTH) // LENGTH % 3 == 0
    assert assisted(evidence(own=own + 0.3 * judged)).reason == "not_random"


def test_a_metric_that_says_nothing_leaves_the_means_and_says_so() -> None:
    result = assisted(evidence(own=np.full((2, DOCUMENTS * LENGTH), 0.5)))
    assert {(one.mean == one.assisted, one.reason) for one in result.systems} == {(True, "no_help")}
    assert saved_in_words(result) == "Sage does not narrow the intervals."


def test_its_json_has_the_names_of_the_specification() -> None:
    stored = to_json(assisted(evidence()))
    assert set(stored["systems"][0]) >= {
        "system",
        "mean",
        "assisted",
        "se",
        "assisted_se",
        "interval",
        "lambda",
        "ratio",
    }
    assert set(stored) >= {"metric", "systems", "tests", "equivalent_judgments", "reason"}
    assert from_json(Assisted, stored) == assisted(evidence())
    table = assisted_table(assisted(evidence()))
    assert table.file_header[:4] == ["system", "mean", "low", "high"]
    assert {row[-1] for row in table.file_rows()} == {"Sage"}


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    store_metric(test_set, {WOMBAT: [0.1] * 6, QUOKKA: [0.2] * 6, HUMAN: [0.3] * 6})
    made = make_planned_campaign(test_set, cast)
    for item in items_to_judge(take(made, cast.annotator)):
        judge(item, 50)
    return made


def test_an_analysis_sharpens_by_the_metric_that_is_named(campaign: Campaign) -> None:
    result = analyse(campaign, options={"metric": "Sage"})
    assert result["analyses"]["assisted"]["reason"] == "all_judged"
    assert "|assisted:Sage|" in result["signature"]
    assert "assisted" not in analyse(campaign)["analyses"]


def test_a_metric_must_be_named_and_known(campaign: Campaign) -> None:
    with pytest.raises(AnalysisError, match="Name the metric"):
        analyse(campaign, analyses=["assisted"])
    with pytest.raises(AnalysisError, match="There are: Sage"):
        analyse(campaign, options={"metric": "Rose"})
    with pytest.raises(AnalysisError, match="must be the name of a metric"):
        analyse(campaign, options={"metric": 3})
