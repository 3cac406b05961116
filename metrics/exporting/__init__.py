"""Campaigns as files, streamed: one module a format, and the explicit dict of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from metrics.exporting.adjudications_csv import write_adjudications
from metrics.exporting.assay_csv import write_judgments
from metrics.exporting.metric_scores import write_segment_scores, write_system_scores
from metrics.exporting.spans_csv import write_spans
from metrics.exporting.wmt_mqm_tsv import write_wmt_mqm


@dataclass(frozen=True)
class ExportFormat:
    """`write` yields the file piece by piece, in memory that does not grow with the campaign."""

    title: str | Promise
    description: str | Promise
    suffix: str
    content_type: str
    write: Callable[[Campaign], Iterator[bytes]]


FORMATS: dict[str, ExportFormat] = {
    "csv": ExportFormat(
        _("Judgments"),
        _("One row for each judgment, translation and measure; every revision, with times and texts"),
        "judgments.csv",
        "text/csv; charset=utf-8",
        write_judgments,
    ),
    "spans-csv": ExportFormat(
        _("Error spans"),
        _("One row for each marked error: offsets, category, severity"),
        "spans.csv",
        "text/csv; charset=utf-8",
        write_spans,
    ),
    "adjudications-csv": ExportFormat(
        _("Adjudications"),
        _("One row for each decision, system and measure, with its reason; decisions that were undone, too"),
        "adjudications.csv",
        "text/csv; charset=utf-8",
        write_adjudications,
    ),
    "wmt-mqm-tsv": ExportFormat(
        _("MQM ratings as at WMT"),
        _("One line for each marked error, in its text between <v> and </v>; judgments that count, no control items"),
        "mqm.tsv",
        "text/tab-separated-values; charset=utf-8",
        write_wmt_mqm,
    ),
    "metric-systems-csv": ExportFormat(
        _("Metric scores of systems"),
        _("One row for each automatic metric and system, counted here or imported, with interval and signature"),
        "metric-systems.csv",
        "text/csv; charset=utf-8",
        write_system_scores,
    ),
    "metric-segments-csv": ExportFormat(
        _("Metric scores of segments"),
        _("One row for each automatic metric, system and segment"),
        "metric-segments.csv",
        "text/csv; charset=utf-8",
        write_segment_scores,
    ),
}


def export_rows(campaign: Campaign, format: str) -> Iterator[bytes]:
    """The file in pieces, for a response or a file; KeyError for an unknown format."""
    return FORMATS[format].write(campaign)


def file_name(campaign: Campaign, format: str) -> str:
    return f"{campaign.slug}.{FORMATS[format].suffix}"
