"""What an organiser can do about one annotator's work, and that nobody else can."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.actions.decisions import exclude_annotator
from annotation.models import Assignment, AssignmentStatus, Exclusion, Judgment
from campaigns.models import Account, Campaign, TestSet
from tests.cast import Cast, make_person
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, take

ClientOf = Callable[[Account], Client]


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, redundancy=3)


@pytest.fixture
def assignment(campaign: Campaign, cast: Cast) -> Assignment:
    """Anna's, with two judged."""
    taken = take(campaign, cast.annotator)
    for item in items_to_judge(taken)[:2]:
        judge(item, 63, active_ms=12_000)
    return taken


def at(campaign: Campaign, page: str = "", annotator: str = "anna") -> str:
    return f"/campaigns/{campaign.slug}/annotators/{annotator}/{page}"


def pages(assignment: Assignment) -> list[str]:
    return ["", "leave-out/", f"assignments/{assignment.pk}/reassign/", f"assignments/{assignment.pk}/reset/"]


def test_only_the_organiser_sees_and_acts(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    for page in [*pages(assignment), "take-back/"]:
        for other in (cast.researcher, cast.annotator, cast.stranger):
            assert client_of(other).get(at(campaign, page)).status_code in (404, 405), (other, page)
            response = client_of(other).post(at(campaign, page), {"reason": "x", "to": ""})
            assert response.status_code in (404, 405), (other, page)
        assert Client().post(at(campaign, page))["Location"].startswith("/sign-in/")
    for page in pages(assignment):
        assert client_of(cast.organiser).get(at(campaign, page)).status_code == 200, page
    assignment.refresh_from_db()
    assert assignment.status == AssignmentStatus.OPEN
    assert not Exclusion.objects.exists()


def test_a_look_changes_nothing(campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf) -> None:
    before = list(Assignment.objects.order_by("pk").values())
    for page in pages(assignment):
        client_of(cast.organiser).get(at(campaign, page))
    assert list(Assignment.objects.order_by("pk").values()) == before
    assert client_of(cast.organiser).get(at(campaign, "take-back/")).status_code == 405


@pytest.mark.parametrize("name", ["sasha", "olive", "nobody"])
def test_who_does_not_judge_here_has_no_page(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf, name: str
) -> None:
    other = make_planned_campaign(test_set, cast, name="Other")
    add_annotator(other, cast.stranger)
    take(other, cast.stranger)
    assert client_of(cast.organiser).get(at(campaign, annotator=name)).status_code == 404


def test_another_ones_assignment_is_not_found(
    campaign: Campaign, assignment: Assignment, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.organiser)
    other = make_planned_campaign(test_set, cast, name="Other")
    page = f"assignments/{assignment.pk}/reset/"
    assert client.post(at(other, page)).status_code == 404
    assert client.post(at(campaign, page, annotator="ben")).status_code == 404
    assert client.post(at(campaign, f"assignments/{2**70}/reset/")).status_code == 404


def test_the_page_lists_assignments_and_newest_answers(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    page = client_of(cast.organiser).get(at(campaign)).content.decode()
    assert f"2 of {assignment.total}" in page
    assert page.count('score <b class="num">63</b>') >= 2
    assert "12 s" in page
    empty = client_of(cast.organiser).get(at(campaign, annotator="ben")).content.decode()
    assert "None yet." in empty
    assert "No answer yet." in empty


def test_the_page_costs_the_same_for_many_answers(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    def cost() -> int:
        client = client_of(cast.organiser)
        with CaptureQueriesContext(connection) as queries:
            client.get(at(campaign))
        return len(queries)

    before = cost()
    for item in items_to_judge(assignment)[2:8]:
        judge(item)
    assert cost() == before <= 10


def test_the_rest_goes_to_whoever_asks_next(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    response = client_of(cast.organiser).post(at(campaign, f"assignments/{assignment.pk}/reassign/"), {"to": ""})
    assert response["Location"] == at(campaign)
    assignment.refresh_from_db()
    assert (assignment.done, assignment.total) == (2, 2)
    assert assignment.returned_at
    rest = campaign.assignments.order_by("-position")[0]
    assert rest.status == AssignmentStatus.PLANNED


def test_the_rest_goes_to_somebody_by_name(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    client, address = client_of(cast.organiser), at(campaign, f"assignments/{assignment.pk}/reassign/")
    assert '<option value="ben">Ben Achterberg</option>' in client.get(address).content.decode()
    client.post(address, {"to": "ben"})
    assert campaign.assignments.get(annotator=cast.second_annotator).done == 0


def test_only_annotators_without_the_same_items_are_offered(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    add_annotator(campaign, make_person("carl", "Carl"))
    campaign.assignments.update(content=assignment.content)
    take_for_ben = campaign.assignments.filter(status=AssignmentStatus.PLANNED)[0]
    Assignment.objects.filter(pk=take_for_ben.pk).update(status="open", annotator=cast.second_annotator)
    address = at(campaign, f"assignments/{assignment.pk}/reassign/")
    page = client_of(cast.organiser).get(address).content.decode()
    assert 'value="carl"' in page
    assert 'value="ben"' not in page
    assert client_of(cast.organiser).post(address, {"to": "ben"}).status_code == 422


def test_what_cannot_be_reassigned_is_refused_in_words(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    client, address = client_of(cast.organiser), at(campaign, f"assignments/{assignment.pk}/reassign/")
    client.post(address, {"to": ""})
    again = client.post(address, {"to": ""})
    assert again.status_code == 422
    assert 'role="alert"' in again.content.decode()


def test_a_reset_archives_and_starts_anew(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    client, address = client_of(cast.organiser), at(campaign, f"assignments/{assignment.pk}/reset/")
    page = client.get(address).content.decode()
    assert "The 2 judgments made so far are archived" in page
    assert client.post(address)["Location"] == at(campaign)
    assignment.refresh_from_db()
    assert assignment.status == AssignmentStatus.ARCHIVED
    assert campaign.assignments.get(annotator=cast.annotator, status="open").done == 0
    assert Judgment.objects.count() == 2
    assert client.post(address).status_code == 422


def test_leaving_out_needs_a_reason_and_can_be_taken_back(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.organiser)
    refused = client.post(at(campaign, "leave-out/"), {"reason": "  "})
    assert refused.status_code == 422
    assert not Exclusion.objects.exists()
    page = client.post(at(campaign, "leave-out/"), {"reason": "Fails <controls>."}, follow=True).content.decode()
    assert "Fails &lt;controls&gt;." in page
    assert "Decided by Olive Okafor" in page
    assert "Exclude from the results</a>" not in page
    assert client.post(at(campaign, "leave-out/"), {"reason": "Again."}).status_code == 422
    page = client.post(at(campaign, "take-back/"), follow=True).content.decode()
    assert "is included again" in page
    assert "Exclude from the results</a>" in page
    assert 'role="alert"' in client.post(at(campaign, "take-back/"), follow=True).content.decode()


def test_the_table_shows_who_is_left_out(
    campaign: Campaign, assignment: Assignment, cast: Cast, client_of: ClientOf
) -> None:
    exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="Fast.", by=cast.organiser)
    page = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/overview/").content.decode()
    assert '<tr class="off">' in page
    assert "excluded from the results" in page


def test_a_name_that_needs_quoting_has_a_page(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    odd: Any = make_person("zoë+1@example.org", "Zoë")
    add_annotator(campaign, odd)
    overview = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/overview/").content.decode()
    address = overview.split("Zoë")[0].rsplit('href="', 1)[1].split('"')[0]
    assert client_of(cast.organiser).get(address).status_code == 200
