"""No table runs in a spreadsheet, whatever names its campaign has; a format that must be plain has a guarded twin."""

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.models import ErrorSpan, Judgment
from campaigns.models import Account, Campaign, Document, Segment, System, TestSet, Translation
from exchange.archive.writing import write_archive
from exchange.exports import FORMATS, export_rows
from exchange.judgment_files import import_judgments
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, SMALL, make_mqm, mark
from tests.planned_campaign import items_to_judge, take
from tests.rows_made_once import made_once

RUNS = re.compile(r"\s*[=+\-@＝＋－＠]")
NUMBER = re.compile(r"-?[\d.]+([eE][+-]?\d+)?")
EVIL = '=HYPERLINK("http://evil.example","x")'


def make_hostile(test_set: TestSet, cast: Cast) -> Campaign:
    """Every name and text from outside begins like a formula."""
    campaign = make_mqm(test_set, cast)
    for item in items_to_judge(take(campaign, cast.annotator)):
        mark(item, GRAVE, {**SMALL, "side": "source"})
    for number, system in enumerate(System.objects.order_by("pk")):
        System.objects.filter(pk=system.pk).update(name=f"{EVIL}{number}")
    for number, segment in enumerate(Segment.objects.order_by("pk")):
        Segment.objects.filter(pk=segment.pk).update(name=f"+{number}", source=f"@SUM({number})", tags=["=t"])
    for number, document in enumerate(Document.objects.order_by("pk")):
        Document.objects.filter(pk=document.pk).update(name=f"-{number}", domain="=d")
    for translation in Translation.objects.all():
        Translation.objects.filter(pk=translation.pk).update(text=f"{EVIL}{translation.pk}")
    ErrorSpan.objects.update(note="=cmd|' /C calc'!A0", start=3, end=5)
    Account.objects.filter(pk=cast.annotator.pk).update(username="@anna")
    return campaign


stored, cast, test_set, hostile = made_once(make_hostile)


def running(content: str, delimiter: str) -> Iterator[str]:
    """Cells that a spreadsheet would run; a negative number is one."""
    stream = io.StringIO(content, newline="")
    rows = csv.reader(stream) if delimiter == "," else (line.rstrip("\n").split("\t") for line in stream)
    for row in rows:
        yield from (cell for cell in row if RUNS.match(cell) and not NUMBER.fullmatch(cell))


TABLES = [
    name
    for name, made in FORMATS.items()
    if made.suffix.endswith(("csv", "tsv")) and (made.protocols is None or "mqm" in made.protocols)
]


@pytest.mark.parametrize("format", TABLES)
def test_only_tables_that_warn_have_cells_that_run(hostile: Campaign, format: str) -> None:
    delimiter = "," if FORMATS[format].suffix.endswith("csv") else "\t"
    cells = list(running(b"".join(export_rows(hostile, format)).decode(), delimiter))
    is_announced = "runs cells that begin with" in str(FORMATS[format].description)
    assert bool(cells) == is_announced == (format in {"wmt-mqm-tsv", "marot", "anthea"})


def test_tables_in_an_archive_do_not_run_either(hostile: Campaign) -> None:
    with zipfile.ZipFile(io.BytesIO(b"".join(write_archive(hostile)))) as archive:
        tables = [name for name in archive.namelist() if name.endswith(".csv")]
        assert {"judgments.csv", "spans.csv"} <= set(tables)
        for name in tables:
            assert list(running(archive.read(name).decode(), ",")) == []


def test_both_ways_of_writing_come_back_as_the_same_texts(hostile: Campaign, tmp_path: Path) -> None:
    copies = []
    for format in ("wmt-mqm-tsv", "wmt-mqm-tsv-guarded"):
        path = tmp_path / f"{format}.tsv"
        path.write_bytes(b"".join(export_rows(hostile, format)))
        campaign = import_judgments(path, format="wmt-mqm-tsv", name=format).campaign
        translations = Translation.objects.filter(system__test_set=campaign.test_set_id)
        notes = ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign)
        copies.append(
            (
                sorted(translations.values_list("system__name", "segment__source", "text")),
                sorted(notes.values_list("note", "start", "end")),
                Judgment.objects.filter(item__assignment__campaign=campaign).count(),
            )
        )
    assert copies[0] == copies[1]
    assert copies[0][0][0][0].startswith(EVIL)
