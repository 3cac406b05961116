"""Results for Appraise: what was read of published ones comes out again, and comes in once more the same."""

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from annotation.models import ItemKind
from campaigns.models import Campaign, Document, Segment
from exchange.export_sizes import measured
from exchange.exported_judgments import EVERYTHING
from exchange.exports import FORMATS, export_rows
from exchange.judgment_files import import_judgments
from tests.cast import Cast
from tests.exchange.judged_campaign import Judging, judge_one_of_everything
from tests.metrics.real_campaigns import real_case

pytestmark = pytest.mark.django_db
ESA = "240315rc5ESA.scores.csv.gz"
SEVERITY = {None: "neutral", "undecided": "neutral"}
DIRECT = "WMT22.Appraise.calibrationHITs.eng-ces.eng-deu.csv.gz"


def written(campaign: Campaign) -> list[list[str]]:
    return list(csv.reader(io.StringIO(b"".join(export_rows(campaign, "appraise-csv")).decode(), newline="")))


def table_of(campaign: Campaign) -> list[dict[str, str]]:
    """All judgments but their identifiers."""
    rows = csv.DictReader(io.StringIO(b"".join(export_rows(campaign, "csv")).decode(), newline=""))
    return sorted(({**row, "judgment": ""} for row in rows), key=lambda row: tuple(row.values()))


def published(folder: str, name: str, pair: tuple[str, str]) -> list[list[str]]:
    with gzip.open(real_case(folder) / name, "rt", encoding="utf-8", newline="") as stream:
        return [row for row in csv.reader(stream) if (row[4], row[5]) == pair]


def kept_of(row: list[str]) -> tuple[str, ...]:
    """A mark that was never finished has no severity there."""
    marks = json.loads(row[9]) if len(row) > 11 else []
    shown = [f"{mark['start_i']}–{mark['end_i']} {SEVERITY.get(mark['severity'], mark['severity'])}" for mark in marks]
    return (row[0], *row[3:7], row[8], str(float(row[-2])), str(float(row[-1])), *shown)


@pytest.mark.drawn(2)
@pytest.mark.real_data
@pytest.mark.parametrize(
    ("folder", "name", "pair", "protocol"),
    [
        ("esa-wmt23-ende", ESA, ("eng", "deu"), "esa"),
        ("da-wmt22-calibration", DIRECT, ("eng", "ces"), "direct_assessment"),
    ],
)
def test_published_results_come_out_as_they_came_in(
    folder: str, name: str, pair: tuple[str, str], protocol: str, tmp_path: Path
) -> None:
    rows = published(folder, name, pair)
    path = tmp_path / "published.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    first = import_judgments(path, format="appraise-csv", name="First").campaign
    assert first.protocol == protocol
    ours = written(first)
    read = [row for row in rows if "#duplicate" not in row[7] and "#incomplete" not in row[7] and "#dup" not in row[7]]
    assert len(ours) == len(read)
    # names of systems are within those of documents there, and items may count through lists
    assert sorted(map(kept_of, ours)) == sorted(map(kept_of, read))
    (tmp_path / "again.csv").write_bytes(b"".join(export_rows(first, "appraise-csv")))
    second = import_judgments(tmp_path / "again.csv", format="appraise-csv", name="Second").campaign
    assert table_of(second) == table_of(first)


def test_one_of_everything_is_written_in_the_columns_of_appraise(campaign: Campaign, cast: Cast) -> None:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    rows = written(campaign)
    assert {len(row) for row in rows} == {11}
    assert {row[3] for row in rows} <= {"TGT", "BAD", "CHK", "REF"}
    assert {row[7].endswith("#bad") for row in rows if row[3] == "BAD"} == {True}
    told = measured(campaign, "appraise-csv", EVERYTHING)
    assert told is not None
    assert told.rows == len(rows)


def test_a_repeat_is_no_revision_of_the_first_answer(campaign: Campaign, cast: Cast, tmp_path: Path) -> None:
    judging = Judging(campaign, cast.annotator)
    system = campaign.systems.order_by("name")[0]
    segment = Segment.objects.filter(document__test_set=campaign.test_set)[0]
    item = judging.ask(segment, system)
    judging.judge(item, 50)
    judging.judge(judging.ask(segment, system, kind=ItemKind.REPEAT, original=item), 60)
    path = tmp_path / "scores.csv"
    path.write_bytes(b"".join(export_rows(campaign, "appraise-csv")))
    again = import_judgments(path, format="appraise-csv", name="Again")
    assert [note for note in again.report["notes"] if "replaced" in note] == []
    assert {(row["kind"], row["value"], row["revision"]) for row in table_of(again.campaign)} == {
        ("regular", "50", "1"),
        ("repeat", "60", "1"),
    }


def test_what_is_lost_is_told_and_names_of_copies_are_refused(campaign: Campaign, cast: Cast) -> None:
    judging = Judging(campaign, cast.annotator)
    judging.judge(
        judging.ask(Segment.objects.filter(document__test_set=campaign.test_set)[0], campaign.systems.all()[0]),
        50,
        surplus=True,
    )
    told = FORMATS["appraise-csv"].losses(campaign, EVERYTHING)
    assert "Surplus judgments, left out: 1." in told
    assert written(campaign) == []
    assert FORMATS["appraise-csv"].refusals(campaign) == []
    first = Document.objects.filter(test_set=campaign.test_set).order_by("pk")[0]
    Document.objects.filter(pk=first.pk).update(name="ferry#dup2")
    assert "ferry#dup2" in FORMATS["appraise-csv"].refusals(campaign)[0]
    campaign.protocol = "ranking"
    assert "no equal" in FORMATS["appraise-csv"].refusals(campaign)[0]


def test_cells_that_a_spreadsheet_runs_are_announced(campaign: Campaign, cast: Cast) -> None:
    judging = Judging(campaign, cast.annotator)
    segment = Segment.objects.filter(document__test_set=campaign.test_set)[0]
    Document.objects.filter(pk=segment.document_id).update(name="=1+1")
    judging.judge(judging.ask(segment, campaign.systems.all()[0]), 50)
    assert [row[7] for row in written(campaign)] == ["=1+1"]
    assert "runs cells that begin with" in str(FORMATS["appraise-csv"].description)
