"""How annotators answered attention checks: for the campaign's page, and as CSV."""

from typing import Any

from django.http import HttpResponse

from annotation.queries.checks import CheckOutcome, check_outcomes, checks_by_annotator
from campaigns.models import Campaign
from frontend.access import RUNS_IT, SignedInRequest
from frontend.campaign_pages import campaign_view
from frontend.downloads import csv_file

COLUMNS = [
    "annotator", "check", "name", "document", "kind", "imported", "first_attempt", "rules_not_met", "answered",
    "attempts", "newest_attempt",
]  # fmt: skip


def checks_context(campaign: Campaign) -> dict[str, Any]:
    """Nothing for a campaign without checks."""
    checks = list(campaign.attention_checks.values_list("is_loud", "is_imported"))
    if not checks:
        return {}
    return {
        "checks": {
            "count": len(checks),
            "loud": sum(is_loud for is_loud, _imported in checks),
            "imported": sum(is_imported for _loud, is_imported in checks),
            "rows": checks_by_annotator(campaign),
            "share": campaign.plan_options.get("check_share"),
        }
    }


@campaign_view(RUNS_IT)
def checks_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """A row for each check served to an annotator, with its first attempt and its newest."""
    return csv_file(f"{campaign.slug}-attention-checks", COLUMNS, map(_row, check_outcomes(campaign)))


def _row(one: CheckOutcome) -> tuple[object, ...]:
    return (
        one.annotator,
        one.check,
        one.name,
        one.document,
        "loud" if one.is_loud else "silent",
        "yes" if one.is_imported else "no",
        _outcome(one.first),
        one.unmet,
        one.answered_at.isoformat() if one.answered_at else "",
        one.attempts,
        _outcome(one.newest),
    )


def _outcome(is_passed: bool | None) -> str:
    return {None: "", True: "passed", False: "failed"}[is_passed]
