"""How many rows a file has and how large it is, before anybody fetches it: counted where it is small, else estimated.

A few judgments are written as the file would have them; what they take is multiplied by the number of judgments.
"""

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from annotation.models import ErrorSpan, Judgment
from campaigns.models import Campaign, Translation
from metrics.exporting import FORMATS
from metrics.exporting.choice import ExportChoice
from metrics.exporting.wmt_mqm_tsv import counted_judgments

SAMPLED = 100
FEW_OUTPUTS = 20_000


@dataclass(frozen=True)
class Measured:
    """`size` in bytes; neither is exact where the file was not written in full."""

    rows: int
    size: int
    is_exact: bool


def _judgments(campaign: Campaign, choice: ExportChoice) -> "QuerySet[Judgment]":
    return choice.of_judgments(Judgment.objects.filter(item__assignment__campaign=campaign), "")


def _with_errors(campaign: Campaign, choice: ExportChoice) -> "QuerySet[Judgment]":
    marked = ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign)
    return _judgments(campaign, choice).filter(pk__in=marked.values("judgment"))


# What the rows of a format are made of; of all other formats there are few.
MADE_OF: Mapping[str, Callable[[Campaign, ExportChoice], "QuerySet[Judgment]"]] = {
    "csv": _judgments,
    "spans-csv": _with_errors,
    **dict.fromkeys(
        ("wmt-mqm-tsv", "wmt-mqm-tsv-guarded"),
        lambda campaign, choice: counted_judgments(campaign, choice).distinct(),
    ),
}


def measured(campaign: Campaign, format: str, choice: ExportChoice) -> Measured | None:
    """None where it would take as long as the file itself."""
    if format.startswith("metric-") and _has_many_outputs(campaign):
        return None
    judgments = MADE_OF[format](campaign, choice) if format in MADE_OF else None
    if judgments is None:
        return _written(campaign, format, choice)
    sample = list(judgments.order_by("pk").values_list("pk", flat=True)[: SAMPLED + 1])
    if len(sample) <= SAMPLED:
        return _written(campaign, format, replace(choice, sample=frozenset(sample)))
    found = _written(campaign, format, replace(choice, sample=frozenset(sample[:SAMPLED])))
    times = judgments.order_by().values("pk").count() / SAMPLED
    return Measured(round(found.rows * times), round(found.size * times), is_exact=False)


def _written(campaign: Campaign, format: str, choice: ExportChoice) -> Measured:
    content = b"".join(FORMATS[format].write(campaign, choice))
    if FORMATS[format].suffix.endswith(".csv"):
        lines = sum(1 for _row in csv.reader(io.StringIO(content.decode(), newline="")))
    else:
        lines = content.count(b"\n")
    return Measured(max(lines - 1, 0), len(content), is_exact=True)


def _has_many_outputs(campaign: Campaign) -> bool:
    outputs = Translation.objects.filter(segment__document__test_set=campaign.test_set_id).order_by()
    return bool(outputs.values("pk")[FEW_OUTPUTS : FEW_OUTPUTS + 1])
