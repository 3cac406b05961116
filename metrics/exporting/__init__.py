"""Campaigns as files, streamed: one module a table, and the explicit dict of formats."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from metrics.exporting.adjudications_csv import adjudications_table
from metrics.exporting.assay_csv import judgments_table
from metrics.exporting.choice import EVERYTHING, ExportChoice
from metrics.exporting.metric_scores import segment_scores_table, system_scores_table
from metrics.exporting.spans_csv import spans_table
from metrics.exporting.tables import TableOf, as_csv, as_json_lines
from metrics.exporting.wmt_mqm_tsv import write_guarded, write_wmt_mqm

CSV, LINES = "text/csv; charset=utf-8", "application/x-ndjson; charset=utf-8"


@dataclass(frozen=True)
class ExportFormat:
    """`write` yields the file piece by piece, in memory that does not grow with the campaign.

    `as_lines` names the format that holds the same as JSON lines, `same_as` the one that these lines repeat;
    `is_of_errors`: it says something only of campaigns in which errors are marked.
    """

    title: str | Promise
    description: str | Promise
    suffix: str
    content_type: str
    write: Callable[[Campaign, ExportChoice], Iterator[bytes]]
    as_lines: str = ""
    same_as: str = ""
    is_of_errors: bool = False


def _both(
    name: str, title: str | Promise, description: str | Promise, suffix: str, table_of: TableOf
) -> dict[str, ExportFormat]:
    """One table in both forms."""
    lines = "jsonl" if name == "csv" else name.replace("-csv", "-jsonl")
    made = ExportFormat(title, description, f"{suffix}.csv", CSV, as_csv(table_of), as_lines=lines)
    other = replace(
        made,
        suffix=f"{suffix}.jsonl",
        content_type=LINES,
        write=as_json_lines(table_of),
        as_lines="",
        same_as=name,
    )
    return {name: made, lines: other}


FORMATS: dict[str, ExportFormat] = {
    **_both(
        "csv",
        _("Judgments"),
        _("One row for each judgment, translation and measure; every revision, with times and texts"),
        "judgments",
        judgments_table,
    ),
    **_both(
        "spans-csv",
        _("Error spans"),
        _("One row for each marked error: offsets, category, severity"),
        "spans",
        spans_table,
    ),
    **_both(
        "adjudications-csv",
        _("Adjudications"),
        _("One row for each decision, system and measure, with its reason; decisions that were undone, too"),
        "adjudications",
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
        "metric-systems",
        system_scores_table,
    ),
    **_both(
        "metric-segments-csv",
        _("Metric scores of segments"),
        _("One row for each automatic metric, system and segment"),
        "metric-segments",
        segment_scores_table,
    ),
}


def export_rows(campaign: Campaign, format: str, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    """The file in pieces, for a response or a file; KeyError for an unknown format."""
    return FORMATS[format].write(campaign, choice)


def file_name(campaign: Campaign, format: str) -> str:
    return f"{campaign.slug}.{FORMATS[format].suffix}"
