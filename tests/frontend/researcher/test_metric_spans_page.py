"""The table of a metric's spans against people's on the page of metrics, its file, and the same through the API."""

import csv
import io
from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.models import Account, Campaign, TestSet, Translation
from jobs.actions import perform_now
from jobs.models import Run, RunStatus
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, make_mqm, mark
from tests.metrics.segments.stored_marks import store_marks
from tests.planned_campaign import items_to_judge, make_planned_campaign, take

ClientOf = Callable[[Account], Client]


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    """People mark 0 to 3, the metric 1 to 6: two of five, and two of three."""
    campaign = make_mqm(test_set, cast)
    item = items_to_judge(take(campaign, cast.annotator))[0]
    mark(item, GRAVE)
    translation = item.slots.get().translation
    assert translation is not None
    store_marks(translation, "comet:xcomet-xl", (1, 6, "major"))
    perform_now(kind="metric_scores", test_set=test_set, arguments={"metrics": ["chrf"], "resamples": 10})
    return campaign


@pytest.fixture
def run(campaign: Campaign) -> Run:
    run = perform_now(kind="analysis", campaign=campaign, arguments={"analyses": ["correlation"]})
    assert run.status == RunStatus.DONE, run.error
    return run


def test_the_page_shows_the_table_with_its_file(campaign: Campaign, run: Run, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    page = client.get(f"/campaigns/{campaign.slug}/metrics/").content.decode()
    table = page[page.index('id="metric-spans"') :]
    for words in ("COMET (xcomet-xl)", "0.400", "0.667", "0.500", "No output was judged by two annotators"):
        assert words in table
    assert f"/campaigns/{campaign.slug}/metrics/spans.csv" in table
    lines = client.get(f"/campaigns/{campaign.slug}/metrics/spans.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(lines)))
    assert [(row["severity"], row["precision"], row["outputs"]) for row in rows] == [
        ("all", "0.4", "1"),
        ("major", "0.4", "1"),
    ]
    assert {row["signature"] for row in rows} == {f"{run.signature}|mpp,variant-assay"}
    assert [(row["mpp_precision"], row["predicted"], row["gold"]) for row in rows] == [("0.4", "1", "1")] * 2


def test_the_api_has_the_same_rows(run: Run, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    tables = client.get(f"/api/v1/runs/{run.pk}/tables").json()["results"]
    assert "metric-spans" in [table["name"] for table in tables]
    rows = client.get(f"/api/v1/runs/{run.pk}/tables/metric-spans").json()["rows"]
    assert [(row["metric"], row["severity"], row["f1"]) for row in rows] == [
        ("comet:xcomet-xl", "all", 0.5),
        ("comet:xcomet-xl", "major", 0.5),
    ]


def test_without_marks_of_metrics_there_is_no_table(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    campaign = make_mqm(test_set, cast)
    mark(items_to_judge(take(campaign, cast.annotator))[0], GRAVE)
    perform_now(kind="metric_scores", test_set=test_set, arguments={"metrics": ["chrf"], "resamples": 10})
    perform_now(kind="analysis", campaign=campaign, arguments={"analyses": ["correlation"]})
    page = client_of(cast.researcher).get(f"/campaigns/{campaign.slug}/metrics/").content.decode()
    assert "Correlation with human judgments" in page
    assert 'id="metric-spans"' not in page


@pytest.fixture
def esa(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_planned_campaign(test_set, cast, protocol="esa", options={})
    translation = Translation.objects.filter(system__test_set=test_set, text__isnull=False).earliest("pk")
    store_marks(translation, "comet:xcomet-xl", (0, 2, "critical"))
    return campaign


def test_an_organiser_takes_the_spans_as_suggestions_on_the_page(
    esa: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    address, button = f"/campaigns/{esa.slug}/metrics/", "Suggest the spans of COMET (xcomet-xl)"
    client = client_of(cast.organiser)
    assert button in client.get(address).content.decode()
    assert button not in client_of(cast.researcher).get(address).content.decode()
    assert client_of(cast.researcher).post(f"{address}suggest/", {"metric": "comet:xcomet-xl"}).status_code == 404
    client = client_of(cast.organiser)
    page = client.post(f"{address}suggest/", {"metric": "comet:xcomet-xl"}, follow=True).content.decode()
    assert "Annotators start from these spans: 1." in page
    assert button not in page
    page = client.post(f"{address}suggest/", {"metric": "comet:xcomet-xl"}, follow=True).content.decode()
    assert "The test set has suggestions already: 1." in page


def test_a_program_takes_them_and_is_told_why_not(esa: Campaign, cast: Cast, client_of: ClientOf) -> None:
    address, body = f"/api/v1/campaigns/{esa.slug}/suggestions", {"metric": "comet:xcomet-xl"}
    client = client_of(cast.organiser)
    response = client.post(address, body, content_type="application/json")
    assert (response.status_code, response.json()["spans"], response.json()["milder"]) == (201, 1, 1)
    refused = client.post(address, {"metric": "comet:other"}, content_type="application/json")
    assert refused.status_code == 422
    assert set(refused.json()["errors"]) == {"campaign", "metric"}
    assert client_of(cast.researcher).post(address, body, content_type="application/json").status_code == 404


def test_a_segment_in_the_api_has_what_metrics_mark(esa: Campaign, cast: Cast, client_of: ClientOf) -> None:
    translation = Translation.objects.filter(system__test_set=esa.test_set_id, text__isnull=False).earliest("pk")
    sheet = client_of(cast.researcher).get(f"/api/v1/campaigns/{esa.slug}/segments/{translation.segment_id}").json()
    marked = {output["text"]: output["metric_marks"] for output in sheet["outputs"]}
    assert marked.pop(translation.text) == {"comet:xcomet-xl": [{"start": 0, "end": 2, "severity": "critical"}]}
    assert not any(marked.values())
