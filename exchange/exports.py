"""Campaigns as streamed files: the explicit dict of formats, and how large each file would be."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import ErrorSpan, Judgment
from campaigns.models import Campaign, Translation
from exchange.exported_judgments import EVERYTHING, ExportChoice, judgments_of
from exchange.formats.adjudications_csv import adjudications_table
from exchange.formats.assay_csv import judgments_table
from exchange.formats.metric_scores import segment_scores_table, system_scores_table
from exchange.formats.spans_csv import spans_table
from exchange.formats.wmt_mqm_writer import counted_judgments, write_guarded, write_wmt_mqm
from exchange.tables.csv_and_json import TableOf, as_csv, as_json_lines

CSV, LINES = "text/csv; charset=utf-8", "application/x-ndjson; charset=utf-8"


@dataclass(frozen=True)
class ExportFormat:
    """`write` yields the file piece by piece, in memory that does not grow with the campaign.

    `as_lines` names the format with the same content as JSON lines, `same_as` the one that these lines repeat;
    `is_of_errors`: it is useful only for campaigns in which errors are marked.
    """

    title: Promise
    description: Promise
    suffix: str
    content_type: str
    write: Callable[[Campaign, ExportChoice], Iterator[bytes]]
    as_lines: str = ""
    same_as: str = ""
    is_of_errors: bool = False


def _both(
    name: str, title: Promise, description: Promise, table_of: TableOf, *, is_of_errors: bool = False
) -> dict[str, ExportFormat]:
    """One table in both formats."""
    suffix, lines = ("judgments", "jsonl") if name == "csv" else (name[:-4], name.replace("-csv", "-jsonl"))
    return {
        name: ExportFormat(
            title, description, f"{suffix}.csv", CSV, as_csv(table_of), as_lines=lines, is_of_errors=is_of_errors
        ),
        lines: ExportFormat(title, description, f"{suffix}.jsonl", LINES, as_json_lines(table_of), same_as=name),
    }


FORMATS: dict[str, ExportFormat] = {
    **_both(
        "csv",
        _("Judgments"),
        _("One row for each judgment, translation and measure; every revision, with times and texts"),
        judgments_table,
    ),
    **_both(
        "spans-csv",
        _("Error spans"),
        _("One row for each marked error: offsets, category, severity"),
        spans_table,
        is_of_errors=True,
    ),
    **_both(
        "adjudications-csv",
        _("Adjudications"),
        _("One row for each decision, system and measure, with its reason; decisions that were undone, too"),
        adjudications_table,
    ),
    "wmt-mqm-tsv": ExportFormat(
        _("MQM ratings as at WMT"),
        _(
            "One line for each marked error, in its text between <v> and </v>; judgments that count, no control items. "
            "For programs: a spreadsheet runs cells that begin with =, +, - or @ as formulas"
        ),
        "mqm.tsv",
        "text/tab-separated-values; charset=utf-8",
        write_wmt_mqm,
        is_of_errors=True,
    ),
    "wmt-mqm-tsv-guarded": ExportFormat(
        _("MQM ratings, for spreadsheets"),
        _(
            "The same with an apostrophe in front of what a spreadsheet would run as a formula, as in other files; "
            "Assay reads both"
        ),
        "mqm-guarded.tsv",
        "text/tab-separated-values; charset=utf-8",
        write_guarded,
        is_of_errors=True,
    ),
    **_both(
        "metric-systems-csv",
        _("Metric scores of systems"),
        _("One row for each automatic metric and system, counted here or imported, with interval and signature"),
        system_scores_table,
    ),
    **_both(
        "metric-segments-csv",
        _("Metric scores of segments"),
        _("One row for each automatic metric, system and segment"),
        segment_scores_table,
    ),
}


def export_rows(campaign: Campaign, format: str, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    """The file in pieces, for a response or a file; KeyError for an unknown format."""
    return FORMATS[format].write(campaign, choice)


def file_name(campaign: Campaign, format: str) -> str:
    return f"{campaign.slug}.{FORMATS[format].suffix}"


SAMPLED = 100
FEW_OUTPUTS = 20_000


@dataclass(frozen=True)
class Measured:
    """`size` in bytes; neither is exact where the file was not written in full."""

    rows: int
    size: int
    is_exact: bool


def _with_errors(campaign: Campaign, choice: ExportChoice) -> "QuerySet[Judgment]":
    marked = ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign)
    return judgments_of(campaign, choice).filter(pk__in=marked.values("judgment"))


# What the rows of a format are made from; all other formats have few.
MADE_OF: Mapping[str, Callable[[Campaign, ExportChoice], "QuerySet[Judgment]"]] = {
    "csv": judgments_of,
    "spans-csv": _with_errors,
    **dict.fromkeys(
        ("wmt-mqm-tsv", "wmt-mqm-tsv-guarded"),
        lambda campaign, choice: counted_judgments(campaign, choice).distinct(),
    ),
}


def measured(campaign: Campaign, format: str, choice: ExportChoice) -> Measured | None:
    """None if counting would take as long as writing the file."""
    if format.startswith("metric-") and _has_many_outputs(campaign):
        return None
    if format not in MADE_OF:
        return _written(campaign, format, choice)
    judgments = MADE_OF[format](campaign, choice)
    sample = list(judgments.order_by("pk").values_list("pk", flat=True)[: SAMPLED + 1])
    part = _written(campaign, format, replace(choice, sample=frozenset(sample[:SAMPLED])))
    if len(sample) <= SAMPLED:
        return part
    times = judgments.order_by().values("pk").count() / SAMPLED
    return Measured(round(part.rows * times), round(part.size * times), is_exact=False)


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
