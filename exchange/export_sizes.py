"""How large an exported file would be, without making the caller wait for it."""

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from annotation.models import ErrorSpan, Judgment
from annotation.queries.progress import judgments_by_key, stored_judgments
from campaigns.models import Campaign, Translation
from exchange.export_formats import CSV_WITHOUT_HEADER, LINES
from exchange.exported_judgments import ExportChoice, judgments_of
from exchange.exports import FORMATS
from exchange.formats import appraise_csv_writer
from exchange.formats.wmt_mqm_writer import counted_judgments

SAMPLED = 100
MOST_COUNTED = 20_000  # judgments
FEW_OUTPUTS = 20_000
BY_DOCUMENT = frozenset({"xliff", "xliff-1-2", "tmx", "label-studio"})  # written with some queries a document
FEW_DOCUMENTS = 200
WORKBOOK = "xlsx"
FEW_JUDGMENTS = 2_000  # of which a workbook is written in a second or two


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
    **dict.fromkeys(("csv", "pearmut"), judgments_of),
    "spans-csv": _with_errors,
    "appraise-csv": appraise_csv_writer.written_judgments,
    **dict.fromkeys(
        ("wmt-mqm-tsv", "wmt-mqm-tsv-guarded"),
        lambda campaign, choice: counted_judgments(campaign, choice).distinct(),
    ),
}


def measured(campaign: Campaign, format: str, choice: ExportChoice) -> Measured | None:
    """None if counting would take as long as writing the file, or there is no file."""
    is_large = format.startswith("metric-") or FORMATS[format].is_of_texts
    if FORMATS[format].refusals(campaign) or (is_large and _has_many_outputs(campaign)):
        return None
    if format in BY_DOCUMENT and campaign.test_set.documents.count() > FEW_DOCUMENTS:
        return None
    if format == WORKBOOK and judgments_of(campaign, choice).order_by()[FEW_JUDGMENTS:].exists():
        return None
    if format not in MADE_OF:
        return _written(campaign, format, choice)
    judgments, stored = MADE_OF[format](campaign, choice), stored_judgments(campaign)
    is_of_all = MADE_OF[format] is judgments_of
    if not is_of_all and not choice.left_out and stored > MOST_COUNTED:
        is_of_all = True  # a judgment has as many rows of this file as the first have on average, none included
    first = choice.of_judgments(judgments_by_key(campaign, stored), "") if is_of_all else judgments
    sample = list(first.order_by("pk").values_list("pk", flat=True)[: SAMPLED + 1])
    part = _written(campaign, format, replace(choice, sample=frozenset(sample[:SAMPLED])))
    if len(sample) <= SAMPLED:
        return part
    # attention checks included, as they are counted when they arrive
    counted = stored if is_of_all and not choice.left_out else judgments.order_by().values("pk").count()
    times = counted / SAMPLED
    return Measured(round(part.rows * times), round(part.size * times), is_exact=False)


def _written(campaign: Campaign, format: str, choice: ExportChoice) -> Measured:
    made = FORMATS[format]
    content = b"".join(made.write(campaign, choice))
    if format == WORKBOOK:  # the time in it is packed into some bytes more or less
        return replace(_written(campaign, "csv", choice), size=len(content), is_exact=False)
    if made.files is not None:
        lines = sum(piece.count(b"\n") for _name, pieces in made.files(campaign, choice) for piece in pieces)
        return Measured(lines, len(content), is_exact=True)
    if made.suffix.endswith(".csv"):
        lines = sum(1 for _row in csv.reader(io.StringIO(content.decode(), newline="")))
    else:
        lines = content.count(b"\n")
    header = made.content_type not in (LINES, CSV_WITHOUT_HEADER)
    return Measured(max(lines - header, 0), len(content), is_exact=True)


def _has_many_outputs(campaign: Campaign) -> bool:
    outputs = Translation.objects.filter(segment__document__test_set=campaign.test_set_id).order_by()
    return bool(outputs.values("pk")[FEW_OUTPUTS : FEW_OUTPUTS + 1])
