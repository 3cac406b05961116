"""Further rounds, asked for on a page; a campaign made like another."""

from collections.abc import Callable
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

import pytest

from annotation.models import Assignment
from annotation.protocols import PROTOCOLS, protocol_for
from campaigns.models import Account, Campaign, TestSet
from frontend.organiser.new_campaign_form import NewCampaignForm
from jobs.actions import claim_run, perform_run
from jobs.models import Run
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign
from tests.sample_questions import ask_questions

ClientOf = Callable[[Account], Client]
OWN_TYPOLOGY = '{"name": "own", "title": "Own", "categories": [{"name": "tone", "title": "Tone"}]}'
OWN_SCALES = "Clarity: How clear is it?\n3 clear\n2\n1 unclear"


@pytest.fixture
def planned(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, redundancy=2)


def perform() -> Run:
    run = claim_run(Run.objects.latest("pk").pk)
    assert run is not None
    return perform_run(run)


def test_further_rounds_are_planned_by_a_run(planned: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client, page = client_of(cast.organiser), f"/campaigns/{planned.slug}/extend/"
    assert page in client.get(f"/campaigns/{planned.slug}/overview/").text
    assert "Each additional round has about 17 judgments in 1 task" in client.get(page).text
    for _twice in range(2):
        assert client.post(page, {"more": 2})["Location"] == page
    assert Run.objects.count() == 1
    assert "Waiting for a worker" in client.get(page).text
    perform()
    assert "data-reload" in client.get(f"{page}state/").text
    assert "The last extension is complete" in client.get(page).text
    assert Assignment.objects.filter(campaign=planned).count() == 4


def test_an_impossible_plan_is_reported(planned: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client, page = client_of(cast.organiser), f"/campaigns/{planned.slug}/extend/"
    assert client.post(page, {"more": 0}).status_code == 422
    client.post(page, {"more": 1})
    planned.assignments.first().items.first().delete()  # type: ignore[union-attr]
    perform()
    assert "cannot be extended" in client.get(page).text
    Campaign.objects.update(status="closed")
    assert "Open it again first" in client.get(page).text


@pytest.mark.parametrize(("who", "status"), [("researcher", 404), ("annotator", 404), ("stranger", 404)])
def test_only_its_organiser_may(who: str, status: int, planned: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(getattr(cast, who))
    assert client.get(f"/campaigns/{planned.slug}/extend/").status_code == status
    assert client.get(f"/campaigns/{planned.slug}/extend/state/").status_code == status
    assert client.post(f"/campaigns/{planned.slug}/extend/", {"more": 1}).status_code == status


def test_the_command_line_does_the_same(planned: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("extend_campaign", planned.name, "--redundancy", "3", "--json")
    assert capsys.readouterr().out == f'{{"campaign": "{planned.slug}", "redundancy": 3, "assignments": 3}}\n'
    with pytest.raises(CommandError, match="whole number from 3"):
        call_command("extend_campaign", planned.slug, "--redundancy", "1")
    with pytest.raises(CommandError, match="There is no campaign"):
        call_command("extend_campaign", "nowhere", "--redundancy", "1")


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("protocol", "options"),
    [
        *((name, {}) for name in sorted(PROTOCOLS)),
        ("mqm", {"typology": OWN_TYPOLOGY, "mark_source": False, "most_errors": 3}),
        ("mqm", {"typology": "mqm-core", "mark_source": False}),
        ("likert", {"scales": OWN_SCALES}),
        ("likert", {"preset": "xsts"}),
    ],
)
def test_a_campaign_is_made_like_another(
    protocol: str, options: dict[str, Any], test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    ask_questions(test_set)
    old = make_planned_campaign(test_set, cast, protocol=protocol, options=options, redundancy=2, guidelines="Read on.")
    page = client_of(cast.organiser).get(f"/new-campaign/?like={old.slug}")
    assert "Planned campaign (copy)" in page.text
    filled = page.context["form"]
    sent = {name: value for name in filled.fields if (value := filled[name].value()) not in (None, False, ())}
    form = NewCampaignForm(sent, account=cast.organiser)
    assert form.is_valid(), form.errors
    arguments = form.arguments()
    again = protocol_for(protocol, arguments["options"])
    assert again.options == protocol_for(old.protocol, old.options).options
    assert (arguments["redundancy"], arguments["guidelines"], arguments["test_set"]) == (2, "Read on.", test_set.pk)


def test_strangers_copy_nothing(planned: Campaign, cast: Cast, client_of: ClientOf) -> None:
    assert client_of(cast.stranger).get(f"/new-campaign/?like={planned.slug}").status_code == 404
