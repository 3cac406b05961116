"""A race that ran to its end: who dropped out and when, what was drawn, and what is told of it."""

from django.test import TestCase

import pytest

from annotation.models import Assignment, DrawnScreen, Judgment, RaceLook, RaceSystem
from annotation.queries.progress import progress_of
from campaigns.models import AuditEntry, Campaign, TestSet
from jobs.actions import perform_now
from metrics.methods.facts import facts_of
from metrics.methods.sentences import sentences
from tests.cast import Cast
from tests.metrics.racing_campaign import BAD, CLOSE, GOOD, allocation_of, judge_documents, make_race, shown_to, states
from tests.rows_made_once import made_once

pytestmark = pytest.mark.django_db
PLANNED = 120  # three systems on forty documents


def make_finished(_test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_race(cast)
    assert progress_of(campaign).total == PLANNED
    judge_documents(campaign, list(cast.annotators), TestCase.captureOnCommitCallbacks)
    return campaign


stored, cast, test_set, race = made_once(make_finished)


def test_a_bad_system_drops_out_and_is_not_shown_any_more(race: Campaign) -> None:
    look = RaceLook.objects.earliest("documents")
    assert look.documents == 20
    assert states(race) == {BAD: False, GOOD: True, CLOSE: True}
    dropped = RaceSystem.objects.get(system__name=BAD)
    assert dropped.dropped_after == 20
    judged = Judgment.objects.filter(item__slots__system__name=BAD).count()
    assert 20 <= judged <= 24  # work in hand was finished
    last = list(Assignment.objects.filter(campaign=race, status="done").order_by("-round")[:10])
    assert shown_to(last) == {GOOD, CLOSE}
    assert progress_of(race).total == PLANNED - (40 - judged)
    assert AuditEntry.objects.get(action="race_system_dropped").detail == {"system": BAD, "documents": 20}


def test_what_was_drawn_is_recorded_with_its_probability(race: Campaign) -> None:
    rows = DrawnScreen.objects.order_by("pk")
    first, last = rows[0], rows[rows.count() - 1]
    assert first.propensities == {BAD: 1.0, GOOD: 1.0, CLOSE: 1.0}
    assert last.propensities == {GOOD: 1.0, CLOSE: 1.0}
    assert (first.document_propensity, last.document_propensity) == (2 / 40, 1.0)
    judged = set(Judgment.objects.values_list("item__assignment", "item__document", "item__slots__system"))
    assert judged == set(rows.values_list("assignment", "document", "system"))


def test_the_analysis_says_who_leads_who_is_out_and_what_was_saved(race: Campaign) -> None:
    result = allocation_of(race)
    assert {name: result[name] for name in ("question", "alpha", "stop", "status")} == {
        "question": "best",
        "alpha": 0.05,
        "stop": False,
        "status": "running",
    }
    systems = {each["system"]: each for each in result["systems"]}
    assert {name: each["state"] for name, each in systems.items()} == {GOOD: "leads", CLOSE: "in", BAD: "dropped"}
    assert systems[BAD]["propensity"] == 0
    assert systems[GOOD]["documents"] == 40
    assert systems[BAD]["documents"] == Judgment.objects.filter(item__slots__system__name=BAD).count()
    assert result["saved"] == 40 - systems[BAD]["documents"]
    assert [look["documents"] for look in result["looks"]] == [20, 26, 32, 38, 40]


def test_a_late_change_of_mind_makes_a_drop_doubtful_and_reverses_nothing(race: Campaign) -> None:
    for judgment in Judgment.objects.filter(item__slots__system__name=BAD):
        judgment.scores.update(value=86)  # as a revision leaves it
    systems = {each["system"]: each for each in allocation_of(race)["systems"]}
    assert (systems[BAD]["state"], systems[BAD]["is_doubtful"]) == ("dropped", True)


def test_the_methods_paragraph_tells_the_rule_and_who_was_dropped(race: Campaign) -> None:
    run = perform_now(kind="analysis", campaign=race, arguments={"options": {"resamples": 40}})
    facts = facts_of(run)
    assert facts is not None
    told = [each for each in sentences(facts) if "dropped" in each.lower()]
    assert told == [
        "Systems were dropped during the evaluation to find the best system: documents were judged in random order "
        "with all systems still in the race; 5 looks compared document means by an asymptotic confidence sequence "
        "({waudby-smith-2024-time}), corrected for the number of comparisons, with a risk of 5% over all looks.",
        f"Dropped were, with the number of documents: {BAD} after 20.",
    ]
