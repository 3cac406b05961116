"""Passed and failed attention checks by annotator: on the campaign's page, as CSV, in the API."""

import csv
import io
from typing import Any

from django.urls import reverse
from django.utils import timezone

import pytest

from annotation.actions.imported_checks import ImportedCheck, ImportedRow, store_imported_checks
from annotation.models import CheckDraw
from annotation.protocols.check_rules import CheckRule
from annotation.queries.checks import AnnotatorChecks
from campaigns.models import Account, Campaign
from tests.cast import Cast
from tests.frontend.api.api_annotator import by_session
from tests.planned_campaign import make_planned_campaign, take
from tests.sample_screens import SCREEN_SYSTEMS, make_screens


@pytest.fixture
def watched(cast: Cast) -> Campaign:
    """Anna was served three checks, of which she failed two at first and passed one of these later."""
    checks: dict[str, Any] = {"attention_checks": 3, "check_systems": ",".join(SCREEN_SYSTEMS[:3]), "check_share": 1.0}
    campaign = make_planned_campaign(make_screens(), cast, protocol="cesa", check_threshold=1, **checks)
    take(campaign, cast.annotator)
    outcomes = [(True, True), (False, False), (False, True)]
    served = CheckDraw.objects.filter(check_served__isnull=False).order_by("check_served__position")
    for draw, (first, newest) in zip(served, outcomes, strict=True):
        draw.first_passed, draw.is_passed, draw.attempts = first, newest, 1
        draw.first_unmet, draw.first_answered_at = [] if first else [0], timezone.now()
        draw.save()
    return campaign


def test_the_page_counts_first_attempts_and_marks_who_failed_too_many(watched: Campaign, cast: Cast) -> None:
    page = by_session(cast.organiser).client.get(reverse("organiser-overview", args=[watched.slug])).content.decode()
    section = page[page.index('id="checks"') :]
    assert "Checks: 3, loud: 0." in section
    assert "too many failed" in section
    assert "Imported checks" not in section


def test_the_page_says_that_imported_checks_can_be_recognised(watched: Campaign, cast: Cast) -> None:
    rows = [ImportedRow("A source", {"good": "Gut", "bad": "Schlecht"})]
    rule = CheckRule(row=0, system="good", above="bad")
    store_imported_checks(campaign=watched, checks=[ImportedCheck("x", rows, [rule])], by=None)
    page = by_session(cast.organiser).client.get(reverse("organiser-overview", args=[watched.slug])).content.decode()
    assert "Imported checks: 1. They are shown as they were imported, so annotators can recognise them" in page


def test_a_campaign_without_checks_has_no_such_section(cast: Cast) -> None:
    campaign = make_planned_campaign(make_screens(), cast, protocol="cesa")
    page = by_session(cast.organiser).client.get(reverse("organiser-overview", args=[campaign.slug])).content.decode()
    assert "Attention checks" not in page


def test_the_csv_has_a_row_for_each_check_served(watched: Campaign, cast: Cast) -> None:
    response = by_session(cast.organiser).client.get(reverse("organiser-checks-csv", args=[watched.slug]))
    written: bytes = response.getvalue()
    rows = list(csv.DictReader(io.StringIO(written.decode("utf-8-sig"))))
    assert [(row["check"], row["first_attempt"], row["newest_attempt"]) for row in rows] == [
        ("1", "passed", "passed"),
        ("2", "failed", "failed"),
        ("3", "failed", "passed"),
    ]
    assert {row["annotator"] for row in rows} == {cast.annotator.username}


def test_the_api_gives_the_same(watched: Campaign, cast: Cast) -> None:
    answer = by_session(cast.organiser).get("campaigns/planned-campaign/attention-checks")
    assert answer.json() == {
        "checks": 3,
        "loud": 0,
        "imported": 0,
        "share": 1.0,
        "threshold": 1.0,
        "annotators": [
            {
                "annotator": cast.annotator.username,
                "served": 3,
                "passed": 1,
                "failed": 2,
                "passed_later": 1,
                "is_over": True,
            }
        ],
    }


@pytest.mark.parametrize("who", ["annotator", "stranger"])
def test_annotators_and_strangers_get_neither(watched: Campaign, cast: Cast, who: str) -> None:
    account: Account = getattr(cast, who)
    assert by_session(account).get("campaigns/planned-campaign/attention-checks").status_code in (403, 404)
    csv_address = reverse("organiser-checks-csv", args=[watched.slug])
    assert by_session(account).client.get(csv_address).status_code in (403, 404)


@pytest.mark.parametrize(
    ("threshold", "passed", "failed", "is_over"),
    [
        (None, 0, 9, False),
        (0, 3, 0, False),
        (0, 3, 1, True),
        (2, 0, 2, False),
        (2, 0, 3, True),
        (0.5, 2, 2, False),
        (0.5, 1, 2, True),
        (0.2, 0, 0, False),
    ],
)
def test_the_threshold_is_a_number_or_a_share(
    threshold: float | None, passed: int, failed: int, *, is_over: bool
) -> None:
    counted = AnnotatorChecks(Account(), passed + failed, passed, failed, 0, threshold)
    assert counted.is_over is is_over
