"""Files of other tools are recognised by name wherever a table is expected, with advice on what to do."""

import io
import json
import zipfile
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import CommandError

import pytest

from campaigns.models import TestSet
from campaigns.reading.foreign_files import kind_of
from campaigns.reading.people_list import read_people
from exchange.formats.parallel_text import ImportFiles
from exchange.judgment_files import import_judgments
from exchange.reading import ImportFileError
from exchange.test_set_files import inspect
from tests.metrics.real_campaigns import real_case

APPRAISE = [{"items": [{"documentID": "d", "itemID": 0, "itemType": "TGT", "sourceID": "s"}], "task": {"batchNo": 1}}]
PAIRWISE = [{"items": [{"itemID": 0, "segmentID": "s::1", "targets": [{"targetID": "B"}]}]}]
MANIFEST = {"CAMPAIGN_NAME": "News", "CAMPAIGN_NO": 1, "REDUNDANCY": 1, "TASKS_TO_ANNOTATORS": [["eng", "deu"]]}
PEARMUT = {"info": {"assignment": "task-based", "protocol": "ESA"}, "campaign_id": "c", "data": [[]]}
ANNOTATIONS = {"c": [{"annotation": [{}], "actions": [], "item": [{"src": "a"}], "user_id": "ash", "item_i": 0}]}
WMT = {"doc_id": "a", "src_lang": "eng_Latn", "tgt_lang": "deu_Latn", "src_text": "One."}


def zipped(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return content.getvalue()


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (APPRAISE, "batch file of Appraise"),
        (PAIRWISE, "batch file of Appraise"),
        (MANIFEST, "manifest of Appraise"),
        (PEARMUT, "campaign of Pearmut"),
        (ANNOTATIONS, "annotations of Pearmut"),
        (ANNOTATIONS["c"][0], "annotations of Pearmut"),
        (WMT, "test set of WMT's general task"),
        ([{"a": 1}], "one JSON value over the whole file"),
        ([{"items": [], "info": {}}], "Pearmut: no `data`"),
        ([{"items": [], "info": {}}], "Appraise batch: no `task`"),
    ],
)
def test_json_of_others_is_recognised_by_its_shape(value: object, expected: str, indent: int | None) -> None:
    assert expected in str(kind_of(json.dumps(value, indent=indent).encode()))
    assert expected in str(kind_of(json.dumps(value, indent=indent).encode("utf-16")))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (zipped("[Content_Types].xml", "xl/workbook.xml"), "Excel workbook (XLSX)"),
        (zipped("[Content_Types].xml", "word/document.xml"), "Word document"),
        (zipped("settings.json", "rows/judgment.jsonl"), "Rebuild from an archive"),
        (zipped("a.txt"), "a ZIP archive or an Excel workbook"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"\x1f\x8b\x08\x00", "compressed with gzip"),
        (
            b'<?xml version="1.0"?>\n<xliff version="1.2"/>',
            "an XLIFF file of a translation tool. Import it as a test set",
        ),
        (
            '<?xml version="1.0" encoding="UTF-16"?><xliff version="2.0"/>'.encode("utf-16"),
            "an XLIFF file of a translation tool. Import it as a test set",
        ),
        (
            b'\xef\xbb\xbf<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"/>',
            "a translation memory (TMX). Import it as a test set",
        ),
        (b"<!-- x --><martif type='TBX'/>", "(TBX)"),
        (b"<!doctype html><html>", "web page"),
    ],
)
def test_other_kinds_are_recognised_by_their_beginning(content: bytes, expected: str) -> None:
    assert expected in str(kind_of(content))


@pytest.mark.parametrize(
    "content",
    [
        b'{"document": "d", "segment": 1, "source": "\\"items\\": \\"itemType\\": x", "translations": {"items": "a"}}',
        b'{"document": "d", "question": "q", "accepted": ["a"]}',
        b'{"id": 1, "src": "a", "hyp": "b"}\n',
        b"document,segment,source,system:A\n",
        b"<v>marked</v>\ttext\n",
        b'<?xml version="1.0"?><dataset id="x"><doc id="tmx">',
        b"[1] A number in brackets begins this line of a text\n",
        b"{ a brace\n",
        b"[a] bracket begins this line of a text\n",
    ],
)
def test_what_may_be_ours_is_not(content: bytes) -> None:
    assert kind_of(content) is None


@pytest.mark.parametrize(
    ("folder", "name", "expected"),
    [
        ("genmt-wmt26-sample", "pearmut-annotations.json", "annotations of Pearmut"),
        ("genmt-wmt26-sample", "pearmut-annotations.jsonl", "annotations of Pearmut"),
    ],
)
def test_each_importer_recognises_real_files_of_the_others(folder: str, name: str, expected: str, db: None) -> None:
    case, _slash, inner = folder.partition("/")
    path = real_case(case) / inner / name
    (problem,) = inspect(ImportFiles(path=path)).problems.listed
    assert expected in problem.message
    with pytest.raises(CommandError, match=expected):
        call_command("import_test_set", str(path), "--name", "x", "--source-language", "en", "--target-language", "de")
    with pytest.raises(ImportFileError, match=expected):
        import_judgments(path, format="assay-csv", name="x")
    _people, (refusal,) = read_people(path.read_text(encoding="utf-8"))
    assert expected in refusal.message
    assert not TestSet.objects.exists()


def test_a_test_set_of_wmt_is_sent_to_where_test_sets_are_imported(db: None) -> None:
    path = real_case("genmt-wmt26-sample") / "wmt26-genmt.jsonl"
    with pytest.raises(ImportFileError, match="import_test_set --format wmt-genmt"):
        import_judgments(path, format="assay-csv", name="x")
    (problem, *_more) = inspect(ImportFiles(path=path), format="csv").problems.listed
    assert "wmt-genmt" not in problem.message
    assert inspect(ImportFiles(path=path)).format == "wmt-genmt"


def test_lines_of_an_unknown_kind_say_which_formats_were_tried(tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_text('{"info": 1, "id": 2}\n{"info": 1, "id": 3}\n')
    told = " ".join(inspect(ImportFiles(path=tmp_path / "odd.jsonl")).problems.sentences())
    assert "Formats tried: Assay: no `document`, `segment`, `source`, `translations`;" in told
    assert "Pearmut: no `data`;" in told
    assert "Label Studio: no `data`, `annotations`; WMT GenMT scores: no `doc_id`, `tgt_text`, `scores`;" in told
