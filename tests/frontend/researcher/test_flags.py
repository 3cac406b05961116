"""The page of flags, its file, the filter of segments, the API and the command: all from the same rows."""

import csv
import io
import json
from collections.abc import Callable

from django.core.management import call_command
from django.test import Client

import pytest

from campaigns.models import Account, Campaign, TestSet, Translation
from jobs.actions import perform_now
from jobs.models import Run, RunStatus
from metrics.flag_runs import KIND
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign
from tests.sample_test_set import QUOKKA, WOMBAT

pytestmark = pytest.mark.django_db
ClientOf = Callable[[Account], Client]
PAGE = "/campaigns/planned-campaign/segments/flags/"
API = "/api/v1/campaigns/planned-campaign/segments/flags"


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_planned_campaign(test_set, cast)
    change(test_set, WOMBAT, "")
    change(test_set, QUOKKA, "Die Fähre hatte 45 Minuten Verspätung, =1.")
    return campaign


def change(test_set: TestSet, system: str, text: str) -> None:
    first = Translation.objects.filter(system__test_set=test_set, system__name=system).earliest("pk")
    Translation.objects.filter(pk=first.pk).update(text=text)


@pytest.fixture
def run(campaign: Campaign) -> Run:
    return perform_now(kind=KIND, test_set=campaign.test_set, arguments={})


def test_before_a_run_the_page_says_so_and_asks_for_one(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    assert "Not looked for yet" in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}refresh/").status_code == 202
    assert client.post(f"{PAGE}compute/").status_code == 302
    assert Run.objects.filter(kind=KIND, test_set=campaign.test_set).count() == 1
    assert "Waiting for a worker" in client.get(PAGE).content.decode()
    client.post(f"{PAGE}cancel/")
    assert Run.objects.get(kind=KIND).status == RunStatus.CANCELLED


@pytest.mark.usefixtures("run")
def test_the_page_lists_each_flag_with_its_segment_and_counts_them(cast: Cast, client_of: ClientOf) -> None:
    response = client_of(cast.researcher).get(PAGE)
    page = response.content.decode()
    assert [(str(title), words) for _row, title, words in response.context["rows"]] == [
        ("Numbers differ", "added (1): 45"),
        ("Empty", ""),
    ]
    assert [(name, total) for name, _numbers, total in response.context["counts"]] == [
        ("sentinel-human", 0),
        (QUOKKA, 1),
        (WOMBAT, 1),
    ]
    segment = response.context["rows"][0][0].translation.segment_id
    assert f"segments/?segment={segment}#output-" in page


@pytest.mark.usefixtures("run")
def test_rows_are_narrowed_and_sorted_as_the_address_says(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)

    def names(query: str) -> list[str]:
        return [row.name for row, _title, _words in client.get(f"{PAGE}?{query}").context["rows"]]

    assert names("flag=empty") == ["empty"]
    assert names(f"system={QUOKKA}") == ["numbers"]
    assert names("document=orchard") == []
    assert names("sort=flags:flag") == ["empty", "numbers"]
    assert names("sort=flags:-system") == ["empty", "numbers"]
    assert "Unknown order" in client.get(f"{PAGE}?sort=flags:luck").content.decode()
    assert "No flag matches" in client.get(f"{PAGE}?flag=cut").content.decode()
    assert "Select a valid choice" in client.get(f"{PAGE}?flag=luck").content.decode()


@pytest.mark.usefixtures("run")
def test_segments_are_found_by_the_flags_of_their_outputs(cast: Cast, client_of: ClientOf) -> None:
    client, page = client_of(cast.researcher), "/campaigns/planned-campaign/segments/"

    def found(query: str) -> list[str]:
        return [str(row.segment.name) for row, *_others in client.get(f"{page}?{query}").context["rows"]]

    assert found("flag=empty") == ["1"]
    assert found("flag=copied") == []
    assert [row["segment"] for row in client.get(f"{API[:-6]}?flag=empty").json()["results"]] == ["1"]


@pytest.mark.usefixtures("run")
def test_the_file_has_a_row_for_each_flag(cast: Cast, client_of: ClientOf) -> None:
    response = client_of(cast.researcher).get(f"{PAGE[:-1]}.csv?flag=numbers")
    (row,) = csv.DictReader(io.StringIO(b"".join(response).decode()))
    assert (row["document"], row["segment"], row["system"]) == ("harbour", "1", QUOKKA)
    assert (row["flag"], row["what"], row["missing"], row["added"]) == ("numbers", "added (1): 45", "", "45")
    assert row["output"].endswith("=1.")
    assert row["signature"].startswith("languages:en>de|identifier:py3langid-")


def test_programs_list_flags_page_by_page(campaign: Campaign, run: Run, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    first = client.get(f"{API}?page_size=1").json()
    assert (first["run"], first["is_stale"]) == (run.pk, False)
    assert [(each["flag"], each["added"]) for each in first["results"]] == [("numbers", ["45"])]
    assert first["systems"][WOMBAT]["empty"] == 1
    second = client.get(first["next"]).json()
    assert [each["flag"] for each in second["results"]] == ["empty"]
    assert second["next"] is None
    assert client.get(f"{API}?flag=luck").status_code == 422
    assert client.get(f"{API}?cursor=luck").status_code == 422
    assert client.post(f"{API}/runs", "{}", content_type="application/json").status_code == 202
    assert client.post(f"{API}/runs", "{}", content_type="application/json").status_code == 200
    perform_now(kind=KIND, test_set=campaign.test_set, arguments={})
    assert client.get(first["next"]).status_code == 422, "rows of the older run are not listed any more"


def test_annotators_see_no_flag(campaign: Campaign, run: Run, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.annotator)
    for address in (PAGE, f"{PAGE[:-1]}.csv", f"{PAGE}state/", API, f"/api/v1/runs/{run.pk}"):
        assert client.get(address).status_code in (403, 404), address


@pytest.mark.usefixtures("campaign")
def test_the_command_prints_flags_as_lines_and_as_json(test_set: TestSet) -> None:
    out, lines = io.StringIO(), io.StringIO()
    call_command("flag_outputs", test_set.name, "--json", stdout=out, stderr=io.StringIO())
    found = json.loads(out.getvalue())
    assert (found["flags"], found["outputs"]) == (2, 18)
    assert [(each["system"], each["flag"], each["added"]) for each in found["results"]] == [
        (QUOKKA, "numbers", ["45"]),
        (WOMBAT, "empty", []),
    ]
    call_command("flag_outputs", test_set.name, stdout=lines, stderr=io.StringIO())
    assert f"harbour\t1\t{WOMBAT}\tEmpty" in lines.getvalue()
    call_command("flag_outputs", test_set.name, "--background", stdout=out, stderr=io.StringIO())
    assert Run.objects.filter(kind=KIND, status=RunStatus.QUEUED).count() == 1
