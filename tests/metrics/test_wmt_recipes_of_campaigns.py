"""WMT's recipes on campaigns in the database: the fields that their JSON has."""

from pathlib import Path

import numpy as np
import pytest

from annotation.models import Judgment
from campaigns.models import Campaign
from metrics.analyses import gather
from metrics.recipes import RECIPES, AnalysisError
from tests.metrics.analyses.as_json import analyse
from tests.metrics.degenerate_campaigns import SHAPES, degenerate
from tests.metrics.side_by_side import side_by_side

pytestmark = pytest.mark.django_db
ANALYSES = ["scope", "ranking", "campaign_table"]
QUICK = {"resamples": 100, "interval_resamples": 100}


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return side_by_side(tmp_path)


def test_the_rule_of_2026_gives_the_fields_it_promises(campaign: Campaign) -> None:
    result = analyse(campaign, recipe="wmt26", analyses=ANALYSES, options=QUICK)
    ranking, table = result["analyses"]["ranking"], result["analyses"]["campaign_table"]
    assert result["recipe"] == "wmt26"
    for part in ("lowest-fit:0.75", "test:bca,one-sided,segments,100,all-segments", "ranks:neighbours"):
        assert f"|{part}|" in result["signature"]
    first = ranking["systems"][0]
    assert (first["system"], first["rank"], first["cluster"], first["neighbour_line"]) == ("heron", [1, 1], 1, True)
    for test in ranking["tests"]:
        assert {"first", "second", "better", "difference", "paired", "unpaired"} <= set(test)
        assert set(test["paired"]) == {"n", "difference", "low"}
        assert set(test["unpaired"]) == {"difference", "low"}
        assert test["reasons"]["p"] == "bounds_instead"
    assert ranking["filter"]["threshold"] == 0.75
    assert [
        (one["annotator"], one["screens"], one["pairs"], one["kept"]) for one in ranking["filter"]["annotators"]
    ] == [
        ("ann", 12, 36, True),
        ("bob", 12, 36, True),
        ("cem", 12, 36, False),
    ]
    assert set(ranking["domains"]) == {"best", "average"}
    assert list(ranking["domains"]["best"]) == ["edu", "news", "social"]
    news, social = (ranking["domains"]["best"][name] for name in ("news", "social"))
    assert ranking["domains"]["average"] == pytest.approx((news + social) / 2), "edu is not averaged"
    assert (table["annotations"], table["systems"], table["annotators"]) == (72, 3, 2)
    assert table["annotations_per_system"] == 24
    assert (table["duplicate_mae"], table["duplicate_pairs"]) == (0, 36)
    assert table["reasons"]["minor_per_annotation"] == "no_spans_asked"


def test_our_own_answer_is_beside_it(campaign: Campaign) -> None:
    """Everybody counts there, also who is dropped by the filter of 2026."""
    beside = analyse(campaign, recipe="wmt26", analyses=["ranking"], options=QUICK)["analyses"]["ranking"]
    alone = analyse(campaign, analyses=["ranking"])["analyses"]["ranking"]
    assert beside["own_recipe"] == "assay"
    assert [(one["system"], one["rank"]) for one in beside["own"]["systems"]] == [
        (one["system"], one["rank"]) for one in alone["systems"]
    ]
    assert {one["judgments"] for one in beside["own"]["systems"]} == {36}
    assert "own" not in alone
    assert "filter" not in alone


def test_a_lowest_fit_works_with_every_recipe(campaign: Campaign) -> None:
    result = analyse(campaign, analyses=["scope", "ranking"], options={"lowest_fit": "0.75", **QUICK})
    assert "|lowest-fit:0.75|" in result["signature"]
    assert {one["judgments"] for one in result["analyses"]["ranking"]["systems"]} == {24}
    assert result["analyses"]["scope"]["left_out"]["by_fit"] == {"annotators": 1, "judgments": 12}


def test_the_filter_is_decided_on_everything_when_only_a_part_is_analysed(campaign: Campaign) -> None:
    where = {"where": "domain = news", **QUICK}
    part = analyse(campaign, recipe="wmt26", analyses=["ranking"], options=where)["analyses"]["ranking"]
    assert {one["screens"] for one in part["filter"]["annotators"]} == {12}
    assert {one["segments"] for one in part["systems"]} == {4}


def test_the_rule_of_2025_takes_every_score_for_a_unit(campaign: Campaign) -> None:
    """Three people scored each output: 36 units, though there are 12 segments."""
    result = analyse(campaign, recipe="wmt25", analyses=["ranking"], options=QUICK)
    ranking = result["analyses"]["ranking"]
    assert "|units:score|" in result["signature"]
    assert {one["segments"] for one in ranking["systems"]} == {12}
    assert {test["shared"] for test in ranking["tests"]} == {36}
    assert all({"better", "p", "n"} <= set(test) for test in ranking["tests"])
    assert [test["better"] for test in ranking["tests"]] == [test["is_win"] for test in ranking["tests"]]
    assert "filter" not in ranking


def test_only_the_rule_of_2025_reads_when_judgments_were_made(campaign: Campaign) -> None:
    times = gather(campaign, RECIPES["wmt25"]).tables[0].submitted
    made = {at.timestamp() for at in Judgment.objects.values_list("submitted_at", flat=True)}
    assert set(times.tolist()) == made
    assert np.isnan(gather(campaign, RECIPES["wmt26"]).tables[0].submitted).all()


def test_one_system_a_screen_leaves_everybody_in(tmp_path: Path) -> None:
    campaign = degenerate("esa", SHAPES["one annotator, enough"], tmp_path)
    ranking = analyse(campaign, recipe="wmt26", analyses=["ranking"], options=QUICK)["analyses"]["ranking"]
    assert [(one["pairs"], one["kept"]) for one in ranking["filter"]["annotators"]] == [(0, True)]
    assert ranking["filter"]["annotators"][0]["reasons"] == {"fit": "no_pairs"}


def test_rankings_have_no_scores_to_compare(tmp_path: Path) -> None:
    campaign = degenerate("ranking", SHAPES["one annotator"], tmp_path)
    with pytest.raises(AnalysisError, match="“wmt26” compares scores"):
        analyse(campaign, recipe="wmt26")
