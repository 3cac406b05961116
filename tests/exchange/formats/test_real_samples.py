"""Small real test sets in every format, with the counts that stand beside them."""

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


def test_the_xml_of_a_conference_holds_what_it_should() -> None:
    expected = expected_of("import-samples")[XML]
    found = inspect(ImportFiles(path=real_case("import-samples") / XML))
    assert found.problems.listed == []
    assert (found.format, found.documents, found.segments) == ("wmt-xml", expected["documents"], expected["segments"])
    assert (found.systems, found.references) == (expected["systems"], expected["references"])
    assert found.languages == {"source": expected["source_language"], "target": expected["target_language"]}


@pytest.mark.parametrize("file", TABLES)
def test_tables_and_json_lines_hold_what_they_should(file: str) -> None:
    expected = expected_of("import-samples")["table"]
    found = inspect(ImportFiles(path=real_case("import-samples") / file))
    assert found.problems.listed == []
    assert (found.documents, found.segments) == (expected["documents"], expected["segments"])
    assert (found.systems, found.references) == (expected["systems"], expected["references"])


def test_a_parallel_text_holds_what_it_should() -> None:
    expected = expected_of("import-samples")["text"]
    found = inspect(parallel(real_case("import-samples")))
    assert found.problems.listed == []
    assert (found.documents, found.segments) == (expected["documents"], expected["segments"])
    assert sorted(found.systems) == sorted(expected["systems"])


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
