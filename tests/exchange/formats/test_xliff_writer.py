"""XLIFF out: valid order of elements, codes as elements, marks as ITS issues, and the same texts when read again."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

import pytest
from defusedxml import ElementTree

from campaigns.models import Campaign
from exchange.export_formats import ExportRefusedError
from exchange.export_sizes import measured
from exchange.exported_judgments import EVERYTHING
from exchange.exports import FORMATS, export_rows
from exchange.formats.parallel_text import ImportFiles
from exchange.formats.xliff_campaign import documents_read
from exchange.formats.xliff_codes import Issue, issue_type
from exchange.formats.xliff_writer import Form, Match, TextFile, Unit, write_new, write_old
from exchange.judgment_files import import_judgments
from exchange.test_set_files import import_test_set, inspect
from tests.exchange.judgments_file import write_file

TEXT = (
    'Press <g id="1">he<re</g><x id="1"/> & <bpt i="4"><b></bpt>or<ept i="4"></b></ept> </g>\r\n'
    '\u202ego\u202c <ph id="k">{n}</ph>'
)
NEW = "{urn:oasis:names:tc:xliff:document:2.0}"
ITS = "{http://www.w3.org/2005/11/its}"
MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n"
    "Heron\td\t1\t1\tanna\tIt is late.\tEs <v>ist</v> spät.\tFluency/Grammar\tMajor\tsee “a”\n"
    "Heron\td\t1\t1\tben\tIt is late.\tEs i<v>st spät</v>.\tAccuracy/Omission\tCritical\t\n"
    "Kestrel\td\t1\t1\tanna\tIt <v>is</v> late.\tSpät.\tOther\tMinor\t\n"
)


def files(*, target: str | None = TEXT) -> list[TextFile]:
    unit = Unit("a b/1", TEXT, target, [Match("Kestrel", "Los."), Match("A", "Drücken.", is_reference=True)])
    return [TextFile('d "1"', "Heron", "anna", [unit]), TextFile("e", "Heron", "", [Unit("1", "One.", "")])]


@pytest.mark.parametrize("write", [write_old, write_new])
def test_what_is_written_is_read_again(tmp_path: Path, write: Any) -> None:
    path = tmp_path / "set.xlf"
    path.write_text("".join(write(files(), Form("en", "de", with_codes=True))), encoding="utf-8", newline="")
    inspection = inspect(ImportFiles(path=path))
    assert not inspection.problems.listed
    first, second = inspection.preview
    assert (first.document, first.segment) == ('d "1"', "a b/1")
    assert first.translations.keys() == {"Heron+anna", "Kestrel"}
    assert (first.references, second.translations) == ({"A": "Drücken."}, {"Heron": ""})
    assert first.translations["Heron+anna"] == first.source
    old = TEXT.replace('i="4"', 'id="4"')
    new = (
        'Press <pc id="1">he<re</pc><ph id="ph1"/> & <sc id="4"/>or<ec startRef="4"/> </g>\r\n'
        '\u202ego\u202c <ph id="k"/>'
    )
    assert first.source == (old if write is write_old else new)


def test_plain_texts_have_no_codes_and_what_xml_cannot_hold_is_replaced() -> None:
    form = Form("en", "de", with_codes=False)
    written = "".join(write_new([TextFile("d", "", "", [Unit("1", TEXT + "\ufffe", None)])], form))
    (source,) = ElementTree.fromstring(written).iter(f"{NEW}source")
    assert (source.text, len(source)) == (TEXT + "\ufffd", 0)


def test_what_codes_stand_for_is_original_data_of_the_unit() -> None:
    root = ElementTree.fromstring("".join(write_new(files(), Form("en", "de", with_codes=True))))
    unit = next(root.iter(f"{NEW}unit"))
    assert [child.tag.rpartition("}")[2] for child in unit] == ["matches", "originalData", "segment"]
    data = {each.get("id"): each.text for each in unit.iter(f"{NEW}data")}
    (single,) = (each for each in unit.findall(f"{NEW}segment/{NEW}target/{NEW}ph") if each.get("dataRef"))
    assert data[single.get("dataRef")] == "{n}"


def test_marks_may_cross_and_touch_and_be_empty() -> None:
    text = 'ab<x id="1"/>cd'
    places = [(0, 1), (1, 4), (2, len(text)), (5, 5), (0, 0), (len(text), len(text))]
    issues = [Issue("target", *place, "fluency/grammar", "minor", "", "anna") for place in places]
    unit = Unit("1", "s", text, issues=issues)
    written = "".join(write_new([TextFile("d", "", "", [unit])], Form("en", "de", with_codes=True)))
    target = next(ElementTree.fromstring(written).iter(f"{NEW}target"))
    assert "".join(target.itertext()) == "abcd"
    kinds = [(each.tag.removeprefix(NEW), each.get("id") or each.get("startRef")) for each in target]
    for number in range(1, 7):
        opened, closed = (kinds.index((kind, f"tq{number}")) for kind in ("sm", "em"))
        assert opened < closed
    assert kinds.index(("sm", "tq2")) < kinds.index(("ph", "1")) < kinds.index(("em", "tq2"))


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        ("", "uncategorized"),
        ("terminology/wrong-term", "terminology"),
        ("accuracy/omission", "omission"),
        ("x", "other"),
    ],
)
def test_categories_have_the_words_of_its(category: str, expected: str) -> None:
    assert issue_type(category) == expected


def exported(campaign: Campaign, format: str) -> str:
    return b"".join(export_rows(campaign, format)).decode()


@pytest.mark.django_db
def test_marks_of_all_annotators_are_issues_of_the_output(tmp_path: Path) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(MQM, encoding="utf-8")
    campaign = import_judgments(path, format="wmt-mqm-tsv", name="Marks").campaign
    root = ElementTree.fromstring(exported(campaign, "xliff"))
    assert [file.get(f"{ITS}tool") for file in root] == ["Heron", "Kestrel"]
    issues = {
        mark.get(f"{ITS}annotatorsRef", "").partition("|")[2]: {
            name: mark.get(f"{ITS}locQualityIssue{name}") for name in ("Type", "Severity", "Comment")
        }
        for mark in root[0].iter(f"{NEW}sm")
    }
    assert issues["anna"] == {"Type": "grammar", "Severity": "20", "Comment": "fluency/grammar: see “a”"}
    assert issues["ben"] == {"Type": "omission", "Severity": "100", "Comment": "accuracy/omission"}
    target, source = next(root[0].iter(f"{NEW}target")), next(root[1].iter(f"{NEW}source"))
    assert [(each.tag.removeprefix(NEW), each.tail) for each in target] == [
        ("sm", "i"),
        ("sm", "st"),
        ("em", " spät"),
        ("em", "."),
    ]
    assert [each.tail for each in source] == ["is", " late."]
    assert any("Marks of errors, left out: 3" in loss for loss in FORMATS["xliff-1-2"].losses(campaign, EVERYTHING))
    assert "Es ist spät." in exported(campaign, "xliff-1-2")
    size = measured(campaign, "xliff", EVERYTHING)
    assert size is not None
    assert size.size == len(exported(campaign, "xliff").encode())


def edit(annotator: str, system: str, text: str) -> Mapping[str, object]:
    answer = {"slots": {"A": {"text": text, "keystrokes": 1, "steps": []}}, "comment": "", "cannot_judge": None}
    return {
        "judgment": f"{annotator} {system}",
        "annotator": annotator,
        "protocol": "post_editing",
        "document": "d",
        "segment": "1",
        "system": system,
        "source": "One.",
        "translation": "Ein.",
        "answer": json.dumps(answer),
    }


@pytest.mark.django_db
def test_post_edits_are_targets_of_their_annotators_and_come_in_again(tmp_path: Path) -> None:
    rows = [edit("anna", "Heron", "Eins."), edit("ben", "Heron", "Nummer eins."), edit("anna", "Kestrel", "Eins!")]
    path = write_file(tmp_path / "edits.csv", rows)
    campaign = import_judgments(path, format="assay-csv", name="Edits").campaign
    for format in ("xliff", "xliff-1-2"):
        again = tmp_path / f"{format}.xlf"
        again.write_text(exported(campaign, format), encoding="utf-8")
        outcome = import_test_set(ImportFiles(path=again), name=format, source_language="en", target_language="de")
        assert outcome.inspection.preview[0].translations == {
            "Heron+anna": "Eins.",
            "Heron+ben": "Nummer eins.",
            "Kestrel+anna": "Eins!",
            "Heron": "Ein.",
            "Kestrel": "Ein.",
        }


@pytest.mark.django_db
def test_a_campaign_without_post_edits_or_of_other_protocols_is_refused(campaign: Campaign) -> None:
    with pytest.raises(ExportRefusedError, match="It takes: cesa, esa, mqm, post_editing"):
        exported(campaign, "xliff")
    Campaign.objects.filter(pk=campaign.pk).update(protocol="post_editing")
    campaign.refresh_from_db()
    with pytest.raises(ExportRefusedError, match="no post-edits yet"):
        exported(campaign, "xliff-1-2")


@pytest.mark.django_db
def test_outputs_of_a_document_are_found_by_its_segments(campaign: Campaign) -> None:
    """By system, SQLite would look through all outputs of the test set for each document: hours for a million."""
    reads = list(documents_read(campaign, EVERYTHING))
    with CaptureQueriesContext(connection) as captured:
        outputs = [read.outputs() for read in reads]
    assert {system for each in outputs for system in each} == set(campaign.systems.values_list("name", flat=True))
    assert len(captured) == len(reads)
    assert not [query for query in captured.captured_queries if "campaign_systems" in query["sql"]]
