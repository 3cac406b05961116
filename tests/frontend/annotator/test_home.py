"""The annotator's start page."""

from collections.abc import Callable

from django.test import Client

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.models import Assignment, Item
from campaigns.actions.memberships import add_member
from campaigns.models import Account, Campaign, Role, TestSet
from tests.cast import Cast, make_person
from tests.sample_test_set import SYSTEMS

MakeAssignment = Callable[..., Assignment]
SignIn = Callable[[Account], Client]


def _begin(assignment: Assignment, done: int) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(done=done)
    Item.objects.filter(assignment=assignment, position__lte=done).update(revision=1)


def test_what_was_begun_is_continued_where_one_stopped(
    client_of: SignIn, campaign: Campaign, cast: Cast, make_assignment: MakeAssignment
) -> None:
    assignment = make_assignment(campaign, cast.annotator)
    _begin(assignment, 4)
    text = client_of(cast.annotator).get("/").text
    assert f'href="/assignments/{assignment.pk}/"' in text
    assert "Continue" in text
    assert "4 of 6" in text
    assert "You stopped in “orchard”, segment 2." in text
    assert not any(system in text for system in SYSTEMS)


def test_an_untouched_assignment_is_started(
    client_of: SignIn, campaign: Campaign, cast: Cast, make_assignment: MakeAssignment
) -> None:
    make_assignment(campaign, cast.annotator)
    text = client_of(cast.annotator).get("/").text
    assert "Start" in text
    assert "You stopped" not in text


def test_what_can_be_had_is_offered(
    client_of: SignIn, campaign: Campaign, cast: Cast, make_assignment: MakeAssignment
) -> None:
    make_assignment(campaign, None)
    text = client_of(cast.annotator).get("/").text
    assert 'action="/campaigns/harbour-campaign/next/"' in text


def test_looking_hands_nothing_out(
    client_of: SignIn, campaign: Campaign, cast: Cast, make_assignment: MakeAssignment
) -> None:
    make_assignment(campaign, None)
    client_of(cast.annotator).get("/")
    assert Assignment.objects.get().annotator is None


def test_the_same_outputs_are_not_offered_twice(
    client_of: SignIn, campaign: Campaign, cast: Cast, make_assignment: MakeAssignment
) -> None:
    make_assignment(campaign, cast.annotator, status="done")
    make_assignment(campaign, None)  # of the same content, for somebody else
    assert "Nothing to do right now" in client_of(cast.annotator).get("/").text


def test_with_nothing_to_do_it_says_so(client_of: SignIn, campaign: Campaign, cast: Cast) -> None:
    text = client_of(cast.annotator).get("/").text
    assert "Nothing to do right now" in text
    assert "There are no tasks for you at the moment." in text


@pytest.mark.parametrize(("status", "word"), [("draft", "Not open yet"), ("paused", "Paused")])
def test_what_is_not_open_waits(
    client_of: SignIn, campaign: Campaign, cast: Cast, make_assignment: MakeAssignment, status: str, word: str
) -> None:
    make_assignment(campaign, None)
    Campaign.objects.update(status=status)
    text = client_of(cast.annotator).get("/").text
    assert "Your next task is not open yet." in text
    assert word in text
    assert "/next/" not in text


def test_what_is_done_keeps_its_code(
    client_of: SignIn, campaign: Campaign, cast: Cast, make_assignment: MakeAssignment
) -> None:
    done = make_assignment(campaign, cast.annotator, status="done")
    Assignment.objects.update(completion_code="K7QM-42XR-9TDA", done=6)
    text = client_of(cast.annotator).get("/").text
    assert f'href="/assignments/{done.pk}/done/"' in text
    assert "You have finished everything that is open." in text


def test_others_work_is_not_shown(
    client_of: SignIn, campaign: Campaign, cast: Cast, make_assignment: MakeAssignment
) -> None:
    theirs = make_assignment(campaign, cast.second_annotator)
    assert f"/assignments/{theirs.pk}/" not in client_of(cast.annotator).get("/").text


@pytest.mark.parametrize("who", ["organiser", "researcher", "stranger"])
def test_who_judges_nowhere_starts_at_the_campaigns(
    client_of: SignIn, campaign: Campaign, cast: Cast, who: str
) -> None:
    assert client_of(getattr(cast, who)).get("/")["Location"] == "/campaigns/"


def test_who_organises_and_judges_finds_both(client_of: SignIn, campaign: Campaign, cast: Cast) -> None:
    add_member(campaign=campaign, account=cast.organiser, role=Role.ANNOTATOR, by=None)
    text = client_of(cast.organiser).get("/").text
    assert "My tasks" in text
    assert 'href="/campaigns/"' in text


def test_an_account_without_a_campaign_sees_whom_to_ask(client_of: SignIn, db: None) -> None:
    assert "ask your organiser" in client_of(make_person("nora", "Nora")).get("/").text


def test_strangers_must_sign_in(client: Client, db: None) -> None:
    assert client.get("/")["Location"] == "/sign-in/?next=/"


def test_a_long_list_costs_no_more_queries_than_a_short_one(
    client_of: SignIn,
    test_set: TestSet,
    make_campaign: Callable[..., Campaign],
    cast: Cast,
    make_assignment: MakeAssignment,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(6):
        campaign = make_campaign(test_set, cast, name=f"Campaign {number}")
        make_assignment(campaign, cast.annotator, status="done" if number % 2 else "open")
        make_assignment(campaign, None)
    client = client_of(cast.annotator)
    with django_assert_max_num_queries(8):
        client.get("/")
