"""A campaign in the database, analysed."""

import json
from datetime import datetime

from django.utils import timezone

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.models import Assignment, AssignmentStatus, Exclusion, Item
from campaigns.models import Campaign, CampaignStatus, Document, Membership, TestSet
from metrics.analyses import ANALYSES, NEEDS, ON_REQUEST, check_request, gather
from metrics.recipes import RECIPES, AnalysisError
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.metrics.sample_judgments import judge_assignment, judge_item
from tests.rows_made_once import made_once
from tests.sample_assignment import make_assignment
from tests.sample_campaign import make_campaign
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

USUAL = set(ANALYSES) - set(NEEDS) - ON_REQUEST - {"correlation", "allocation"}


def judge_all(test_set: TestSet, cast: Cast) -> Campaign:
    """Two annotators on three systems: the wombat 20 above the quokka, the human 10 above the wombat."""
    campaign = make_campaign(test_set, cast, name="Judged campaign")
    for annotator, base in zip(cast.annotators, (10, 50), strict=True):
        for name, better in ((WOMBAT, 20), (QUOKKA, 0), (HUMAN, 30)):
            assignment = make_assignment(campaign, annotator, system=campaign.systems.get(name=name))
            judge_assignment(assignment, [base + better + step for step in range(6)])
            Assignment.objects.filter(pk=assignment.pk).update(done=6, status=AssignmentStatus.DONE)
    return campaign


stored, cast, test_set, judged = made_once(judge_all)


def test_the_result_has_what_is_promised(judged: Campaign) -> None:
    result = analyse(judged)
    assert set(result) == {"campaign", "name", "signature", "recipe", "judgments", "analyses"}
    assert result["campaign"] == judged.slug
    assert result["recipe"] == "assay"
    assert result["judgments"] == 36
    assert set(result["analyses"]) == USUAL
    ranking = result["analyses"]["ranking"]
    assert [entry["system"] for entry in ranking["systems"]] == [HUMAN, WOMBAT, QUOKKA]
    assert [entry["mean"] for entry in ranking["systems"]] == [62.5, 52.5, 32.5]
    assert ranking["too_early"] is None
    assert [entry["annotator"] for entry in result["analyses"]["annotators"]] == ["anna", "ben"]


def test_the_result_is_json_without_nan(judged: Campaign) -> None:
    assert json.loads(json.dumps(analyse(judged), allow_nan=False)) == analyse(judged)


def test_only_the_requested_analyses(judged: Campaign) -> None:
    assert set(analyse(judged, analyses=["annotators"])["analyses"]) == {"annotators"}
    assert set(analyse(judged, analyses=None)["analyses"]) == set(ANALYSES) - set(NEEDS) - ON_REQUEST - {
        "correlation",
        "allocation",
    }


def test_a_decision_is_tried_out_and_changes_nothing(judged: Campaign, cast: Cast) -> None:
    tried = analyse(judged, analyses=["exclusion"], options={"without": ["anna"]})
    assert "|without:anna|" in tried["signature"]
    assert tried["analyses"]["exclusion"]["annotators"] == [2, 1]
    assert not Exclusion.objects.exists()
    Exclusion.objects.create(campaign=judged, annotator=cast.annotator, reason="Always 50.")
    back = analyse(judged, analyses=["exclusion"], options={"readmitted": ["anna"]})["analyses"]["exclusion"]
    assert back["annotators"] == [1, 2]
    means = {entry["system"]: entry["mean"] for entry in back["systems"]}
    assert means == {entry["system"]: entry["mean"][::-1] for entry in tried["analyses"]["exclusion"]["systems"]}


def test_who_does_not_judge_here_cannot_be_left_out(judged: Campaign) -> None:
    with pytest.raises(AnalysisError, match="Not an annotator of this campaign: “nobody”, “sasha”"):
        analyse(judged, options={"without": ["sasha", "nobody", "anna"]})


@pytest.mark.parametrize("gone", [{"removed_at": timezone.now()}, {"withdrawn_at": timezone.now()}])
def test_who_left_without_a_judgment_cannot_be_left_out(
    campaign: Campaign, cast: Cast, gone: dict[str, datetime]
) -> None:
    place = Membership.objects.filter(campaign=campaign, account=cast.annotator)
    check_request(campaign, options={"without": ["anna"]})
    place.update(consented_at=None, **gone)
    with pytest.raises(AnalysisError, match="Not an annotator of this campaign: “anna”"):
        check_request(campaign, options={"without": ["anna"]})


def test_who_organises_alone_cannot_be_left_out(campaign: Campaign) -> None:
    with pytest.raises(AnalysisError, match="Not an annotator of this campaign: “olive”"):
        check_request(campaign, options={"without": ["olive"]})


def test_an_analysis_of_a_measure_the_campaign_has_not_is_refused(judged: Campaign) -> None:
    with pytest.raises(AnalysisError, match="Unknown analysis “post_editing”"):
        analyse(judged, analyses=["post_editing"])


def test_recipe_and_options_reach_the_numbers_and_the_signature(judged: Campaign) -> None:
    result = analyse(judged, recipe="wmt-crowd", options={"seed": 3})
    assert result["recipe"] == "wmt-crowd"
    assert "seed:3" in result["signature"]
    assert result["analyses"]["ranking"]["ordered_by"] == {"score": "z"}


def test_standing_exclusions_count_and_lifted_ones_do_not(judged: Campaign, cast: Cast) -> None:
    exclusion = Exclusion.objects.create(campaign=judged, annotator=cast.annotator, reason="fast")
    result = analyse(judged)
    assert result["judgments"] == 18
    assert "excluded:1" in result["signature"]
    assert result["analyses"]["ranking"]["systems"][0]["mean"] == 82.5
    assert [entry["included"] for entry in result["analyses"]["annotators"]] == [False, True]
    exclusion.lifted_at = exclusion.decided_at
    exclusion.save(update_fields=["lifted_at"])
    assert analyse(judged)["judgments"] == 36


def test_document_scores_are_read_where_the_campaign_asks_them(judged: Campaign, cast: Cast) -> None:
    judged.options = {"document_scores": True}
    judged.save(update_fields=["options"])
    document = Document.objects.get(test_set=judged.test_set, name="orchard")
    for system in judged.systems.all():
        item = Item.objects.create(
            assignment=make_assignment(judged, cast.annotator, system=system),
            position=7,
            document=document,
            level="document",
        )
        item.slots.create(label="A", system=system)
        judge_item(item, 40 + len(system.name))
    result = analyse(judged)
    assert result["judgments"] == 39
    assert {entry["measure"] for entry in result["analyses"]["ranking"]["systems"]} == {"score"}
    apart = result["analyses"]["ranking"]["documents"]["systems"]
    assert {entry["measure"] for entry in apart} == {"document_score"}
    assert len(apart) == 3


def test_a_campaign_hardly_begun_is_too_early(campaign: Campaign, cast: Cast) -> None:
    systems = list(campaign.systems.order_by("name"))
    begun = [make_assignment(campaign, cast.annotator, system=system) for system in systems]
    Assignment.objects.filter(campaign=campaign).update(total=60)
    for assignment in begun:
        judge_item(assignment.items.select_related("assignment__annotator", "document").get(position=1), 50)
    early = analyse(campaign)["analyses"]["ranking"]["too_early"]
    assert early == {"reason": "too_little_of_plan", "judgments": 3, "needed": 18}


def test_nothing_more_is_planned_of_a_closed_campaign_or_assignment(judged: Campaign) -> None:
    recipe = RECIPES["assay"]
    assert gather(judged, recipe).planned == 36
    Assignment.objects.filter(campaign=judged, position=1).update(status=AssignmentStatus.CLOSED, done=4)
    assert gather(judged, recipe).planned == 34
    Assignment.objects.filter(campaign=judged, position=1).update(status=AssignmentStatus.ARCHIVED)
    assert gather(judged, recipe).planned == 30
    judged.status = CampaignStatus.CLOSED
    assert gather(judged, recipe).planned is None


def test_progress_rises_to_one(judged: Campaign) -> None:
    shares: list[float] = []

    def report(share: float, note: str = "", /) -> None:
        shares.append(share)

    analyse(judged, on_progress=report)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) > 2


def test_a_request_that_cannot_be_met_reads_nothing(
    judged: Campaign, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0), pytest.raises(AnalysisError, match=r"prophecy.+horoscope"):
        analyse(judged, analyses=["prophecy", "horoscope", "ranking"])
    with django_assert_num_queries(0), pytest.raises(AnalysisError, match="guess"):
        analyse(judged, options={"test": "guess"})
