"""The overview's tables as CSV files."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for
from frontend.csv_file import csv_file
from frontend.organiser.overview_words import days_of
from metrics.progress.overview import AnnotatorLine, overview_of

ANNOTATOR_COLUMNS = (
    "annotator",
    "assignments",
    "done",
    "total",
    "judgments",
    "seconds_median",
    "last_judgment",
    "attention",
    "left_out",
    "program",
)


@login_required
@require_safe
def annotators_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    rows = (_annotator_row(line) for line in overview_of(campaign).lines)
    return csv_file(f"{slug}-annotators", ANNOTATOR_COLUMNS, rows)


@login_required
@require_safe
def days_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    days = days_of(overview_of(campaign))
    return csv_file(f"{slug}-days", ("day", "judgments", "sum"), ((day.day, day.judged, day.sum) for day in days))


@login_required
@require_safe
def hours_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    return csv_file(f"{slug}-hours", ("hour", "judgments"), enumerate(overview_of(campaign).hours))


def _annotator_row(line: AnnotatorLine) -> tuple[object, ...]:
    last = line.last_judgment.isoformat() if line.last_judgment else ""
    attention = " ".join(line.concerns)
    left_out = "yes" if line.person.is_excluded else "no"
    share = line.share
    return (
        line.person.username,
        share.assignments,
        share.done,
        share.total,
        line.judged,
        line.seconds_median,
        last,
        attention,
        left_out,
        "yes" if line.person.is_program else "no",
    )
