"""The list of campaigns: what needs a look, how far each is, and when it ends."""

from collections.abc import Callable
from datetime import timedelta

from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import pytest

from annotation.actions.housekeeping import archive_campaign
from annotation.actions.status import set_status
from campaigns.models import Account, Campaign, Invitation, Membership, Role, TestSet
from tests.cast import Cast, invite_annotators
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

ClientOf = Callable[[Account], Client]
LOOK = "Need a look"


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def make_a_link_wait(campaign: Campaign, cast: Cast) -> None:
    invite_annotators(campaign=campaign, count=1, by=cast.organiser)
    Invitation.objects.filter(campaign=campaign).update(created_at=timezone.now() - timedelta(days=4))


def listed(client: Client, query: str = "") -> str:
    return client.get(f"/campaigns/{query}").content.decode()


def test_alerts_of_all_open_campaigns_stand_first_with_one_action_each(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    assert LOOK not in listed(client_of(cast.organiser))
    others = [make_planned_campaign(test_set, cast, name=f"Other {number}") for number in range(3)]
    for each in (campaign, *others):
        make_a_link_wait(each, cast)
    page = listed(client_of(cast.organiser))
    assert page.index(LOOK) < page.index("All campaigns")
    assert page.count("never opened the link") == 4
    assert '<span class="counted">4</span>' in page
    assert "1 more" in page, "three are shown, the others are folded"
    assert f'href="/campaigns/{campaign.slug}/people/#invitations"' in page
    assert LOOK not in listed(client_of(cast.researcher)), "who organises them decides"
    set_status(campaign=campaign, status="paused", by=cast.organiser)
    assert listed(client_of(cast.organiser)).count("never opened the link") == 3


def test_a_campaign_closed_before_its_end_is_not_green(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    page = listed(client_of(cast.organiser))
    assert '<span class="tag info">' in page
    assert '<div class="meter "' in page
    assert "1 judgment in 14 days, 1 today" in page
    assert "Too early" in page
    set_status(campaign=campaign, status="closed", by=cast.organiser)
    page = listed(client_of(cast.organiser))
    assert '<span class="tag ">' in page
    assert '<div class="meter still"' in page
    assert 'class="tag ok"' not in page
    campaign.assignments.all().update(total=1, done=1)
    page = listed(client_of(cast.organiser))
    assert '<span class="tag ok">' in page
    assert '<div class="meter done"' in page


def test_links_over_the_list_show_campaigns_by_state(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    finished = make_planned_campaign(test_set, cast, name="Finished one")
    finished.assignments.all().update(total=1, done=1)
    archived = make_planned_campaign(test_set, cast, name="Archived one")
    set_status(campaign=archived, status="closed", by=cast.organiser)
    archive_campaign(campaign=archived, is_archived=True, by=cast.organiser)
    client = client_of(cast.organiser)
    expected = {
        "": {campaign.name, "Finished one"},
        "collecting": {campaign.name},
        "finished": {"Finished one"},
        "archive": {"Archived one"},
        "unknown": {campaign.name, "Finished one"},
    }
    for state, names in expected.items():
        context = client.get(f"/campaigns/?state={state}").context
        assert {line.campaign.name for line in context["lines"]} == names, state
        assert [view.count for view in context["views"]] == [2, 1, 1, 1]
    assert "No campaign matches" in listed(client, "?state=archive&find=planned")
    archive_campaign(campaign=archived, is_archived=False, by=cast.organiser)
    assert "Nothing is archived" in listed(client, "?state=archive")


def test_a_campaign_is_paused_from_its_line(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    page = listed(client)
    assert f"More for {campaign.name}" in page
    assert f"More for {campaign.name}" not in listed(client_of(cast.researcher))
    pressed = client.post(f"/campaigns/{campaign.slug}/status/", {"status": "paused", "back": "list"})
    assert pressed["Location"] == "/campaigns/"
    assert "Resume" in listed(client)


def test_the_list_takes_as_many_queries_for_one_campaign_as_for_many(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.organiser)

    def cost() -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as cold:
            listed(client)
        return len(cold)

    make_a_link_wait(campaign, cast)
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    alone = cost()
    for number in range(4):
        other = make_planned_campaign(test_set, cast, name=f"Other {number}")
        make_a_link_wait(other, cast)
        judge(items_to_judge(take(other, cast.annotator))[0])
    assert cost() == alone <= 20


def test_campaigns_stand_on_pages_in_the_order_of_the_reader(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(name="Zebra")
    fields = {"test_set": test_set, "protocol": campaign.protocol}
    made = [Campaign(name=f"Other {number:02}", slug=f"other-{number:02}", **fields) for number in range(50)]
    Campaign.objects.bulk_create(made)
    places = [Membership(campaign=each, account=cast.organiser, role=Role.ORGANISER) for each in made]
    Membership.objects.bulk_create(places)
    client = client_of(cast.organiser)
    by_name = listed(client, "?sort=all:name")
    assert ("Page 1 of 2" in by_name, "Zebra" in by_name) == (True, False)
    assert 'href="?sort=all%3Aname&amp;page=2#all"' in by_name
    assert "Zebra" in listed(client, "?sort=all:name&page=2")
    assert "Zebra" in listed(client, "?sort=all:-name")
    found = listed(client, "?find=Zebra&page=2")
    assert ("Zebra" in found, "Page" in found) == (True, False)
    assert "Unknown order “all:size”." in listed(client, "?sort=all:size")
