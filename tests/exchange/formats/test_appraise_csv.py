"""Small exports of Appraise: invented accounts, systems and documents."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from annotation.models import Item, Judgment, Score
from campaigns.models import Campaign, System
from campaigns.reading.problems import Problems
from exchange.formats.appraise_cells import read_document_name
from exchange.formats.appraise_csv import read_appraise_csv
from exchange.judgment_files import CampaignOutcome, import_judgments
from exchange.reading import ImportFileError
from exchange.staging.judgments import JudgmentRow, Reading, TextRow

PLAIN = "anna,Heron,1,TGT,eng,deu,70,harbour,False,100.5,104.75"
Write = Callable[..., Path]


@pytest.fixture
def export(tmp_path: Path) -> Write:
    def write(*lines: str, name: str = "scores.csv") -> Path:
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


def read(path: Path, **options: str) -> tuple[list[JudgmentRow], Reading]:
    reading = Reading(path, path.name, Problems(), **options)
    return [row for row in read_appraise_csv(reading) if isinstance(row, JudgmentRow)], reading


def load(path: Path, **options: str) -> CampaignOutcome:
    return import_judgments(path, format="appraise-csv", name="Harbour", **options)  # type: ignore[arg-type]


def test_a_row_is_one_score_with_its_times(export: Write) -> None:
    (row,), reading = read(export(PLAIN))
    assert (row.annotator, row.system, row.document, row.segment) == ("anna", "Heron", "harbour", "1")
    assert (row.protocol, row.kind, row.measure, row.value) == ("direct_assessment", "regular", "score", 70)
    assert isinstance(row.submitted, datetime)
    assert (row.elapsed_ms, row.submitted.timestamp()) == (4250, 104.75)
    assert (reading.source_language, reading.target_language) == ("en", "de")


@pytest.mark.parametrize(
    "line",
    [
        "anna,Heron,1,TGT,eng,deu,70,harbour,False",
        "anna,Heron,1,TGT,eng,deu,70,harbour,False,100,104,7,5512",
        "anna,Heron,1,TGT,eng,deu,70,harbour,False,[],100,104",
        "anna,Heron,1,TGT,eng,deu,70,harbour,False,[],100,104,7,5512",
        "anna,Heron,1,TGT,eng,deu,70,harbour,False,[]",
    ],
)
def test_columns_that_were_not_exported_may_be_missing(export: Write, line: str) -> None:
    (row,), reading = read(export(line))
    assert reading.problems.count == 0
    assert (row.document, row.value, row.assignment) == ("harbour", 70, "7" if line.endswith("5512") else "")
    assert row.protocol == ("esa" if "[]" in line else "direct_assessment")


def test_without_documents_each_item_is_its_own_document(export: Write) -> None:
    rows, _ = read(export("anna,Heron,12,TGT,eng,deu,70,100,104", "anna,Rook,12,TGT,eng,deu,60,105,109"))
    assert [(row.document, row.segment, row.system) for row in rows] == [("12", "12", "Heron"), ("12", "12", "Rook")]


def test_a_header_tells_the_columns_in_any_order_and_unknown_ones_are_named(export: Write) -> None:
    (row,), reading = read(
        export("score,mood,username,system,itemId,itemType,docId,isDocScore", "70,fine,anna,Heron,1,TGT,harbour,True")
    )
    assert (row.annotator, row.measure, row.segment, row.value) == ("anna", "document_score", "", 70)
    assert reading.problems.notes == ["Unknown columns, ignored: mood."]


def test_types_of_items_are_kinds_and_tutorials_practice(export: Write) -> None:
    rows, _ = read(
        export(
            PLAIN,
            PLAIN.replace("1,TGT", "2,BAD").replace("harbour", "harbour#bad1"),
            PLAIN.replace("1,TGT", "3,CHK"),
            PLAIN.replace("1,TGT", "4,REF"),
            PLAIN.replace("1,TGT", "5,TGT").replace("harbour", "my-tutorial2"),
        )
    )
    assert [row.kind for row in rows] == ["regular", "degraded", "repeat", "reference", "practice"]
    assert {row.document for row in rows} == {"harbour", "my-tutorial2"}


def test_copies_and_incomplete_documents_are_left_out_and_counted(export: Write) -> None:
    rows, reading = read(
        export(PLAIN, *(PLAIN.replace("harbour", f"harbour#{mark}") for mark in ("dup", "duplicate3", "incomplete")))
    )
    assert len(rows) == 1
    assert sorted(reading.problems.notes) == [
        "Rows left out, duplicates that fill up a list (#duplicate): 2.",
        "Rows left out, incomplete documents (#incomplete): 1.",
    ]


def test_the_newest_of_several_rows_for_an_item_is_current(export: Write) -> None:
    newest = PLAIN.replace(",70,", ",90,").replace("104.75", "999")
    rows, reading = read(export(newest, PLAIN, PLAIN.replace("anna", "ben")))
    assert [(row.annotator, row.value, row.revision) for row in rows] == [
        ("anna", 70, 1),
        ("anna", 90, 2),
        ("ben", 70, 1),
    ]
    assert reading.problems.notes == ["Rows replaced by a later answer to the same item: 1."]


def test_the_name_of_a_document_is_read_in_its_parts() -> None:
    assert read_document_name("news#1-10", "Heron") == ("news#1-10", "", False, False, False)
    assert read_document_name("news#Heron#bad7", "wmt.Heron") == ("news", "Heron", True, False, False)
    assert read_document_name("news#refA#duplicate1", "refA") == ("news", "refA", False, True, False)


LISTED = """anna,set.Heron,1,TGT,eng,deu,10,harbour#Heron,False,[],1,2
anna,set.Heron,2,TGT,eng,deu,20,harbour#Heron,False,[],3,4
anna,set.Rook,3,TGT,eng,deu,30,harbour#Rook,False,[],5,6
ben,set.Owl,1,TGT,eng,deu,99,quay#Owl,False,[],1,2
ben,set.Rook,2,TGT,eng,deu,40,harbour#Rook,False,[],3,4
ben,set.Rook,3,BAD,eng,deu,5,harbour#Rook#bad1,False,[],5,6
cleo,set.Heron,2,TGT,eng,deu,25,harbour#Heron,False,[],3,4
""".splitlines()


def test_numbers_of_a_list_become_places_in_documents(export: Write) -> None:
    rows, reading = read(export(*LISTED))
    assert {(row.annotator, row.system, row.document, row.segment, row.value) for row in rows} == {
        ("anna", "Heron", "harbour", "1", 10),
        ("anna", "Heron", "harbour", "2", 20),
        ("anna", "Rook", "harbour", "1", 30),
        ("ben", "Rook", "harbour", "2", 40),  # goes on where the other list ended
        ("ben", "Rook", "harbour", "2", 5),
        ("ben", "Owl", "quay", "1", 99),
        ("cleo", "Heron", "harbour", "2", 25),  # the same list as anna's
    }
    assert reading.problems.notes[0] == (
        "Document harbour of set.Rook is in several lists. Its parts were joined in this order: anna, ben."
    )


def test_a_document_judged_again_in_another_list_has_the_same_segments(export: Write) -> None:
    again = [
        line.replace("anna", "dora").replace("Heron,1,", "Heron,7,").replace("Heron,2,", "Heron,8,")
        for line in LISTED[:2]
    ]
    rows, _ = read(export(*LISTED[:3], *again))
    assert [row.segment for row in rows if row.annotator == "dora"] == ["1", "2"]


def test_numbers_that_begin_anew_in_each_document_are_places_already(export: Write) -> None:
    rows, _ = read(export(PLAIN, PLAIN.replace("harbour", "quay"), PLAIN.replace(",1,TGT", ",9,TGT")))
    assert [(row.document, row.segment) for row in rows] == [("harbour", "1"), ("quay", "1"), ("harbour", "9")]


def test_segments_are_read_in_their_order(export: Write) -> None:
    path = export(*(PLAIN.replace(",1,TGT", f",{item},TGT") for item in (10, 9, 2)), PLAIN.replace("harbour", "quay"))
    texts = [row for row in read_appraise_csv(Reading(path, path.name, Problems())) if isinstance(row, TextRow)]
    assert [(row.document, row.segment) for row in texts] == [
        ("harbour", "2"),
        ("harbour", "9"),
        ("harbour", "10"),
        ("quay", "1"),
    ]


SPANS = (
    '"[{""start_i"":3,""end_i"":5,""severity"":""major"",""error_type"":null},'
    '{""start_i"":""missing"",""end_i"":""missing"",""severity"":""minor"",""error_type"":null},'
    '{""start_i"":1,""end_i"":1,""severity"":""undecided""}]"'
)


def test_spans_are_half_open_and_an_omission_has_no_extent(export: Write) -> None:
    (row,), reading = read(export(f"anna,Heron,1,TGT,eng,deu,70,harbour,False,{SPANS},100,104"))
    assert row.protocol == "esa"
    assert row.answer == (
        '{"cannot_judge":null,"comment":"","slots":{"A":{"score":70,"spans":['
        '{"end":6,"note":"","severity":"major","side":"target","start":3},'
        '{"end":0,"note":"","severity":"minor","side":"target","start":0},'
        '{"end":2,"note":"","severity":"neutral","side":"target","start":1}]}}}'
    )
    assert reading.problems.notes == [
        "Omissions without a position, put at the start of the text: 1.",
        "Errors without a severity, read as neutral: 1, in lines 1.",
    ]


def test_another_protocol_takes_the_scores_alone(export: Write) -> None:
    (row,), _ = read(export(f"anna,Heron,1,TGT,eng,deu,70,harbour,False,{SPANS},1,2"), protocol="direct_assessment")
    assert (row.protocol, row.answer, row.value) == ("direct_assessment", "", 70)


@pytest.mark.django_db
def test_every_bad_row_is_reported_with_its_line(export: Write) -> None:
    path = export(
        PLAIN,
        PLAIN.replace(",70,", ",170,"),
        PLAIN.replace("TGT", "TGX"),
        PLAIN + ",more",
        PLAIN.replace("100.5", "noon").replace("anna", ""),
        PLAIN.replace("False", "perhaps"),
    )
    with pytest.raises(ImportFileError) as refused:
        load(path)
    assert [line.split(": ")[0] for line in str(refused.value).splitlines()] == [
        "scores.csv, line 2, score",
        "scores.csv, line 3, type",
        "scores.csv, line 4",
        "scores.csv, line 5, annotator",
        "scores.csv, line 5, started",
        "scores.csv, line 6, is_document",
    ]


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ("[nothing", "not valid JSON"),
        ('"{""a"": 1}"', "must be a JSON list"),
        ("[7]", "must be a JSON object"),
        ('"[{""severity"": ""dreadful""}]"', "Unknown severity"),
        ('"[{""severity"": ""minor"", ""start_i"": 5, ""end_i"": 2}]"', "its start must not be after its end"),
    ],
)
def test_impossible_spans_are_reported(export: Write, spans: str, message: str) -> None:
    _, reading = read(export(f"anna,Heron,1,TGT,eng,deu,70,harbour,False,{spans},100,104"))
    assert [(problem.line, problem.column) for problem in reading.problems.listed] == [(1, "spans")]
    assert message in str(reading.problems.listed[0])


@pytest.mark.django_db
@pytest.mark.parametrize("line", ["anna,Heron,1,TGT,eng,deu", PLAIN + ",1,2,3", "username,system,score"])
def test_a_file_of_another_shape_is_refused(export: Write, line: str) -> None:
    with pytest.raises(ImportFileError, match=r"not an export|has no column"):
        load(export(line))


@pytest.mark.django_db
def test_a_campaign_is_made_of_one_language_pair(export: Write) -> None:
    path = export(PLAIN, PLAIN.replace("deu", "ces").replace("anna", "ben"))
    with pytest.raises(ImportFileError, match="Several language pairs: en-cs, en-de"):
        load(path)
    outcome = load(path, source_language="en", target_language="cs")
    test_set = Campaign.objects.get().test_set
    assert (test_set.source_language, test_set.target_language) == ("en", "cs")
    assert (outcome.report["judgments"], Judgment.objects.get().annotator.username) == (1, "ben")


@pytest.mark.django_db
def test_what_was_read_is_stored(export: Write) -> None:
    bad = PLAIN.replace("1,TGT", "2,BAD").replace("harbour", "harbour#bad1").replace(",70,", ",9,")
    doc = PLAIN.replace("False", "True").replace("1,TGT", "3,TGT")
    practice = PLAIN.replace("Heron,1", "tutorial,4").replace("harbour", "tutorial")
    newer = PLAIN.replace(",70,", ",80,").replace("104.75", "300")
    outcome = load(export(newer, PLAIN, bad, doc, practice))
    campaign = Campaign.objects.get()
    assert (campaign.protocol, campaign.options) == ("direct_assessment", {"document_scores": True})
    assert [system.name for system in campaign.systems.all()] == ["Heron"]  # tutorials have no results
    assert System.objects.filter(name="tutorial").exists()
    assert (outcome.report["judgments"], outcome.report["systems"]) == (5, 1)
    assert sorted(Item.objects.values_list("kind", "level", "position", "revision")) == [
        ("degraded", "segment", 2, 1),
        ("practice", "segment", 4, 1),
        ("regular", "document", 3, 1),
        ("regular", "segment", 1, 2),
    ]
    current = Score.objects.filter(judgment__is_current=True, judgment__item__kind="regular")
    assert sorted(current.values_list("measure", "value")) == [("document_score", 70), ("score", 80)]


@pytest.mark.django_db
def test_the_newest_of_answers_to_a_degraded_item_is_current_too(export: Write) -> None:
    bad = PLAIN.replace("1,TGT", "2,BAD").replace("harbour", "harbour#bad1")
    load(export(bad, bad.replace(",70,", ",20,").replace("104.75", "300")))
    assert list(Score.objects.filter(judgment__is_current=True).values_list("value", flat=True)) == [20]
