"""The file of judgments: its columns, its rows, and the cost of writing it."""

import csv
import io

from django.db import connection
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.models import Judgment, Score
from campaigns.models import Campaign, Segment, TestSet, Translation
from exchange.exports import FORMATS, export_rows, file_name
from exchange.formats.assay_csv_writer import judgments_table
from exchange.tables.csv_and_json import csv_pieces
from metrics.models import DerivedScore
from tests.cast import Cast
from tests.exchange.judged_campaign import Judging, judge_one_of_everything, make_judged
from tests.rows_made_once import made_once
from tests.sample_campaign import make_campaign

COLUMNS = [
    "judgment",
    "annotator",
    "protocol",
    "document",
    "segment",
    "system",
    "kind",
    "measure",
    "value",
    "assignment",
    "position",
    "slot",
    "revision",
    "started",
    "submitted",
    "seconds",
    "active_seconds",
    "answer",
    "source",
    "translation",
    "reference",
    "domain",
    "comment",
]


def rows_of(campaign: Campaign) -> list[dict[str, str]]:
    text = b"".join(export_rows(campaign, "csv")).decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


stored, cast, test_set, judged = made_once(make_judged)


def judged_keys(campaign: Campaign) -> list[int]:
    own = Judgment.objects.filter(item__assignment__campaign=campaign)
    return list(own.order_by("pk").values_list("pk", flat=True))


def test_the_columns_are_those_of_the_format_in_its_order(judged: Campaign) -> None:
    header = b"".join(export_rows(judged, "csv")).split(b"\r\n")[0]
    assert header.decode().split(",") == COLUMNS


def test_a_campaign_without_judgments_is_a_header(test_set: TestSet, cast: Cast) -> None:
    campaign = make_campaign(test_set, cast, name="Unjudged")
    assert b"".join(export_rows(campaign, "csv")).decode() == ",".join(COLUMNS) + "\r\n"
    assert b"".join(export_rows(campaign, "spans-csv")).startswith(b"judgment,annotator,document,segment,system,side,")


def test_every_judgment_has_a_row_for_each_output_it_counts_for(judged: Campaign) -> None:
    rows = rows_of(judged)
    assert len(rows) == 16
    assert {row["judgment"] for row in rows} == set(map(str, Judgment.objects.values_list("client_id", flat=True)))
    shared = [row for row in rows if (row["segment"], row["position"]) == ("2", "2")]
    assert [(row["annotator"], row["system"], row["slot"], row["value"]) for row in shared] == [
        ("anna", "sentinel-wombat", "A", "88.5"),
        ("anna", "sentinel-quokka", "A", "88.5"),
        ("ben", "sentinel-wombat", "A", "90"),
        ("ben", "sentinel-quokka", "A", "90"),
    ]


@pytest.mark.parametrize("protocol", ["direct_assessment", "mqm", "cesa"])
def test_how_much_is_read_and_written_at_once_changes_nothing(
    judged: Campaign, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither does it matter that texts are quoted once: the file is what a writer of CSV makes of the table."""
    judged.protocol = protocol
    Judgment.objects.filter(pk=judged_keys(judged)[0]).update(surplus=True)
    Score.objects.filter(judgment=judged_keys(judged)[1]).delete()
    whole = b"".join(export_rows(judged, "csv"))
    assert whole == b"".join(csv_pieces(*judgments_table(judged)))
    monkeypatch.setattr("exchange.key_windows.AT_ONCE", 3)
    for outputs in (1, 2):
        monkeypatch.setattr("exchange.formats.assay_csv_writer.OUTPUTS", outputs)
        assert b"".join(export_rows(judged, "csv")) == whole


def test_all_revisions_are_there_and_the_highest_is_the_current_one(judged: Campaign) -> None:
    first = [row for row in rows_of(judged) if (row["annotator"], row["position"]) == ("anna", "1")]
    assert [(row["revision"], row["value"]) for row in first] == [("1", "71"), ("2", "64")]
    current = Judgment.objects.get(item__position=1, annotator__username="anna", is_current=True)
    assert first[-1]["judgment"] == str(current.client_id)


def test_a_judgment_that_was_not_possible_keeps_one_row_without_a_number(judged: Campaign) -> None:
    [row] = [row for row in rows_of(judged) if row["value"] == ""]
    assert (row["measure"], row["system"], row["slot"]) == ("", "sentinel-quokka", "A")
    assert '"cannot_judge":"broken_text"' in row["answer"]


def test_rows_of_whole_documents_leave_the_segment_and_the_texts_empty(judged: Campaign) -> None:
    rows = [row for row in rows_of(judged) if row["segment"] == ""]
    assert [(row["system"], row["measure"], row["value"]) for row in rows] == [
        ("sentinel-wombat", "document_score", "70"),
        ("sentinel-quokka", "document_score", "70"),
    ]
    assert {row["source"] + row["translation"] + row["reference"] for row in rows} == {""}


def test_controls_name_the_genuine_segment_and_show_what_was_shown(judged: Campaign) -> None:
    controls = [
        (r["kind"], r["document"], r["segment"], r["translation"]) for r in rows_of(judged) if r["kind"] != "regular"
    ]
    assert controls == [
        ("degraded", "harbour", "1", "Die 🦘 fuhr."),
        ("repeat", "harbour", "1", "Die Fähre fuhr eine Stunde zu spät ab."),
        ("practice", "orchard", "1", "Im August ernteten wir die ersten Birnen."),
    ]


def test_formulas_are_quoted_safe(judged: Campaign) -> None:
    for row in rows_of(judged):
        for column in set(COLUMNS) - {"value"}:
            assert row[column][:1] not in set("=+-@\t\r＝＋－＠"), column


def test_numbers_are_the_shortest_that_read_back_the_same(judged: Campaign) -> None:
    Score.objects.filter(value=71).update(value=0.1 + 0.2)
    assert rows_of(judged)[0]["value"] == "0.30000000000000004"


def test_derived_measures_are_rows_too_by_the_newest_formula(judged: Campaign) -> None:
    judgment = Judgment.objects.order_by("pk")[0]
    translation = Translation.objects.get(scores__judgment=judgment)
    for signature, value in (("old", 5.0), ("new", 6.0)):
        DerivedScore.objects.create(
            judgment=judgment, translation=translation, measure="penalty", signature=signature, value=value
        )
    rows = [row for row in rows_of(judged) if row["judgment"] == str(judgment.client_id)]
    assert [(row["measure"], row["value"]) for row in rows] == [("score", "71"), ("penalty", "6")]


def test_judgments_of_other_campaigns_stay_where_they_are(judged: Campaign, cast: Cast, test_set: TestSet) -> None:
    other = Campaign.objects.create(name="Other", slug="other", test_set=test_set, protocol="direct_assessment")
    other.systems.set(test_set.systems.all())
    segment = Segment.objects.filter(document__test_set=test_set)[0]
    judging = Judging(other, cast.annotator)
    judging.judge(judging.ask(segment, other.systems.order_by("name")[0]), 1)
    assert len(rows_of(other)) == 1
    assert len(rows_of(judged)) == 16


# A workbook has the tables of most others, and files of WMT's task have references.
# Judgments are read thousands at a time, without the names and texts that repeat, which have queries of their own.
METRIC_SCORES = {f"metric-{level}-{kind}": 12 for level in ("systems", "segments") for kind in ("csv", "jsonl")}
QUERIES = {"xlsx": 45, "wmt-genmt": 20, "csv": 15, "jsonl": 15} | METRIC_SCORES


@pytest.mark.drawn(5)
@pytest.mark.parametrize(
    "format", [name for name, made in FORMATS.items() if made.protocols is None or name in QUERIES]
)
def test_the_number_of_queries_does_not_grow_with_the_campaign(judged: Campaign, cast: Cast, format: str) -> None:
    def count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            for _piece in export_rows(judged, format):
                pass
        return len(captured)

    before = count()
    judge_one_of_everything(judged, cast.annotator, cast.second_annotator)
    judge_one_of_everything(judged, cast.annotator, cast.second_annotator)
    assert count() == before <= QUERIES.get(format, 9)


def test_a_file_is_named_for_its_campaign(judged: Campaign) -> None:
    assert file_name(judged, "csv") == "harbour-campaign.judgments.csv"
    assert file_name(judged, "spans-csv") == "harbour-campaign.spans.csv"
