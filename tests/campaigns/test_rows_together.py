"""Rows written together refer to rows that are there, and stay there: as if the database had looked up each."""

import sqlite3
from io import BytesIO

from django.db import IntegrityError, connection, transaction

import psycopg2
import pytest

from campaigns.bulk_rows import free_keys
from campaigns.models import Document, Segment, TestSet
from campaigns.rows_together import copy_lines, current_rows, rows_together

pytestmark = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite checks each batch, as ever")
NOWHERE = 2**40


@pytest.fixture
def empty_set() -> TestSet:
    return TestSet.objects.create(name="Quay", slug="quay", source_language="en", target_language="de")


def copy_documents(test_set: int, *names: str, unused: int = 0) -> list[int]:
    """The keys that were drawn: `unused` ones are of no row."""
    (keys,) = free_keys(Document, len(names) + unused)
    rows = zip(keys, names, strict=False)
    lines = "".join(f"{key}\t{test_set}\t{name}\t\t{at}\t\n" for at, (key, name) in enumerate(rows))
    columns = ("id", "test_set_id", "name", "title", "position", "domain")
    copied = copy_lines(Document, columns, BytesIO(lines.encode()), [(keys[0], keys[-1])])
    assert copied == len(names)
    return list(keys)


def copy_segments(*documents: int) -> None:
    lines = "".join(f"{document}\t{at}\t{at}\t\\N\t\t[]\n" for at, document in enumerate(documents))
    columns = ("document_id", "name", "position", "source", "domain", "tags")
    copy_lines(Segment, columns, BytesIO(lines.encode()), None)


@pytest.mark.django_db
def test_rows_and_those_that_they_refer_to_are_stored(empty_set: TestSet) -> None:
    with rows_together():
        (document, other) = copy_documents(empty_set.pk, "a", "b")
        copy_segments(document, other, other)
        assert Segment.objects.filter(document__name="b").count() == 2
        (last,) = copy_documents(TestSet.objects.create(name="Mole", slug="mole").pk, "c")
        copy_segments(last)
    assert list(Document.objects.order_by("pk").values_list("name", flat=True)) == ["a", "b", "c"]
    assert list(Segment.objects.order_by("pk").values_list("document", flat=True)) == [document, other, other, last]
    assert Document.objects.create(test_set=empty_set, name="d", position=2).pk == last + 1


def _write_a_document_and_a_segment(test_set: TestSet, *, is_first_missing: bool) -> None:
    with rows_together():
        (document,) = copy_documents(NOWHERE if is_first_missing else test_set.pk, "a")
        copy_segments(document if is_first_missing else document + 1)
    connection.check_constraints()


@pytest.mark.django_db
@pytest.mark.parametrize("is_first_missing", [True, False])
def test_a_row_that_refers_to_none_is_refused_with_all_others(empty_set: TestSet, *, is_first_missing: bool) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        _write_a_document_and_a_segment(empty_set, is_first_missing=is_first_missing)
    assert not Document.objects.exists()


@pytest.mark.django_db
def test_a_key_that_was_drawn_but_is_of_no_row_is_refused(empty_set: TestSet) -> None:
    with rows_together():
        (first, second, *_unused) = copy_documents(empty_set.pk, "a", "b", unused=2)
        copy_segments(first, second)
    together = rows_together()
    together.__enter__()
    (first, _second, unused, _other) = copy_documents(TestSet.objects.create(name="Mole").pk, "a", "b", unused=2)
    copy_segments(first, unused)
    with pytest.raises(IntegrityError, match="refers to 1 rows that are not there"):
        together.__exit__(None, None, None)


@pytest.mark.django_db
def test_what_else_the_database_refuses_is_refused(empty_set: TestSet) -> None:
    with pytest.raises(IntegrityError), rows_together():
        copy_documents(empty_set.pk, "a", "b", "a")
    assert not Document.objects.exists()


class Interrupted:
    """Lines that end where somebody presses Ctrl-C, for instance."""

    def __init__(self, error: type[BaseException]) -> None:
        self._error = error

    def read(self, _size: int, /) -> bytes:
        raise self._error("Stop.")


@pytest.mark.django_db
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, sqlite3.OperationalError])
def test_what_ends_the_lines_is_not_an_error_of_the_database(error: type[BaseException]) -> None:
    with pytest.raises(error, match="Stop"), rows_together():
        copy_lines(Segment, ("document_id",), Interrupted(error), None)
    assert not Segment.objects.exists()


@pytest.mark.django_db
def test_other_statements_meanwhile_are_checked_row_by_row(empty_set: TestSet) -> None:
    with rows_together():
        copy_documents(empty_set.pk, "a")
        Document.objects.create(test_set_id=NOWHERE, name="b", position=0)
    with pytest.raises(IntegrityError):
        connection.check_constraints()


@pytest.mark.django_db(transaction=True)
def test_nobody_deletes_meanwhile_what_new_rows_refer_to(empty_set: TestSet) -> None:
    other = psycopg2.connect(**connection.get_connection_params())
    with transaction.atomic():
        with rows_together():
            copy_documents(empty_set.pk, "a")
        with pytest.raises(psycopg2.errors.LockNotAvailable), other, other.cursor() as cursor:
            cursor.execute("SELECT FROM campaigns_testset WHERE id = %s FOR UPDATE NOWAIT", [empty_set.pk])
        with other, other.cursor() as cursor:  # as after a foreign key, other changes are allowed
            cursor.execute("SELECT FROM campaigns_testset WHERE id = %s FOR NO KEY UPDATE NOWAIT", [empty_set.pk])
    other.close()


@pytest.mark.django_db
def test_without_the_right_the_database_checks_each_row(empty_set: TestSet) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE quay; GRANT ALL ON ALL TABLES IN SCHEMA public TO quay")
        cursor.execute("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO quay; SET LOCAL ROLE quay")
    with rows_together():
        assert current_rows() is None
        copy_documents(empty_set.pk, "a")
    assert Document.objects.exists()


@pytest.mark.django_db
def test_rows_together_skip_nothing_but_foreign_keys() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE p.proname NOT LIKE 'RI_FKey_%'"
            " UNION SELECT rulename FROM pg_rules WHERE schemaname = 'public'"
        )
        assert cursor.fetchall() == []
