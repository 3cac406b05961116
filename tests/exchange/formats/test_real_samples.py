"""Small real test sets in every format, with the counts that are stored beside them."""

from pathlib import Path

from django.core.management import call_command

import pytest

from campaigns.models import TestSet, Translation
from exchange.formats.parallel_text import ImportFiles
from exchange.test_set_files import inspect
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = pytest.mark.real_data
XML = "wmt-xml/wmttest2022.uk-en.three-documents.xml"
TABLES = ["table/three-documents.csv", "table/three-documents.tsv", "table/three-documents.jsonl"]


def parallel(folder: Path) -> ImportFiles:
    systems = {path.name.split(".")[1]: path for path in (folder / "text").glob("system.*")}
    return ImportFiles(
        source=folder / "text" / "source.uk.txt",
        references={"A": folder / "text" / "reference.A.en.txt"},
        systems=systems,
        documents=folder / "text" / "documents.txt",
    )


def test_the_xml_of_a_conference_is_read_whole() -> None:
    expected = expected_of("import-samples")[XML]
    inspection = inspect(ImportFiles(path=real_case("import-samples") / XML))
    assert inspection.problems.listed == []
    assert inspection.format == "wmt-xml"
    assert (inspection.documents, inspection.segments) == (expected["documents"], expected["segments"])
    assert (inspection.systems, inspection.references) == (expected["systems"], expected["references"])
    assert inspection.languages == {"source": expected["source_language"], "target": expected["target_language"]}


@pytest.mark.parametrize("file", TABLES)
def test_tables_and_json_lines_hold_what_they_should(file: str) -> None:
    expected = expected_of("import-samples")["table"]
    inspection = inspect(ImportFiles(path=real_case("import-samples") / file))
    assert inspection.problems.listed == []
    assert (inspection.documents, inspection.segments) == (expected["documents"], expected["segments"])
    assert (inspection.systems, inspection.references) == (expected["systems"], expected["references"])


def test_a_parallel_text_is_read_whole() -> None:
    expected = expected_of("import-samples")["text"]
    inspection = inspect(parallel(real_case("import-samples")))
    assert inspection.problems.listed == []
    assert (inspection.documents, inspection.segments) == (expected["documents"], expected["segments"])
    assert sorted(inspection.systems) == sorted(expected["systems"])


@pytest.mark.django_db
def test_all_formats_give_the_same_rows_on_the_command_line() -> None:
    folder = real_case("import-samples")
    languages = ["--source-language", "uk", "--target-language", "en", "-v0"]
    sides = parallel(folder)
    text = [
        "--source",
        str(sides.source),
        "--documents",
        str(sides.documents),
        "--reference",
        f"A={sides.references['A']}",
    ]
    for name, path in sides.systems.items():
        text += ["--system", f"{name}={path}"]
    for name, arguments in {**{file: [str(folder / file)] for file in TABLES}, "text": text}.items():
        call_command("import_test_set", *arguments, "--name", name, *languages)
    stored = {
        test_set.name: sorted(
            Translation.objects.filter(segment__document__test_set=test_set).values_list(
                "segment__document__name", "segment__name", "segment__source", "system__name", "text"
            )
        )
        for test_set in TestSet.objects.all()
    }
    assert len(stored) == len(TABLES) + 1
    assert all(rows == stored["text"] for rows in stored.values())
    documents = TestSet.objects.get(name="text").documents.order_by("position").values_list("name", flat=True)
    assert list(documents) == list(dict.fromkeys((folder / "text" / "documents.txt").read_text().split()))
