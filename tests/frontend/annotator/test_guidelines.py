"""What to know and to agree to before the first item."""

from collections.abc import Callable

from django.test import Client

import pytest

from annotation.models import Assignment
from campaigns.actions.memberships import change_texts
from campaigns.models import Account, Campaign, Membership
from tests.cast import Cast

URL = "/campaigns/harbour-campaign/guidelines/"


@pytest.fixture
def undecided(campaign: Campaign) -> None:
    Membership.objects.update(consented_at=None)


def _consents() -> int:
    return Membership.objects.filter(consented_at__isnull=False).count()


def test_the_organisers_words_are_shown(client_of: Callable[[Account], Client], campaign: Campaign, cast: Cast) -> None:
    text = client_of(cast.annotator).get(URL).text
    assert "Ask <strong>how much</strong> of the meaning reaches the reader." in text
    assert "You have agreed" in text


def test_consent_is_requested_once_with_what_is_recorded(
    client_of: Callable[[Account], Client], undecided: None, cast: Cast
) -> None:
    client = client_of(cast.annotator)
    text = client.get(URL).text
    assert "What is recorded" in text
    assert "Your answers are published under a number." in text
    assert client.post(URL, {"agree": "on", "name": "Anna W."})["Location"] == "/"
    cast.annotator.refresh_from_db()
    assert cast.annotator.name == "Anna W."
    assert _consents() == 1


def test_agreeing_leads_to_the_first_item(
    client_of: Callable[[Account], Client],
    undecided: None,
    campaign: Campaign,
    cast: Cast,
    make_assignment: Callable[..., Assignment],
) -> None:
    assignment = make_assignment(campaign, cast.annotator)
    assert client_of(cast.annotator).post(URL, {"agree": "on"})["Location"] == f"/assignments/{assignment.pk}/"


def test_looking_is_not_agreeing(client_of: Callable[[Account], Client], undecided: None, cast: Cast) -> None:
    client_of(cast.annotator).get(URL)
    assert _consents() == 0


def test_without_the_button_nothing_is_agreed(
    client_of: Callable[[Account], Client], undecided: None, cast: Cast
) -> None:
    response = client_of(cast.annotator).post(URL, {"name": "Anna W."})
    assert response.status_code == 200
    assert "Agree to begin, or leave the page" in response.text
    assert 'value="Anna W."' in response.text
    assert _consents() == 0


def test_a_campaign_without_guidelines_says_the_general_ones(
    client_of: Callable[[Account], Client], campaign: Campaign, cast: Cast
) -> None:
    Campaign.objects.update(guidelines="")
    assert "If you cannot judge an item, say why." in client_of(cast.annotator).get(URL).text


@pytest.mark.parametrize("who", ["organiser", "researcher", "stranger"])
def test_only_annotators_agree(client_of: Callable[[Account], Client], undecided: None, cast: Cast, who: str) -> None:
    client = client_of(getattr(cast, who))
    assert client.get(URL).status_code == 404
    assert client.post(URL, {"agree": "on"}).status_code == 404
    assert _consents() == 0


def test_strangers_must_sign_in(client: Client, campaign: Campaign) -> None:
    assert client.get(URL)["Location"] == f"/sign-in/?next={URL}"


def test_other_methods_are_refused(client_of: Callable[[Account], Client], campaign: Campaign, cast: Cast) -> None:
    assert client_of(cast.annotator).delete(URL).status_code == 405


def test_what_was_changed_is_shown_until_it_was_read(
    client_of: Callable[[Account], Client], campaign: Campaign, cast: Cast
) -> None:
    client = client_of(cast.annotator)
    assert "Changed since you read them" not in client.get(URL).text
    changed = campaign.guidelines.replace("reaches the reader", "really reaches the reader")
    change_texts(campaign=campaign, guidelines=changed, consent="", by=cast.organiser)
    page = client.get(URL)
    assert "Changed since you read them on" in page.text
    assert "<ins>really </ins>" in page.text
    seen_at = page.context["seen_at"]
    for wrong in ("", "yesterday", "2030-01-01T10:00"):
        client.post(f"{URL}read/", {"seen_at": wrong})
    assert "<ins>" in client.get(URL).text
    assert client.post(f"{URL}read/", {"seen_at": seen_at})["Location"] == URL
    assert "<ins>" not in client.get(URL).text
