"""Projects: the label of campaigns that belong together, and a page with totals."""

from collections.abc import Callable
from typing import Any

from django.test import Client

import pytest

from annotation.actions.housekeeping import set_project
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

ClientOf = Callable[[Account], Client]
NAME = "WMT 27 – общая"


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def test_a_project_has_totals_over_its_campaigns_in_as_many_queries_as_one(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf, django_assert_max_num_queries: Any
) -> None:
    client = client_of(cast.organiser)
    manage = f"/campaigns/{campaign.slug}/manage/"
    address = client.post(manage, {"act": "project", "project": f" {NAME} "})["Location"]
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    others = [make_planned_campaign(test_set, cast, name=f"Other {number}") for number in range(3)]
    for each in others:
        set_project(campaign=each, project=NAME, by=cast.organiser)
    for page in ("/projects/", address):
        with django_assert_max_num_queries(20):
            assert NAME in client.get(page).content.decode()
    _header, *lines = client.get(f"{address}campaigns.csv").content.decode().splitlines()
    assert [line.split(",")[0] for line in lines] == ["Other 0", "Other 1", "Other 2", campaign.name]
    totals = [int(line.split(",")[7]) for line in lines]
    (row,) = client.get("/projects.csv").content.decode().splitlines()[1:]
    assert row.split(",")[:3] == [NAME, "4", "4"]
    assert row.split(",")[4:6] == ["1", str(sum(totals))]
    assert client_of(cast.researcher).get(address).status_code == 200
    assert client_of(cast.stranger).get(address).status_code == 404
    assert "Projects" in client.get("/campaigns/").content.decode()


@pytest.mark.parametrize("name", ["a/b", ".", "x" * 61, "a\x00", "a\nb"])
def test_a_name_that_fits_no_address_is_refused(campaign: Campaign, cast: Cast, client_of: ClientOf, name: str) -> None:
    with pytest.raises(InvalidInput) as error:
        set_project(campaign=campaign, project=name, by=cast.organiser)
    assert set(error.value.errors) == {"project"}
    sent = client_of(cast.organiser).post(f"/campaigns/{campaign.slug}/manage/", {"act": "project", "project": name})
    assert sent.status_code == 422


def test_the_api_sets_and_shows_it(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client, address = client_of(cast.organiser), f"/api/v1/campaigns/{campaign.slug}"
    changed = client.patch(address, {"project": "Spring"}, content_type="application/json")
    assert changed.json()["project"] == "Spring"
    refused = client.patch(address, {"project": "a/b"}, content_type="application/json")
    assert refused.json()["errors"].keys() == {"project"}
    assert client.patch(address, {"project": ""}, content_type="application/json").json()["project"] == ""
    assert client.get("/projects/").content.decode().count("No project yet") == 1


def test_a_copy_stays_in_the_project(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    set_project(campaign=campaign, project="Spring", by=cast.organiser)
    page = client_of(cast.organiser).get(f"/new-campaign/?like={campaign.slug}").content.decode()
    assert 'name="project" value="Spring"' in page


def test_the_api_lists_a_projects_campaigns_and_the_overview_leads_to_it(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    set_project(campaign=campaign, project=NAME, by=cast.organiser)
    make_planned_campaign(test_set, cast, name="Another")
    client = client_of(cast.organiser)
    (listed,) = client.get("/api/v1/campaigns", {"project": NAME}).json()["results"]
    assert (listed["slug"], listed["project"]) == (campaign.slug, NAME)
    assert client.get("/api/v1/campaigns", {"project": "Other"}).json()["results"] == []
    assert f">{NAME}</bdi></a>" in client.get(f"/campaigns/{campaign.slug}/overview/").content.decode()
