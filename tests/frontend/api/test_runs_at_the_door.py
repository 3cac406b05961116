"""What cannot be performed as asked is refused where it was asked, with what there is; nobody else reads of it."""

from typing import Any

from django.test import Client

import pytest

from campaigns.models import Campaign, Reference
from jobs.models import Run, RunStatus
from metrics.models import ImportedScores
from metrics.scoring.names import SCORING_METRICS
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign
from tests.rows_made_once import made_once

stored, cast, test_set, campaign = made_once(make_planned_campaign)


@pytest.fixture
def reader(client: Client, cast: Cast) -> Client:
    client.force_login(cast.researcher)
    return client


def asked(reader: Client, address: str, wish: dict[str, Any]) -> tuple[int, str]:
    answer = reader.post(f"/api/v1/{address}", wish, content_type="application/json")
    return answer.status_code, " ".join(answer.json().get("errors", {}).get("arguments", ()))


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"metrics": ["bleu", "blue", "chrv"]}, ["“blue”", "“chrv”", ", ".join(SCORING_METRICS)]),
        ({"metrics": ["hter"]}, ["“hter”"]),
        ({"references": ["B"]}, ["There is no reference “B”. Known: A."]),
        ({"metrics": ["blue"], "references": ["B"]}, ["“blue”", "“B”"]),
    ],
)
def test_metrics_and_references_that_are_not_there(
    reader: Client, campaign: Campaign, wish: dict[str, Any], told: list[str]
) -> None:
    code, said = asked(reader, f"test-sets/{campaign.test_set.slug}/metrics", wish)
    assert code == 422
    assert [words for words in told if words not in said] == []
    assert not Run.objects.exists()


def test_a_test_set_without_a_reference_is_not_scored(reader: Client, campaign: Campaign) -> None:
    Reference.objects.all().delete()
    code, said = asked(reader, f"test-sets/{campaign.test_set.slug}/metrics", {})
    assert (code, said) == (422, "The test set “Harbour and orchard” has no reference.")
    page = reader.post(f"/campaigns/{campaign.slug}/metrics/score/", {"metrics": ["bleu"]}, follow=True)
    assert "has no reference" in page.content.decode()
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"analyses": ["rankng", "agreement"]}, ["“rankng”", "ranking, agreement"]),
        ({"analyses": ["errors"]}, ["“errors”"]),
        ({"recipe": "wmt42"}, ["“wmt42”", "assay, wmt-crowd"]),
        ({"options": {"resamples": 10**12}}, ["resamples must be a whole number from 1 to 1000000"]),
        ({"options": {"interval_resamples": 0}}, ["interval_resamples must be a whole number from 1 to 100000"]),
        ({"options": {"seed": -1, "bins": 1}}, ["seed must be", "bins must be a whole number from 2 to 100"]),
        ({"options": {"without": ["nobody"]}}, ["Not an annotator of this campaign: “nobody”"]),
        ({"analyses": ["rankng"], "recipe": "wmt42"}, ["“rankng”", "“wmt42”"]),
    ],
)
def test_analyses_recipes_and_options_that_are_not_there(
    reader: Client, campaign: Campaign, wish: dict[str, Any], told: list[str]
) -> None:
    code, said = asked(reader, f"campaigns/{campaign.slug}/runs", wish)
    assert code == 422
    assert [words for words in told if words not in said] == []
    assert not Run.objects.exists()


def test_people_are_compared_with_metrics_that_there_are(reader: Client, campaign: Campaign) -> None:
    address = f"campaigns/{campaign.slug}/segments/runs"
    ImportedScores.objects.create(
        test_set=campaign.test_set, metric="Sage", level="segment", file_name="Sage.seg.score", is_whole=True
    )
    code, said = asked(reader, address, {"metric": "sage"})
    assert code == 422
    assert said.startswith("Unknown metric “sage”. Allowed: bleu, ")
    assert said.endswith(", Sage.")
    page = f"/campaigns/{campaign.slug}/segments/"
    assert "“sage”" in reader.post(f"{page}compute/?metric=sage", follow=True).content.decode()
    assert reader.post(f"{page}refresh/?metric=sage").status_code == 422
    assert not Run.objects.exists()
    assert asked(reader, address, {"metric": "Sage"})[0] == 202


def test_only_failures_of_what_the_page_asks_for_stand_on_it(reader: Client, campaign: Campaign) -> None:
    """Somebody's attempt with other resamples, or an old one with a typo, says nothing of the campaign."""
    common: dict[str, Any] = {"references": None, "by": None}
    page = f"/campaigns/{campaign.slug}/metrics/"
    others: list[dict[str, Any]] = [
        {"metrics": ["blue"]},
        {"metrics": None, "resamples": 7},
        {"metrics": None, "references": ["B"]},
    ]
    for wish in others:
        Run.objects.create(
            kind="metric_scores", test_set=campaign.test_set, arguments=common | wish, status=RunStatus.FAILED,
            error="That was somebody’s own.",
        )  # fmt: skip
        assert "That was somebody’s own." not in reader.get(page).content.decode()
    Run.objects.create(
        kind="metric_scores", test_set=campaign.test_set, arguments=common | {"metrics": ["bleu"]},
        status=RunStatus.FAILED, error="There was no memory left.",
    )  # fmt: skip
    assert "There was no memory left." in reader.get(page).content.decode()
    running = Run.objects.create(
        kind="metric_scores", test_set=campaign.test_set, arguments=common | others[1], status=RunStatus.RUNNING
    )
    assert "Metric scores are being computed." in reader.get(page).content.decode(), "one at a time, whoever asked"
    running.delete()
