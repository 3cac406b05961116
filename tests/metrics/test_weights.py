"""Weights of one's own: what may be written, and that they rank as profiles do."""

import pytest

from campaigns.models import TestSet
from metrics.models import DerivedScore
from metrics.recipes import AnalysisError, recipe_for
from metrics.statistics.mqm import WEIGHTS
from metrics.weights import WeightsError, own_weights, weights_named
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.metrics.marked_errors import COMMA, GRAVE, SMALL, make_mqm, mark_by_system
from tests.planned_campaign import take

LIKE_WMT2021 = (
    "neutral=0,minor=1,major=5,critical=5,minor fluency/punctuation=0.1,"
    "minor non-translation=25,major non-translation=25,critical non-translation=25"
)
FEW = {"resamples": "50", "interval_resamples": "50"}


def test_a_profile_is_found_by_its_name_and_nothing_is_the_usual_one() -> None:
    assert weights_named("mqm-core") is WEIGHTS["mqm-core"]
    assert weights_named(None) is WEIGHTS["wmt2021"]


def test_equal_weights_have_one_name_in_whatever_order_they_were_written() -> None:
    first = weights_named("major=4, minor=2,Non-translation!=30")
    second = weights_named("non-translation=30.00,minor=2,major=4")
    assert first.name == second.name == "neutral=0,minor=2,major=4,critical=5,non-translation=30"
    assert weights_named(first.name) == first


def test_a_category_weighs_more_than_its_severity_and_less_than_both_together() -> None:
    weights = weights_named("minor=1,style=3,minor style/awkward=0.25")
    values = [weights.of(category, "minor") for category in ("accuracy", "style/register", "style/awkward")]
    assert values == [1, 3, 0.25]


@pytest.mark.parametrize(
    "text", ["heavy", "minor", "minor=x", "minor=-1", "minor=0.125", "minor=1001", "grave accuracy=2", "a|b=1"]
)
def test_what_cannot_be_read_is_an_error(text: str) -> None:
    with pytest.raises(WeightsError):
        weights_named(text)
    with pytest.raises(AnalysisError):
        recipe_for("mqm", None, {"weights": text})


def test_no_entry_at_all_is_the_usual_profile_by_severity() -> None:
    assert own_weights({}).by_severity == WEIGHTS["wmt2021"].by_severity


def test_own_weights_rank_as_a_profile_that_says_the_same_and_leave_every_row_as_it_was(
    test_set: TestSet, cast: Cast
) -> None:
    campaign = make_mqm(test_set, cast)
    first, second, *_rest = campaign.systems.order_by("name").values_list("name", flat=True)
    mark_by_system(take(campaign, cast.annotator), {first: [GRAVE], second: [SMALL, COMMA, COMMA, COMMA]})
    usual = analyse(campaign, options=FEW)["analyses"]
    stored = set(DerivedScore.objects.values_list("pk", "value"))
    alike = analyse(campaign, options={**FEW, "weights": LIKE_WMT2021})
    assert alike["analyses"]["ranking"] == usual["ranking"]
    turned = analyse(campaign, options={**FEW, "weights": "minor=9,major=1"})
    penalties = {entry["system"]: entry["penalty"] for entry in turned["analyses"]["errors"]["systems"]}
    assert (penalties[first], penalties[second]) == (1, 36)
    assert "weights:neutral=0,minor=9,major=1,critical=5|" in turned["signature"]
    assert set(DerivedScore.objects.values_list("pk", "value")) == stored
