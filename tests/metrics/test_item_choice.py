"""Segments chosen for a campaign: by scores, outputs or chance, planned, stored, extended, archived and told."""

import json
from dataclasses import replace
from io import StringIO
from typing import Any

from django.core.management import CommandError, call_command

import numpy as np
import pytest

from annotation.actions.adding import add_late_work
from annotation.actions.checked_spec import errors_of
from annotation.actions.creating import create_campaign
from annotation.actions.extending import extend_campaign
from annotation.campaign_spec import CampaignSpec
from annotation.item_choice import ItemRequest, item_chooser
from annotation.models import ChosenSegment, Item, ItemLevel
from annotation.queries.plan_documents import chosen_segments
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, CampaignStatus, Document, Segment, System, TestSet, Translation
from metrics.item_choice import ItemTable
from metrics.item_expectation import curve_of, selection_of
from metrics.results.values import Missing
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.metrics.scored_by_hand import store_metric
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, take
from tests.sample_test_set import SYSTEMS

WOMBAT_SCORES, QUOKKA_SCORES, HUMAN_SCORES = ([0.5, 0.5, 0.5, 0.9, 0.5, 0.2], [0.5, 0.5, 0.4, 0.1, 0.5, 0.9], [0.5] * 6)


@pytest.fixture
def scored(test_set: TestSet) -> TestSet:
    """Outputs differ most on the first and the last segment of the second document."""
    store_metric(test_set, dict(zip(SYSTEMS, (WOMBAT_SCORES, QUOKKA_SCORES, HUMAN_SCORES), strict=True)))
    return test_set


def spec(**more: Any) -> CampaignSpec:
    chosen: dict[str, Any] = {"selection": "variance", "selection_metric": "Sage", "selection_budget": 3}
    return CampaignSpec(**{"name": "Chosen", "protocol": "direct_assessment", "seed": 1, **chosen, **more})


def judged_segments(campaign: Campaign) -> set[tuple[str, str]]:
    items = Item.objects.filter(assignment__campaign=campaign).exclude(level=ItemLevel.CONTEXT)
    return set(items.values_list("segment__document__name", "segment__name"))


def request(test_set: TestSet, **more: Any) -> ItemRequest:
    return ItemRequest(**{"test_set": test_set, "method": "variance", "metric": "Sage", "budget": 3, **more})


def test_a_whole_document_is_chosen_planned_and_stored(scored: TestSet, cast: Cast) -> None:
    campaign = create_campaign(spec=spec(), test_set=scored)
    assert judged_segments(campaign) == {("orchard", "1"), ("orchard", "2"), ("orchard", "3")}
    stored = ChosenSegment.objects.filter(campaign=campaign)
    assert {each.probability for each in stored} == {1.0}
    assert [each.utility for each in stored] == pytest.approx(
        [np.var(scores) for scores in zip(WOMBAT_SCORES, QUOKKA_SCORES, HUMAN_SCORES, strict=True)][3:]
    )
    assert CampaignSpec.of(campaign).selection_budget == 3


def test_single_segments_are_chosen(scored: TestSet, cast: Cast) -> None:
    campaign = create_campaign(spec=spec(selection_of="segments", selection_budget=2), test_set=scored)
    assert judged_segments(campaign) == {("orchard", "1"), ("orchard", "3")}


def test_what_chance_chose_has_its_probability(scored: TestSet, cast: Cast) -> None:
    campaign = create_campaign(
        spec=spec(selection="random", selection_metric="", selection_of="segments", selection_budget=2), test_set=scored
    )
    stored = list(campaign.chosen_segments.values_list("utility", "probability"))
    assert [utility for utility, _probability in stored] == [None, None]
    assert [probability for _utility, probability in stored] == pytest.approx([1 / 3, 1 / 3])
    assert len(judged_segments(campaign)) == 2


def test_an_extension_asks_for_the_same_segments(scored: TestSet, cast: Cast) -> None:
    campaign = create_campaign(spec=spec(), test_set=scored, open=True)
    before = judged_segments(campaign)
    scored.imported_scores.all().delete()
    extend_campaign(campaign=campaign, redundancy=2, by=None)
    assert judged_segments(campaign) == before
    assert Item.objects.filter(assignment__campaign=campaign, assignment__round=1).exists()


def add_late_document(test_set: TestSet, name: str = "late") -> Document:
    """Two segments by every system."""
    document = Document.objects.create(test_set=test_set, name=name, position=90)
    for place in (1, 2):
        segment = Segment.objects.create(document=document, name=str(place), position=place, source=f"Late {place}.")
        Translation.objects.bulk_create(
            Translation(segment=segment, system=system, text=f"Spät {place} {system.name}")
            for system in test_set.systems.filter(stands_for="")
        )
    return document


LATE = {("late", "1"), ("late", "2")}


@pytest.mark.parametrize("planning", ["pool", "static"])
def test_a_document_that_comes_late_is_judged_whole_and_by_what_comes_after_it(
    scored: TestSet, cast: Cast, planning: str
) -> None:
    campaign = create_campaign(spec=spec(planning=planning), test_set=scored, open=True)
    before = judged_segments(campaign)
    add_late_document(scored)
    add_late_work(campaign=campaign, systems=(), documents=["late"], by=None)
    assert judged_segments(campaign) == before | LATE
    assert [each.utility for each in campaign.chosen_segments.filter(segment__document__name="late")] == [None, None]
    system = System.objects.create(test_set=scored, name="latecomer")
    Translation.objects.bulk_create(
        Translation(segment=segment, system=system, text=f"Neu {segment.pk}")
        for segment in Segment.objects.filter(document__test_set=scored)
    )
    add_late_work(campaign=campaign, systems=["latecomer"], documents=(), by=None)
    own = Item.objects.filter(assignment__campaign=campaign, slots__system=system).exclude(level=ItemLevel.CONTEXT)
    assert set(own.values_list("segment__document__name", "segment__name")) == before | LATE
    result = analyse(campaign, analyses=["ranking"])
    assert "items:variance" in result["signature"]


def test_where_all_is_judged_a_late_document_makes_no_choice(scored: TestSet, cast: Cast) -> None:
    campaign = create_campaign(spec=replace(spec(), selection="all"), test_set=scored, open=True)
    add_late_document(scored)
    add_late_work(campaign=campaign, systems=(), documents=["late"], by=None)
    assert chosen_segments(campaign) is None


def test_a_random_choice_with_late_documents_is_not_a_random_part(scored: TestSet, cast: Cast) -> None:
    random = spec(selection="random", selection_metric="", selection_of="segments", selection_budget=2)
    campaign = create_campaign(spec=random, test_set=scored, open=True)
    add_annotator(campaign, cast.annotator)
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, 50)

    def reason() -> str:
        result: str = analyse(campaign, analyses=["assisted"], options={"metric": "Sage"})["analyses"]["assisted"][
            "reason"
        ]
        return result

    assert reason() == "few_documents"
    add_late_document(scored)
    add_late_work(campaign=campaign, systems=(), documents=["late"], by=None)
    campaign.refresh_from_db()
    assert reason() == "not_random"


def test_a_campaign_that_judges_all_has_no_choice(scored: TestSet, cast: Cast) -> None:
    campaign = create_campaign(spec=replace(spec(), selection="all"), test_set=scored)
    assert chosen_segments(campaign) is None
    assert "selection_signature" not in campaign.plan_options


@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"selection_metric": ""}, "selection_metric", "Name the metric"),
        ({"selection_metric": "Rose"}, "selection_metric", "There are: Sage"),
        ({"selection_budget": None}, "selection_budget", "Enter how much"),
        ({"selection": "best"}, "selection", "Choose one of all, random"),
        ({"protocol": "cesa", "selection_of": "segments"}, "selection_of", "Choose whole documents"),
    ],
)
def test_what_cannot_be_chosen_is_refused(scored: TestSet, changed: dict[str, Any], field: str, words: str) -> None:
    assert words in errors_of(spec(**changed), scored)[field][0]


def test_a_metric_and_a_budget_that_are_missing_are_told_together(scored: TestSet) -> None:
    assert {"selection_metric", "selection_budget"} <= set(
        errors_of(spec(selection_metric="", selection_budget=None), scored)
    )


def test_words_are_not_counted_where_they_are_not_spaced(scored: TestSet) -> None:
    TestSet.objects.update(source_language="ja")
    scored.refresh_from_db()
    assert "blanks" in errors_of(spec(selection_unit="words"), scored)["selection_unit"][0]


def test_a_budget_too_small_for_a_document_is_refused(scored: TestSet) -> None:
    with pytest.raises(InvalidInput, match="no document fits"):
        create_campaign(spec=spec(selection_budget=2), test_set=scored)
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("method", ["average", "consistency", "diversity-unigram", "diversity-chrf"])
@pytest.mark.parametrize("unit", ["segments", "words", "seconds"])
def test_every_method_spends_no_more_than_its_budget(scored: TestSet, method: str, unit: str) -> None:
    budget = {"segments": 4, "words": 25, "seconds": 600}[unit]
    table = ItemTable(
        request(
            scored, method=method, unit=unit, budget=budget, systems=SYSTEMS, whole="segments", seconds_per_output=30
        )
    )
    chosen = table.chosen(budget)
    costs = np.ones(6) if table.costs is None else table.costs
    assert 0 < costs[chosen].sum() <= budget
    assert item_chooser().choose(table.request).probabilities.keys() == {
        key for key, is_chosen in zip(table.ids, chosen, strict=True) if is_chosen
    }


def test_what_to_expect_compares_with_chance(scored: TestSet) -> None:
    table = ItemTable(request(scored, whole="segments", budget=6))
    expected = selection_of(table).expected
    assert (expected.segments, expected.documents) == (6, 2)
    assert (expected.pairwise_accuracy, expected.random) == (1.0, 1.0)
    assert expected.clusters == Missing("few_documents")
    assert [each.segments for each in curve_of(table)][-1] == 6


def test_without_scores_nothing_is_expected(test_set: TestSet) -> None:
    expected = selection_of(ItemTable(request(test_set, method="diversity-unigram", metric=""))).expected
    assert expected.pairwise_accuracy == expected.random == Missing("no_scores")


def test_results_say_that_what_was_judged_was_chosen(scored: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(scored, cast, **vars_of(spec()))
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, 60)
    result = analyse(campaign)
    assert "chosen_items" in result["analyses"]["ranking"]["notes"]
    assert "|items:variance,metric-Sage,3-segments,documents" in result["signature"]


def test_results_of_a_random_choice_need_no_warning(scored: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(scored, cast, **vars_of(spec(selection="random", selection_metric="")))
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, 60)
    result = analyse(campaign)
    assert "chosen_items" not in result["analyses"]["ranking"]["notes"]
    assert "|items:random,3-segments" in result["signature"]


def vars_of(chosen: CampaignSpec) -> dict[str, Any]:
    return {name: value for name, value in chosen.as_json().items() if name.startswith("selection")}


def test_a_campaign_is_closed_and_its_choice_stays(scored: TestSet, cast: Cast) -> None:
    campaign = create_campaign(spec=spec(), test_set=scored)
    Campaign.objects.update(status=CampaignStatus.CLOSED)
    orchard = Segment.objects.filter(document__name="orchard").values_list("pk", flat=True)
    assert set(chosen_segments(campaign) or ()) == set(orchard)


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("choose_items", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_names_what_it_chooses(scored: TestSet) -> None:
    base = (scored.name, "--method=variance", "--metric=Sage", "--budget=3")
    assert command(*base) == "orchard\t1\norchard\t2\norchard\t3\n"
    result = json.loads(command(*base, "--json", "--curve"))
    assert (result["method"], result["metric"], result["budget"]) == ("variance", "Sage", 3)
    assert [each["chosen"] for each in result["segments"]] == [False] * 3 + [True] * 3
    assert set(result["expected"]) >= {"pairwise_accuracy", "random"}
    assert result["curve"][-1]["segments"] == 6
    assert "pairwise_accuracy" in command(*base, "--curve")


def test_the_command_refuses_what_cannot_be(scored: TestSet) -> None:
    for arguments, words in (
        (("--metric=Rose", "--budget=3"), "There are: Sage"),
        (("--metric=Sage", "--budget=0"), "from 1"),
        (("--metric=Sage", "--budget=3", "--system=Rook"), "Not in this test set: Rook"),
    ):
        with pytest.raises(CommandError, match=words):
            command(scored.name, "--method=variance", *arguments)
