"""Results behind a link: made and revoked by organisers, read by whoever holds it, with nobody's name in it."""

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.test import Client
from django.utils import timezone

import pytest

from campaigns.actions.links import make_share_link
from campaigns.models import Account, Campaign, ShareLink, TestSet
from tests.cast import Cast
from tests.frontend.researcher.judged import make_computed, make_judged
from tests.rows_made_once import made_once

ClientOf = Callable[[Account], Client]
SHARE_FORM = {"share-name": "Reviewers", "share-days": "30"}


stored, cast, test_set, campaign = made_once(make_computed)


def shared(campaign: Campaign, cast: Cast, *, shows_texts: bool = False) -> str:
    _link, secret = make_share_link(
        campaign=campaign, name="Reviewers", days=30, by=cast.organiser, shows_texts=shows_texts
    )
    return f"/shared/{secret}/"


def at(campaign: Campaign, page: str) -> str:
    return f"/campaigns/{campaign.slug}/exports/{page}"


def test_an_organiser_makes_a_link_that_is_shown_once(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    made = client.post(at(campaign, "shares/"), SHARE_FORM)
    assert made["Cache-Control"] == "no-store"
    address = made.context["share_address"]
    assert address.startswith(f"{settings.BASE_URL}/shared/")
    assert Client().get(address.removeprefix(settings.BASE_URL)).status_code == 200
    page = client.get(at(campaign, "")).content.decode()
    assert "Reviewers" in page
    assert "/shared/" not in page


@pytest.mark.parametrize("who", ["researcher", "annotator", "stranger"])
def test_nobody_else_makes_or_revokes_one(campaign: Campaign, cast: Cast, client_of: ClientOf, who: str) -> None:
    shared(campaign, cast)
    link = ShareLink.objects.get()
    client = client_of(getattr(cast, who))
    assert client.post(at(campaign, "shares/"), SHARE_FORM).status_code == 404
    assert client.post(at(campaign, f"shares/{link.pk}/revoke/")).status_code == 404
    assert ShareLink.objects.filter(revoked_at=None).count() == 1


def test_a_link_of_another_campaign_is_not_revoked_through_this_one(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    shared(make_judged(test_set, cast, name="Another"), cast)
    client = client_of(cast.organiser)
    assert client.post(at(campaign, f"shares/{ShareLink.objects.get().pk}/revoke/")).status_code == 404


@pytest.mark.parametrize("wrong", [{"share-name": ""}, {"share-days": "0"}, {"share-days": "800"}])
def test_errors_are_shown(campaign: Campaign, cast: Cast, client_of: ClientOf, wrong: dict[str, str]) -> None:
    assert client_of(cast.organiser).post(at(campaign, "shares/"), SHARE_FORM | wrong).status_code == 422
    assert not ShareLink.objects.exists()


def test_the_link_shows_results_without_anybodys_name(campaign: Campaign, cast: Cast) -> None:
    response = Client().get(shared(campaign, cast))
    page = response.content.decode()
    assert "<table" in page
    for system in campaign.systems.all():
        assert system.name in page
    for name in ("anna", "Anna Weidner", "olive", "Olive Okafor"):
        assert name not in page
    assert "There are no z-scores for the judgments of annotator" in page
    assert "Agreement between annotators" in page
    assert response["X-Robots-Tag"].startswith("noindex")
    assert response["Referrer-Policy"] == "no-referrer"
    assert "no-store" in response["Cache-Control"]


def test_no_text_is_shown_unless_it_was_meant_to_be(campaign: Campaign, cast: Cast) -> None:
    address = shared(campaign, cast)
    assert Client().get(f"{address}texts/").status_code == 404
    assert "texts/" not in Client().get(address).content.decode()
    open_address = shared(campaign, cast, shows_texts=True)
    page = Client().get(f"{open_address}texts/").content.decode()
    assert "Nobody on the quay knew why." in page
    assert "anna" not in page
    assert Client().get(f"{open_address}texts/?page=77").status_code == 200


def test_a_revoked_or_old_link_is_not_found(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    first, second = shared(campaign, cast), shared(campaign, cast, shows_texts=True)
    old, new = ShareLink.objects.order_by("pk")
    client_of(cast.organiser).post(at(campaign, f"shares/{old.pk}/revoke/"))
    ShareLink.objects.filter(pk=new.pk).update(expires_at=timezone.now() - timedelta(days=1))
    for address in (first, second, f"{second}texts/", "/shared/nothing/"):
        assert Client().get(address).status_code == 404


def test_a_link_only_reads(campaign: Campaign, cast: Cast) -> None:
    assert Client().post(shared(campaign, cast)).status_code == 405
    assert Client().delete(shared(campaign, cast)).status_code == 405


def test_before_results_it_says_so(test_set: TestSet, cast: Cast) -> None:
    assert b"No results yet" in Client().get(shared(make_judged(test_set, cast, name="Early"), cast)).content


def test_the_shared_table_is_sorted_by_its_address(campaign: Campaign, cast: Cast) -> None:
    page = Client().get(shared(campaign, cast) + "?sort=systems:-system")
    rows = page.context["results"].tables[0].rows
    assert [row.name for row in rows] == sorted((row.name for row in rows), key=str.casefold, reverse=True)
