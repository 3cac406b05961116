"""An organiser's settings of a crowd's link, on the page and by the API."""

from collections.abc import Callable

from django.test import Client
from django.utils import timezone

import pytest
from pytest_django import DjangoAssertNumQueries

from campaigns.actions.crowds import CrowdSpec, set_crowd
from campaigns.actions.forgetting import end_consent
from campaigns.crowd_labels import Labels, address_errors, filled_address
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Crowd, CrowdPlace, Withdrawal
from metrics.actions.forgetting import forget_person
from tests.cast import Cast
from tests.sample_crowd import make_crowd

PAGE = "/campaigns/harbour-campaign/people/crowd/"
API = "/api/v1/campaigns/harbour-campaign/crowd"


@pytest.fixture
def client(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


@pytest.mark.parametrize(
    "template",
    [
        "http://crowd.example/",
        "javascript:alert(1)",
        "//crowd.example/",
        "https://",
        "https://user:word@crowd.example/",
        "https://{participant}.example/",
        "https://crowd.example:port/",
        "https://crowd.example/ a",
        "https://crowd.example/?x=\n",
        "https://crowd.example/{participant",
        "https://crowd.example/{participant.__class__}",
        "https://crowd.example/{participant!r}",
        "https://crowd.example/{}",
        "https://crowd.example/{secret}",
        "https://crowd.example/" + "x" * 500,
    ],
)
def test_a_return_address_that_is_not_one_is_refused(template: str) -> None:
    assert address_errors(template, ["participant"])


def test_a_value_stays_one_part_of_the_address() -> None:
    template = "https://crowd.example/{participant}?s={study}"
    assert not address_errors(template, ["participant", "study"])
    labels = Labels("../a?b=ü&c#", {"study": "1&x=2"})
    assert filled_address(template, labels) == "https://crowd.example/..%2Fa%3Fb%3D%C3%BC%26c%23?s=1%26x%3D2"


def test_all_errors_are_named_at_once(campaign: Campaign) -> None:
    wrong = CrowdSpec(
        places=0, counted_label="nothing", parameters={"a b": "X", "workerId": "who"}, completed_address="http://x/"
    )
    with pytest.raises(InvalidInput) as error:
        set_crowd(campaign=campaign, spec=wrong, by=None)
    assert sorted(error.value.errors) == ["completed_address", "counted_label", "parameters", "places", "places_each"]
    assert not Crowd.objects.exists()


def test_the_page_stores_settings_and_shows_links(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    assert "Links to copy" not in client.get(PAGE).text
    sent = {"is_open": "on", "places": "30", "parameters": "pid = participant\nwave", "act": "store"}
    answer = client.post(PAGE, sent | {"completed_address": "http://plain.example/"})
    assert answer.status_code == 422
    assert "begins with https://" in answer.text
    assert client.post(PAGE, sent | {"completed_address": "https://crowd.example/{wave}"}).status_code == 302
    crowd = Crowd.objects.get()
    assert crowd.parameters == {"pid": "participant", "wave": "wave"}
    with django_assert_max_num_queries(20):
        page = client.get(PAGE).text
    assert f"/join/{crowd.key}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&amp;STUDY_ID=" in page
    client.post(PAGE, {"act": "renew"})
    assert Client().get(f"/join/{crowd.key}/").status_code == 404


def test_programs_read_and_change_the_settings(client: Client, campaign: Campaign) -> None:
    assert client.get(API).json()["link"] == ""
    answer = client.put(API, {"places": 5, "is_open": True, "full_address": "https://a.example"}, "application/json")
    assert answer.status_code == 200, answer.text
    link = answer.json()["link"]
    assert client.put(API, {"places": 5, "full_address": "ftp://a"}, "application/json").status_code == 422
    assert client.get(API).json()["link"] == link
    assert client.post(f"{API}/link").json()["link"] != link
    Client().post(f"/join/{Crowd.objects.get().key}/?participant=p&study=s")
    (row,) = client.get(f"{API}/people").json()["results"]
    assert (row["participant"], row["labels"]) == ("p", {"study": "s"})


@pytest.mark.parametrize("how", Withdrawal.values)
def test_somebody_who_is_forgotten_leaves_no_label(campaign: Campaign, cast: Cast, how: str) -> None:
    crowd = make_crowd(campaign)
    Client().post(f"/join/{crowd.key}/?participant=p&study=s")
    account = CrowdPlace.objects.get().membership.account
    forget_person(account=account, how=how, by=cast.organiser)
    assert not CrowdPlace.objects.exists()
    assert not Account.objects.filter(pk=account.pk).exists()


def test_who_withdraws_stays_known_and_keeps_no_labels(campaign: Campaign) -> None:
    crowd = make_crowd(campaign)
    Client().post(f"/join/{crowd.key}/?participant=p&study=s")
    end_consent(CrowdPlace.objects.get().membership)
    place = CrowdPlace.objects.get()
    assert (place.participant, place.labels, place.joined_at) == ("p", {}, campaign.created_at)
    assert Client().get(f"/join/{crowd.key}/?participant=P").status_code == 409


def test_labels_are_offered_to_organisers_beside_the_files(
    client: Client, campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    page, file = (f"/campaigns/{campaign.slug}/exports/{name}" for name in ("", "csv/"))
    assert 'name="labels"' not in client.get(page).text
    place = campaign.memberships.get(account=cast.annotator)
    CrowdPlace.objects.create(
        crowd=make_crowd(campaign), membership=place, participant="P1", labels={"study": "S1"}, joined_at=timezone.now()
    )
    assert 'name="labels"' in client.get(page).text
    assert b"".join(client.get(f"{file}?labels=crowd")).strip().endswith(b"label.participant,label.study")
    researcher = client_of(cast.researcher)
    assert 'name="labels"' not in researcher.get(page).text
    assert researcher.get(f"{file}?labels=crowd").status_code == 302
    assert client.get(f"{file}?labels=crowd&names=codes").status_code == 302
