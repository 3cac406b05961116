"""A campaign's own address leads everybody to where they begin, and strangers nowhere."""

from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.models import Account, Campaign
from tests.cast import Cast


@pytest.mark.parametrize(
    ("who", "where"),
    [
        ("organiser", "/campaigns/{slug}/overview/"),
        ("researcher", "/campaigns/{slug}/results/"),
        ("annotator", "/"),
    ],
)
def test_it_leads_to_the_beginning(
    who: str, where: str, campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    answer = client_of(getattr(cast, who)).get(f"/campaigns/{campaign.slug}/")
    assert answer.headers["Location"] == where.format(slug=campaign.slug)


def test_a_stranger_finds_nothing(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> None:
    assert client_of(cast.stranger).get(f"/campaigns/{campaign.slug}/").status_code == 404
