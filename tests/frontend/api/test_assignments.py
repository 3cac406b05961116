"""My assignments, and the next one."""

from collections.abc import Callable

from annotation.actions.status import set_status
from annotation.models import Assignment
from campaigns.models import Campaign
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session
from tests.planned_campaign import add_annotator, items_to_judge, judge

NEXT = "campaigns/planned-campaign/assignments"


def test_nobody_has_any_at_first(anna: ApiAnnotator) -> None:
    response = anna.get("assignments")
    assert (response.status_code, response.json()) == (200, {"results": []})


def test_the_next_one_is_handed_out(anna: ApiAnnotator) -> None:
    response = anna.post(NEXT)
    assert response.status_code == 201
    handed_out = response.json()
    assert handed_out == {
        "id": Assignment.objects.get().pk,
        "campaign": "planned-campaign",
        "protocol": "direct_assessment",
        "status": "open",
        "done": 0,
        "total": 17,
    }
    assert anna.get("assignments").json() == {"results": [handed_out]}


def test_asked_again_it_is_the_same(anna: ApiAnnotator) -> None:
    assert anna.take() == anna.take()


def test_two_annotators_get_two(plan_campaign: Callable[..., Campaign], cast: Cast) -> None:
    plan_campaign(items_per_assignment=6)
    first, second = (by_session(person).take() for person in cast.annotators)
    assert first != second


def test_when_nothing_is_left_the_answer_is_empty(anna: ApiAnnotator, cast: Cast) -> None:
    anna.take()
    response = by_session(cast.second_annotator).post(NEXT)
    assert (response.status_code, response.content) == (204, b"")


def test_a_campaign_that_is_not_open_hands_out_nothing(anna: ApiAnnotator, planned: Campaign) -> None:
    for status in ("paused", "closed"):
        set_status(campaign=planned, status=status, by=None)
        assert anna.post(NEXT).status_code == 204


def test_a_campaign_that_does_not_exist_is_not_found(anna: ApiAnnotator) -> None:
    assert anna.post("campaigns/no-such/assignments").status_code == 404


def test_progress_is_in_the_list(anna: ApiAnnotator, planned: Campaign) -> None:
    taken = Assignment.objects.get(pk=anna.take())
    for item in items_to_judge(taken):
        judge(item)
    (listed,) = anna.get("assignments").json()["results"]
    assert (listed["status"], listed["done"], listed["total"]) == ("done", 17, 17)


def test_assignments_of_several_campaigns_are_told_apart(
    anna: ApiAnnotator, plan_campaign: Callable[..., Campaign], cast: Cast
) -> None:
    plan_campaign(name="Other campaign")
    anna.take()
    anna.take("other-campaign")
    assert {row["campaign"] for row in anna.get("assignments").json()["results"]} == {
        "planned-campaign",
        "other-campaign",
    }


def test_an_organiser_who_judges_too_is_an_annotator(planned: Campaign, cast: Cast) -> None:
    add_annotator(planned, cast.organiser)
    assert by_session(cast.organiser).take()
