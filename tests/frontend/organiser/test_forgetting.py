"""An organiser forgets a person who asks for it: what happens is said first, then done."""

from collections.abc import Callable

from django.test import Client

import pytest

from annotation.models import Judgment
from campaigns.actions.endings import remove_member
from campaigns.models import Account, AuditEntry, Campaign, Membership, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

SignIn = Callable[[Account], Client]
ADDRESS = "/campaigns/planned-campaign/annotators/anna/forget/"


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    made = make_planned_campaign(test_set, cast, redundancy=2)
    judge(items_to_judge(take(made, cast.annotator))[0], 80)
    return made


def test_the_page_names_what_happens_and_does_nothing(campaign: Campaign, cast: Cast, client_of: SignIn) -> None:
    client = client_of(cast.organiser)
    assert ADDRESS in client.get(f"/campaigns/{campaign.slug}/annotators/anna/").content.decode()
    page = client.get(ADDRESS).content.decode()
    assert "cannot be undone" in page
    assert 'name="everywhere"' not in page, "there is one campaign"
    assert client.post(ADDRESS, {}).status_code == 422
    assert Judgment.objects.filter(annotator=cast.annotator).count() == 1


def test_the_answers_stay_under_a_number(campaign: Campaign, cast: Cast, client_of: SignIn) -> None:
    client = client_of(cast.organiser)
    page = client.post(ADDRESS, {"how": "pseudonymised"}, follow=True).content.decode()
    assert "Give access" not in page, "nobody can enter a number"
    number = Account.objects.get(is_number=True)
    assert f"The answers are kept as {number.username}" in page
    assert Judgment.objects.get().annotator == number
    assert client.get(ADDRESS).status_code == 404
    of_number = f"/campaigns/{campaign.slug}/annotators/{number.username}/forget/"
    assert 'value="pseudonymised"' not in client.get(of_number).content.decode()


def test_the_answers_are_erased_in_all_campaigns_on_request(
    campaign: Campaign, cast: Cast, make_test_set: Callable[..., TestSet], client_of: SignIn
) -> None:
    other = make_planned_campaign(make_test_set("Other texts", slug="other-texts"), cast, name="Another")
    judge(items_to_judge(take(other, cast.annotator))[0], 80)
    client = client_of(cast.organiser)
    assert "Another" in client.get(ADDRESS).content.decode()
    client.post(ADDRESS, {"how": "erased", "everywhere": "on"})
    assert Judgment.objects.filter(annotator=cast.annotator).count() == 0
    assert not Membership.objects.filter(account=cast.annotator).exists()
    assert AuditEntry.objects.filter(action="person_erased", actor=cast.organiser).count() == 2


def test_in_one_campaign_alone_the_other_is_left(
    campaign: Campaign, cast: Cast, make_test_set: Callable[..., TestSet], client_of: SignIn
) -> None:
    other = make_planned_campaign(make_test_set("Other texts", slug="other-texts"), cast, name="Another")
    judge(items_to_judge(take(other, cast.annotator))[0], 80)
    client_of(cast.organiser).post(ADDRESS, {"how": "erased"})
    (left,) = Judgment.objects.all()
    assert left.item.assignment.campaign == other


@pytest.mark.parametrize("how", ["page", "api"])
def test_who_was_removed_before_judging_is_forgotten_too(
    campaign: Campaign, cast: Cast, client_of: SignIn, how: str
) -> None:
    client = client_of(cast.organiser)
    place = Membership.objects.get(campaign=campaign, account=cast.second_annotator)
    remove_member(membership=place, by=cast.organiser)
    address = f"/campaigns/{campaign.slug}/annotators/ben/forget/"
    assert address in client.get(f"/campaigns/{campaign.slug}/people/").content.decode()
    assert client.get(address).status_code == 200
    if how == "page":
        client.post(address, {"how": "erased"})
    else:
        address = f"/api/v1/campaigns/{campaign.slug}/annotators/ben/forgetting"
        assert client.post(address, {"how": "erased"}, "application/json").status_code == 200
    assert not Membership.ever.filter(campaign=campaign, account=cast.second_annotator).exists()


def test_it_is_the_organisers_alone(campaign: Campaign, cast: Cast, client_of: SignIn) -> None:
    for account in (cast.researcher, cast.annotator, cast.stranger):
        assert client_of(account).post(ADDRESS, {"how": "erased"}).status_code == 404
    assert Judgment.objects.filter(annotator=cast.annotator).count() == 1


def test_the_people_page_says_who_has_withdrawn(campaign: Campaign, cast: Cast, client_of: SignIn) -> None:
    client_of(cast.annotator).post(f"/campaigns/{campaign.slug}/withdraw/")
    page = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/people/").content.decode()
    assert "withdrawn" in page
    assert "a number" in page
