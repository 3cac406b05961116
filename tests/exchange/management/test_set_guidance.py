"""`set_guidance`: instruction and glossary of a test set, a domain or a document, from files."""

from pathlib import Path

from django.core.management import CommandError, call_command

import pytest

from campaigns.models import TestSet, TextGuidance
from tests.workbooks import rows_of_texts, workbook

TABLE = "term,required,forbidden,note\nferry,Fähre|Fährschiff,Boot,\nharbour,,,as in the first text\n"
STORED = [
    {"term": "ferry", "required": ["Fähre", "Fährschiff"], "forbidden": ["Boot"], "note": ""},
    {"term": "harbour", "required": [], "forbidden": [], "note": "as in the first text"},
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "terms.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_a_document_has_its_own_and_the_test_set_one_for_all(test_set: TestSet, table: Path, tmp_path: Path) -> None:
    document = test_set.documents.first()
    assert document is not None
    told = tmp_path / "told.txt"
    told.write_text("Short sentences.\n", encoding="utf-8")
    call_command("set_guidance", test_set.slug, glossary=table)
    call_command("set_guidance", test_set.slug, document=document.name, instruction=told)
    whole, own = TextGuidance.objects.order_by("document_id", "pk").filter(test_set=test_set)[:2]
    rows = {row.document_id: (row.instruction, row.glossary) for row in (whole, own)}
    assert rows == {None: ("", STORED), document.pk: ("Short sentences.", [])}
    call_command("set_guidance", test_set.slug, no_glossary=True)
    assert [row.document_id for row in TextGuidance.objects.all()] == [document.pk]


def test_a_glossary_may_be_tabbed_or_a_workbook(test_set: TestSet, tmp_path: Path) -> None:
    tabbed, book = tmp_path / "terms.tsv", tmp_path / "terms.xlsx"
    tabbed.write_text(TABLE.replace(",", "\t"), encoding="utf-8")
    rows: list[list[str | float]] = [[*line.split(",")] for line in TABLE.splitlines()]
    book.write_bytes(workbook({"Terms": rows_of_texts(*rows)}))
    for path in (tabbed, book):
        call_command("set_guidance", test_set.slug, no_glossary=True)
        call_command("set_guidance", test_set.slug, glossary=path)
        assert TextGuidance.objects.get().glossary == STORED


def test_all_problems_are_told_with_their_lines_and_nothing_is_stored(test_set: TestSet, tmp_path: Path) -> None:
    path = tmp_path / "terms.csv"
    path.write_text("term,required,forbidden\nferry,,\nport,Hafen,hafen\n,Boot,\nPort,Hafen,\n", encoding="utf-8")
    with pytest.raises(CommandError) as refused:
        call_command("set_guidance", test_set.slug, glossary=path)
    lines = str(refused.value).splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        "terms.csv, line 2, required",
        "terms.csv, line 3, forbidden",
        "terms.csv, line 4, term",
        "terms.csv, line 5, term",
    ]
    assert not TextGuidance.objects.exists()


def test_a_column_that_is_not_read_is_named(
    test_set: TestSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "terms.csv"
    path.write_text("term,required,forbiden\nferry,Fähre,Boot\n", encoding="utf-8")
    call_command("set_guidance", test_set.slug, glossary=path)
    assert "Unknown columns, ignored: forbiden." in capsys.readouterr().err
    path.write_text("term,forbiden\n,Boot\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"line 2, term: .*\n(.*\n)*Unknown columns, ignored: forbiden\."):
        call_command("set_guidance", test_set.slug, glossary=path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "Name a file"),
        ({"instruction": Path("nowhere.txt")}, "cannot be read"),
        ({"no_glossary": True, "document": "nowhere"}, "no document"),
        ({"no_glossary": True, "domain": "nowhere"}, "No document has the domain"),
    ],
)
def test_what_is_missing_or_unknown_is_said(test_set: TestSet, options: dict[str, object], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("set_guidance", test_set.slug, **options)
