"""The spans of a metric as suggestions: what annotators start from, and every reason why not."""

import json
from typing import Any

from django.core.management import CommandError, call_command

import pytest

from annotation.models import Draft
from annotation.protocols import protocol_for
from annotation.queries.suggestions import unfit_suggestions
from campaigns.invalid_input import InvalidInput
from campaigns.models import AuditEntry, Campaign, SuggestedSpan, TestSet, Translation
from metrics.actions.suggesting import SuggestedByMetric, suggest_spans, suggesting_metrics
from tests.cast import Cast
from tests.frontend.api.api_annotator import by_session
from tests.metrics.segments.stored_marks import store_marks
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

pytestmark = pytest.mark.django_db
XCOMET = "comet:xcomet-xl"
FERRY = "Die Fähre fuhr eine Stunde zu spät ab."


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, protocol="esa", options={})


@pytest.fixture
def ferry(test_set: TestSet) -> Translation:
    """With three errors by the metric, one worse than the campaign has."""
    translation = Translation.objects.get(text=FERRY)
    store_marks(translation, XCOMET, (27, 34, "critical"), (0, 3, "minor"), (4, 9, "major"))
    return translation


def refusals(campaign: Campaign, metric: str = XCOMET) -> dict[str, list[str]]:
    with pytest.raises(InvalidInput) as refused:
        suggest_spans(campaign=campaign, metric=metric, by=None)
    return refused.value.errors


def test_annotators_start_from_the_spans_and_are_not_told_whose_they_are(
    campaign: Campaign, ferry: Translation, cast: Cast
) -> None:
    outputs = Translation.objects.filter(system__campaigns=campaign, text__isnull=False).count()
    suggested = suggest_spans(campaign=campaign, metric=XCOMET, by=cast.organiser)
    assert suggested == SuggestedByMetric(XCOMET, spans=3, outputs=1, unscored=outputs - 1, milder=1)
    campaign.refresh_from_db()
    assert campaign.options["suggestions"] is True
    assert unfit_suggestions(campaign.test_set, protocol_for(campaign.protocol, campaign.options)) == 0
    page = by_session(cast.annotator)
    items = page.every_item(page.take())
    shown = {item["slots"][0]["text"]: item["suggested"] for item in items}
    assert [(one["start"], one["end"], one["severity"]) for one in shown.pop(FERRY)] == [
        (0, 3, "minor"),
        (4, 9, "major"),
        (27, 34, "major"),
    ]
    assert not any(shown.values())
    assert "xcomet" not in json.dumps(items)
    entry = AuditEntry.objects.get(action="spans_suggested")
    assert (entry.actor, entry.campaign, entry.detail) == (cast.organiser, campaign, {"metric": XCOMET, "spans": 3})


def test_blanks_around_what_is_marked_are_not_suggested(campaign: Campaign) -> None:
    store_marks(Translation.objects.get(text=FERRY), XCOMET, (3, 10, "minor"), (14, 15, "major"))
    assert suggest_spans(campaign=campaign, metric=XCOMET, by=None).spans == 1
    assert SuggestedSpan.objects.values_list("start", "end").get() == (4, 9)


def test_a_second_time_is_refused(campaign: Campaign, ferry: Translation) -> None:
    suggest_spans(campaign=campaign, metric=XCOMET, by=None)
    assert suggesting_metrics(campaign) == []
    assert refusals(campaign)["campaign"] == ["The test set has suggestions already: 3. They stay as they are."]
    assert SuggestedSpan.objects.count() == 3


def test_what_came_with_the_test_set_stays(campaign: Campaign, ferry: Translation) -> None:
    SuggestedSpan.objects.create(translation=ferry, start=0, end=3, severity="minor")
    assert "suggestions already: 1" in refusals(campaign)["campaign"][0]
    campaign.refresh_from_db()
    assert not campaign.options.get("suggestions")


@pytest.mark.parametrize("is_draft", [True, False])
def test_nobody_may_have_begun(campaign: Campaign, ferry: Translation, cast: Cast, is_draft: bool) -> None:
    item = items_to_judge(take(campaign, cast.annotator))[0]
    assert suggesting_metrics(campaign) == [XCOMET]
    answer: dict[str, Any] = {"slots": {"A": {"spans": [], "score": 80}}, "comment": "", "cannot_judge": None}
    if is_draft:
        Draft.objects.create(item=item, answer=answer)
    else:
        judge(item, payload=answer)
    assert "have begun without suggestions" in refusals(campaign)["campaign"][0]
    assert suggesting_metrics(campaign) == []
    assert not SuggestedSpan.objects.exists()


def test_all_reasons_come_together(campaign: Campaign, cast: Cast, test_set: TestSet) -> None:
    Draft.objects.create(item=items_to_judge(take(campaign, cast.annotator))[0], answer={})
    errors = refusals(campaign, "comet:unknown")
    assert set(errors) == {"campaign", "metric"}
    assert "No spans of “comet:unknown” are stored" in errors["metric"][0]
    assessed = make_planned_campaign(test_set, cast, name="Assessed")
    assert "do not start from suggestions" in refusals(assessed)["campaign"][0]


def test_texts_that_changed_are_scored_again_first(campaign: Campaign, ferry: Translation) -> None:
    Translation.objects.filter(pk=ferry.pk).update(text="Die Fähre kam.")
    assert refusals(campaign)["metric"] == [
        "Outputs whose texts or references changed since “comet:xcomet-xl” scored them: 1. Score the test set again."
    ]


def test_a_metric_that_marked_nothing_suggests_nothing(campaign: Campaign) -> None:
    store_marks(Translation.objects.get(text=FERRY), XCOMET)
    assert refusals(campaign)["metric"] == ["“comet:xcomet-xl” marked no errors in this test set."]


def test_the_command_prints_the_counts_and_says_why_not(
    campaign: Campaign, ferry: Translation, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("suggest_spans", campaign.slug, "--metric", XCOMET, "--json")
    assert json.loads(capsys.readouterr().out)["spans"] == 3
    with pytest.raises(CommandError, match="suggestions already"):
        call_command("suggest_spans", campaign.name, "--metric", XCOMET)
