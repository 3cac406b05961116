"""The difference that a plan can detect, as the new-campaign page shows it, and what it rests on."""

from typing import Any

import pytest

from annotation.planning.options import PlanningOptions
from annotation.planning.sums import PlanCounts
from annotation.protocols import PROTOCOLS
from campaigns.models import Account, Campaign, TestSet
from jobs.actions import perform_now
from jobs.models import RunPart
from metrics.plan_estimate import detectable_by, difference_by_pilot, difference_by_plan, newest_pilot
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

COUNTS = PlanCounts(documents=120, segments=1200, systems=8)


def sentences(protocol: str, counts: PlanCounts, account: Account) -> list[str]:
    detectable = detectable_by(PROTOCOLS[protocol].with_options({}), counts, options(), account)
    return detectable.sentences if detectable else []


def options(**values: Any) -> PlanningOptions:
    return PlanningOptions(**{"redundancy": 2, "items_per_assignment": 100, **values})


def test_more_judgments_detect_smaller_differences_and_clusters_cost_some() -> None:
    plan: dict[str, Any] = {"deviation": 20.0, "redundancy": 1, "segments_per_document": 1.0}
    few, many = (difference_by_plan(judgments, **plan) for judgments in (1570, 6280))
    assert few == pytest.approx(2.0, abs=1e-3), "a tenth of a deviation by 1,570 judgments, as in the textbook"
    assert many == pytest.approx(few / 2)
    assert difference_by_plan(1570, **{**plan, "segments_per_document": 10}) > few
    assert difference_by_plan(1570, **{**plan, "redundancy": 3}) > few


def test_a_pilot_of_the_same_size_tells_its_own_intervals() -> None:
    result = difference_by_pilot(400, half_width=1.96, pilot_judgments=400)
    assert result == pytest.approx(2.8016 * 2**0.5, rel=1e-3)
    assert difference_by_pilot(1600, half_width=1.96, pilot_judgments=400) == pytest.approx(result / 2)


@pytest.mark.parametrize(
    ("protocol", "unit"),
    [
        ("direct_assessment", "points."),
        ("mqm", "penalty points."),
        ("likert", "points."),
        ("post_editing", "percentage points."),
        ("ranking", "percentage points."),
        ("gisting", "percentage points."),
    ],
)
def test_the_unit_is_that_of_the_protocol(cast: Cast, protocol: str, unit: str) -> None:
    enough, rests_on = sentences(protocol, COUNTS, cast.organiser)
    assert enough.startswith("Minimum detectable difference between two systems: about ")
    assert enough.endswith(unit)
    assert "published campaigns" in rests_on


def test_a_plan_that_can_tell_nothing_promises_no_number(cast: Cast) -> None:
    tiny = PlanCounts(documents=1, segments=3, systems=2)
    enough, _rests_on = sentences("ranking", tiny, cast.organiser)
    assert enough == "Not enough to tell systems apart. Plan more documents, or more judgments per segment."


def test_one_system_has_no_difference_to_detect(cast: Cast) -> None:
    one = PlanCounts(documents=120, segments=1200, systems=1)
    assert sentences("esa", one, cast.organiser) == []


@pytest.fixture
def analysed(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_planned_campaign(test_set, cast)
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        judge(item, 40 + 3 * number)
    run = perform_now(kind="analysis", campaign=campaign, arguments={})
    part = RunPart.objects.get(run=run, name="ranking")
    part.result["too_early"] = None
    part.save()
    return campaign


def test_a_campaign_of_ones_own_is_the_pilot_of_the_next(analysed: Campaign, cast: Cast) -> None:
    _enough, rests_on = sentences("direct_assessment", COUNTS, cast.organiser)
    assert f"your campaign “{analysed.name}”" in rests_on
    _enough, for_others = sentences("direct_assessment", COUNTS, cast.stranger)
    assert analysed.name not in for_others


def test_what_was_too_early_is_no_pilot(analysed: Campaign) -> None:
    part = RunPart.objects.get(name="ranking")
    part.result["too_early"] = {"reason": "too_few_per_system", "judgments": 1, "needed": 10}
    part.save()
    assert newest_pilot(Campaign.objects.all(), analysed.protocol) is None
