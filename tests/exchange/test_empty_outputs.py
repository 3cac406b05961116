"""Translations that are empty or missing: judged as empty or gaps, always of their systems alone."""

import io
import json
from collections.abc import Callable
from pathlib import Path

from django.core.management import call_command

import pytest

from annotation.queries.plan_documents import plan_documents
from campaigns.models import Campaign, Segment, TestSet, Translation
from exchange.exports import export_rows
from exchange.formats.parallel_text import ImportFiles
from exchange.reading import ImportFileError
from exchange.test_set_files import GAP, Inspection, import_test_set, inspect
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.planned_campaign import fetched, items_to_judge, judge, make_planned_campaign, take

TABLE = "document,segment,source,Heron,Kestrel\nd,1,One,Eins, \nd,2,Two,,Zwei\nd,3,Three,Drei,Drei\n"
XML = """<dataset><doc id="d">
<src lang="en"><seg id="1">One</seg><seg id="2">Two</seg><seg id="3">Three</seg><seg id="4">Four</seg></src>
<hyp system="Heron"><seg id="1">FAILED</seg><seg id="2"/><seg id="3">Drei</seg></hyp>
<hyp system="Kestrel"><seg id="1">Eins</seg><seg id="2">Zwei</seg><seg id="3">Drei</seg><seg id="4">Vier</seg></hyp>
</doc></dataset>"""
SETTINGS = {"name": "set", "source_language": "en", "target_language": "de"}
OUTPUTS = ("segment__name", "system__name", "text")


def stored(tmp_path: Path, content: str, name: str = "set.csv", **options: str) -> TestSet:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return import_test_set(ImportFiles(path=path), **SETTINGS | options).test_set  # type: ignore[arg-type]


def looked(tmp_path: Path, *lines: object) -> Inspection:
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    return inspect(ImportFiles(path=path))


def segment(number: object = 1, **changes: object) -> dict[str, object]:
    return {"document": "d", "segment": number, "source": "One", "translations": {"Heron": "Eins"}} | changes


def sentences(inspection: Inspection) -> list[str]:
    return list(inspection.problems.sentences())


@pytest.mark.django_db
def test_empty_outputs_are_judged_as_empty_by_default(tmp_path: Path) -> None:
    test_set = stored(tmp_path, TABLE)
    assert Translation.objects.filter(text="").count() == 2
    assert Translation.objects.count() == 6
    assert test_set.report["empty_outputs"] == {"Kestrel": 1, "Heron": 1}


@pytest.mark.django_db
def test_a_gap_is_of_its_system_alone(tmp_path: Path) -> None:
    test_set = stored(tmp_path, TABLE, empty_outputs=GAP)
    assert list(Translation.objects.order_by("segment__position", "system__name").values_list(*OUTPUTS)) == [
        ("1", "Heron", "Eins"),
        ("2", "Kestrel", "Zwei"),
        ("3", "Heron", "Drei"),
        ("3", "Kestrel", "Drei"),
    ]
    assert Segment.objects.count() == 3
    (planned,) = plan_documents(test_set, test_set.systems.all())
    assert [len(each.outputs) for each in planned.segments] == [1, 1, 2]


@pytest.mark.django_db
def test_another_decision_makes_another_test_set_of_the_same_files(tmp_path: Path) -> None:
    stored(tmp_path, TABLE)
    with pytest.raises(ImportFileError, match="Another test set has the name"):
        stored(tmp_path, TABLE, empty_outputs=GAP)


@pytest.mark.django_db
def test_failed_and_absent_outputs_of_wmt_are_gaps_whatever_was_decided(tmp_path: Path) -> None:
    test_set = stored(tmp_path, XML, "set.xml")
    own = Translation.objects.filter(system__name="Heron").order_by("segment__position")
    assert list(own.values_list("segment__name", "text")) == [("2", ""), ("3", "Drei")]
    assert Segment.objects.count() == 4
    assert test_set.report["missing_outputs"] == {"Heron": 2}
    assert test_set.report["empty_outputs"] == {"Heron": 1}


def test_null_in_json_lines_is_a_gap(tmp_path: Path) -> None:
    nothing = segment(2, translations={"Heron": None, "Kestrel": None}, references={"A": None})
    inspection = looked(tmp_path, segment(translations={"Heron": "Eins", "Kestrel": None}), nothing)
    assert sentences(inspection) == []
    assert inspection.segments == 2
    assert inspection.missing_outputs == {"Heron": 1}


def test_duplicates_behind_a_bad_row_are_reported_with_it(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text("document,segment,source,Heron\nd,1,,Eins\nd,1,One,Eins\nd,1,One,Eins\n", encoding="utf-8")
    assert sentences(inspect(ImportFiles(path=path))) == [
        "set.csv, line 2, source: Empty source. Fill it in, or leave the segment out.",
        "set.csv, line 3, segment: Segment 1 occurs twice in “d”, first in line 2.",
        "set.csv, line 4, segment: Segment 1 occurs twice in “d”, first in line 2.",
    ]


def test_all_problems_of_an_object_are_reported_at_once_with_values_as_json(tmp_path: Path) -> None:
    inspection = looked(
        tmp_path,
        segment(True, source="", title=None, domain={"a": None}, translations={"Heron": False}, tags="ä"),
        segment(2, suggested={"Heron": [{"start": None, "end": 2, "severity": True}]}),
    )
    assert sorted(sentences(inspection)) == [
        'set.jsonl, line 1, domain: This must be a text. ({"a": null})',
        "set.jsonl, line 1, segment: This must be a text. (true)",
        "set.jsonl, line 1, source: Empty source. Fill it in, or leave the segment out.",
        'set.jsonl, line 1, tags: Tags must be a list of texts. ("ä")',
        'set.jsonl, line 1, translations: This must be an object of texts by name. ({"Heron": false})',
        "set.jsonl, line 2, suggested.Heron.0: Start and end must be whole numbers: characters (code points), counted "
        "from 0. (null, 2)",
        "set.jsonl, line 2, suggested.Heron.0: The severity must be one of neutral, minor, major, critical. (true)",
    ]


def test_every_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    for name in ("source.txt", "heron.txt"):
        (tmp_path / name).write_bytes(b"\x89PNG\r\n\x1a\n")
    inspection = inspect(ImportFiles(source=tmp_path / "source.txt", systems={"Heron": tmp_path / "heron.txt"}))
    assert sentences(inspection) == [
        f"{name}: This is a picture. Export the texts as CSV or plain text and try again."
        for name in ("heron.txt", "source.txt")
    ]


@pytest.mark.django_db
def test_the_command_takes_the_decision_and_says_what_it_does(tmp_path: Path) -> None:
    path, out = tmp_path / "set.csv", io.StringIO()
    path.write_text(TABLE, encoding="utf-8")
    languages = ["--source-language", "en", "--target-language", "de"]
    call_command("import_test_set", path, "--name", "set", *languages, "--empty-outputs", "gap", stdout=out)
    assert "Outputs left out as gaps: Heron 1, Kestrel 1." in out.getvalue()
    assert Translation.objects.count() == 4


@pytest.mark.django_db
def test_empty_and_missing_outputs_are_judged_counted_exported_and_read_again(
    tmp_path: Path, cast: Cast, reimported: Callable[[Campaign], Campaign]
) -> None:
    campaign = make_planned_campaign(stored(tmp_path, XML, "set.xml"), cast)
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, 70 if fetched(item).texts["A"] else 0)
    ranked = {each["system"]: each for each in analyse(campaign)["analyses"]["ranking"]["systems"]}
    assert {name: (each["judgments"], each["mean"]) for name, each in ranked.items()} == {
        "Heron": (2, 35.0),
        "Kestrel": (4, 70.0),
    }
    before = b"".join(export_rows(campaign, "csv"))
    assert b",'," in before
    assert b"".join(export_rows(reimported(campaign), "csv")) == before
