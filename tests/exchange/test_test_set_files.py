"""Rows from files: whole or not at all, in short batches, once."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection, transaction

import pytest

from campaigns.actions import test_sets
from campaigns.actions.test_sets import is_human
from campaigns.models import Document, Reference, Segment, System, TestSet, TestSetStatus, Translation
from exchange.formats.parallel_text import ImportFiles
from exchange.reading import ImportFileError
from exchange.test_set_files import ImportOutcome, import_test_set

pytestmark = pytest.mark.django_db

HEADER = ["document", "segment", "source", "reference:A", "reference:B", "domain", "tags", "title", "Heron", "refA"]
Import = Callable[..., ImportOutcome]


def row(document: str, segment: int, **changes: str) -> list[str]:
    cells = {
        "document": document,
        "segment": str(segment),
        "source": f"Source {segment}.",
        "reference:A": "Ref A.",
        "reference:B": "Ref B.",
        "domain": "news",
        "tags": "gender-bias, terminology",
        "title": "A title",
        "Heron": f"Ausgabe {segment}.",
        "refA": "Mensch.",
    }
    return list((cells | changes).values())


@pytest.fixture
def importing(tmp_path: Path) -> Import:
    def imported(rows: list[list[str]], *, name: str = "set", **options: Any) -> ImportOutcome:
        path = tmp_path / "set.csv"
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([HEADER, *rows])
        languages = {"source_language": "en", "target_language": "de"}
        return import_test_set(ImportFiles(path=path), name=name, **(languages | options))

    return imported


def test_everything_in_a_file_becomes_rows(importing: Import) -> None:
    test_set = importing([row("b", 1), row("b", 2), row("a", 1)]).test_set
    assert (test_set.status, test_set.format, test_set.slug) == (TestSetStatus.READY, "csv", "set")
    assert list(test_set.documents.values_list("name", "position", "title", "domain")) == [
        ("b", 0, "A title", "news"),
        ("a", 1, "A title", "news"),
    ]
    segments = Segment.objects.filter(document__name="b").order_by("position")
    assert [(each.name, each.position, each.source) for each in segments] == [
        ("1", 0, "Source 1."),
        ("2", 1, "Source 2."),
    ]
    assert segments[0].tags == ["gender-bias", "terminology"]
    assert set(Reference.objects.filter(segment=segments[0]).values_list("name", "text")) == {
        ("A", "Ref A."),
        ("B", "Ref B."),
    }
    assert dict(test_set.systems.values_list("name", "is_human")) == {"Heron": False, "refA": True}
    assert Translation.objects.get(segment=segments[1], system__name="Heron").text == "Ausgabe 2."


def test_a_document_that_comes_back_later_goes_on_where_it_stopped(importing: Import) -> None:
    importing([row("a", 1), row("b", 1), row("a", 2)])
    assert list(Segment.objects.filter(document__name="a").values_list("name", "position").order_by("position")) == [
        ("1", 0),
        ("2", 1),
    ]


def test_the_same_file_again_changes_nothing(importing: Import) -> None:
    first, again = importing([row("a", 1)]), importing([row("a", 1)])
    assert (first.created, again.created) == (True, False)
    assert again.test_set == first.test_set
    assert Segment.objects.count() == 1


@pytest.mark.parametrize("options", [{}, {"target_language": "nl"}])
def test_another_file_or_language_under_a_taken_name_is_refused(importing: Import, options: dict[str, str]) -> None:
    importing([row("a", 1)])
    rows = [row("a", 1)] if options else [row("a", 1), row("a", 2)]
    with pytest.raises(ImportFileError, match="Another test set has the name “set”"):
        importing(rows, **options)
    assert Segment.objects.count() == 1


def test_nothing_is_stored_while_anything_is_wrong(importing: Import) -> None:
    with pytest.raises(ImportFileError) as raised:
        importing([row("a", 1), row("a", 2, domain="x" * 101), row("a", 3, source="")])
    assert str(raised.value).splitlines() == [
        f"set.csv, line 3, domain: 101 characters. Shorten it to at most 100. ({79 * 'x'}…)",
        "set.csv, line 4, source: Empty source. Fill it in, or leave the segment out.",
    ]
    assert TestSet.objects.count() == System.objects.count() == 0


def test_bad_rows_are_left_out_whole_on_request(importing: Import) -> None:
    outcome = importing([row("a", 1), row("a", 2, source=""), row("a", 3)], skip_bad_rows=True)
    assert list(Segment.objects.values_list("name", flat=True).order_by("position")) == ["1", "3"]
    assert Translation.objects.count() == 4
    assert outcome.inspection.problems.lines == 1


def test_a_failure_in_the_middle_leaves_nothing_behind(importing: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_sets, "BATCH", 2)
    written: list[int] = []
    write = test_sets.Writer.write

    def failing(self: test_sets.Writer, records: Any) -> None:
        written.append(len(records))
        if len(written) == 2:
            raise RuntimeError("the disk is full")
        write(self, records)

    monkeypatch.setattr(test_sets.Writer, "write", failing)
    with pytest.raises(RuntimeError):
        importing([row("a", number) for number in range(5)])
    assert written == [2, 2]
    for model in (TestSet, Document, Segment, Translation, System, Reference):
        assert not model.objects.exists(), model


def test_what_a_killed_import_left_is_replaced(importing: Import) -> None:
    left = TestSet.objects.create(name="set", slug="set", source_language="en", target_language="de")
    document = Document.objects.create(test_set=left, name="a", position=0)
    Segment.objects.create(document=document, name="1", position=0, source="half")
    test_set = importing([row("a", 1)]).test_set
    assert test_set.pk != left.pk
    assert Segment.objects.get().source == "Source 1."


@pytest.mark.django_db(transaction=True)
def test_each_batch_is_a_transaction_of_its_own(importing: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_sets, "BATCH", 2)
    seen: list[int] = []

    def look(_share: float) -> None:
        assert not connection.in_atomic_block, "judging could not go on inside of a long transaction"
        seen.append(Segment.objects.count())

    importing([row("a", number) for number in range(5)], on_progress=look)
    assert seen == [2, 4, 5]
    assert transaction.get_autocommit()


def test_names_with_the_same_slug_get_different_addresses(importing: Import) -> None:
    slugs = [importing([row("a", 1)], name=name).test_set.slug for name in ("News 1", "News-1", "新闻")]
    assert slugs == ["news-1", "news-1-2", "test-set"]


def test_all_errors_of_name_and_languages_are_reported_at_once(importing: Import) -> None:
    with pytest.raises(ImportFileError) as raised:
        importing([row("a", 1)], name=" ", source_language="english!", target_language="")
    assert len(str(raised.value).splitlines()) == 3


@pytest.mark.parametrize(
    ("name", "human"),
    [
        *[(name, True) for name in ("Human", "human-2", "refA", "ref", "Reference", "reference_B", "Translator 1")],
        *[(name, False) for name in ("Reformer", "Refined-7B", "HumanLike", "Heron", "Transformer", "refinement")],
    ],
)
def test_humans_are_known_by_their_names(name: str, human: bool) -> None:
    assert is_human(name) is human
