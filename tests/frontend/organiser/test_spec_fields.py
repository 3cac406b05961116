"""Options of protocols as fields: several of a few, a whole number, a choice or something of one's own in its place."""

import json
from collections.abc import Callable
from typing import Any

from django.test import Client

import pytest

from annotation.campaign_spec import parameters_in
from campaigns.models import Account, Campaign, TestSet
from jobs.actions import claim_run, perform_run
from jobs.models import Run, RunStatus
from tests.cast import Cast

Form = dict[str, Any]
OWN = {"title": "House list", "categories": [{"title": "Meaning"}, {"title": "Form"}]}


@pytest.fixture
def client(cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


@pytest.fixture
def form(test_set: TestSet, cast: Cast) -> Form:
    TestSet.objects.update(created_by=cast.organiser)
    return {"name": "Errors", "protocol": "mqm", "redundancy": "1", "test_set": str(test_set.pk)}


def made(client: Client, form: Form) -> Campaign:
    assert client.post("/new-campaign/", form).status_code == 302
    run = claim_run(Run.objects.get(status=RunStatus.QUEUED).pk)
    assert run is not None
    assert perform_run(run).status == RunStatus.DONE
    return Campaign.objects.get()


def test_every_parameter_of_a_campaign_has_its_field_on_the_page(client: Client, form: Form) -> None:
    page = client.get("/new-campaign/").content.decode()
    for parameter in parameters_in("form"):
        assert f'name="{parameter.short_name}"' in page, parameter.name
        assert str(parameter.label) in page
    assert page.count('data-control="repeat"') == 1


def test_what_is_left_empty_keeps_its_default(client: Client, form: Form) -> None:
    campaign = made(client, form | {parameter.short_name: "" for parameter in parameters_in("form")})
    assert (campaign.redundancy, campaign.planning, campaign.items_per_assignment) == (1, "static", 100)


def test_a_typology_is_chosen(client: Client, form: Form) -> None:
    fields = {"mqm-typology": "mqm-core", "mqm-severities": ["major", "critical"], "mqm-most_errors": "0"}
    options = made(client, form | fields).options
    assert options["typology"]["title"] == "MQM-Core"
    assert (options["severities"], options["most_errors"]) == (["major", "critical"], 0)


def test_one_of_ones_own_takes_the_place_of_the_choice(client: Client, form: Form) -> None:
    options = made(client, form | {"mqm-typology": "mqm-core", "mqm-typology-own": json.dumps(OWN, indent=1)}).options
    assert [category["name"] for category in options["typology"]["categories"]] == ["meaning", "form"]
    assert options["severities"] == ["neutral", "minor", "major", "critical"]


def test_its_errors_are_shown_beside_it(client: Client, form: Form) -> None:
    wrong = json.dumps({**OWN, "categories": [{"title": "Meaning", "weight": 5}, {}]})
    response = client.post("/new-campaign/", form | {"mqm-typology-own": wrong})
    assert response.status_code == 422
    page = response.content.decode()
    assert "Meaning: Unknown key “weight”." in page
    assert "Category 2: The title is missing." in page
    assert set(response.context["form"].errors) == {"mqm-typology-own"}
    broken = client.post("/new-campaign/", form | {"mqm-typology-own": "{"})
    assert "This is not valid JSON" in broken.content.decode()


def test_boxes_that_were_ticked_are_ticked_when_the_form_comes_back(
    client: Client, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    response = client.post("/new-campaign/", form | {"mqm-severities": ["major"]})
    assert response.status_code == 302, response.context["form"].errors
    monkeypatch.setattr("annotation.actions.checked_spec.MOST_ITEMS", 1)
    run = claim_run(Run.objects.get(status=RunStatus.QUEUED).pk)
    assert run is not None
    assert perform_run(run).status == RunStatus.FAILED
    page = client.get(response["Location"])
    assert page.context["form"]["mqm-severities"].value() == ["major"]
    assert 'data-text-into="id_mqm-typology-own"' in page.content.decode()
