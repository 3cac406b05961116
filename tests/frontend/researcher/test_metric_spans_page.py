"""The table of a metric's spans against people's on the page of metrics, its file, and the same through the API."""

import csv
import io
from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.models import Account, Campaign, TestSet
from jobs.actions import perform_now
from jobs.models import Run, RunStatus
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, make_mqm, mark
from tests.metrics.segments.stored_marks import store_marks
from tests.planned_campaign import items_to_judge, take

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
    assert {row["signature"] for row in rows} == {run.signature}


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
