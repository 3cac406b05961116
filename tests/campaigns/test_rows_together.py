"""Rows written together refer to rows that are there, and stay there: as if the database had looked up each."""

from django.db import IntegrityError, connection, transaction

import psycopg2
import pytest

from campaigns.bulk_rows import insert_bulk
from campaigns.models import Document, Segment, TestSet
from campaigns.rows_together import DRAWN, current_rows, expect_rows, rows_together

ON_POSTGRES = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite checks each batch, as ever")
NOWHERE = 2**40


@pytest.fixture
def empty_set() -> TestSet:
    return TestSet.objects.create(name="Quay", slug="quay", source_language="en", target_language="de")


def make_documents(test_set: int, *names: str) -> list[int]:
    rows = [(test_set, name, at) for at, name in enumerate(names)]
    return insert_bulk(Document, ("test_set", "name", "position"), rows)


@pytest.mark.django_db
def test_rows_and_those_that_they_refer_to_are_stored(empty_set: TestSet) -> None:
    with rows_together():
        (document, other) = make_documents(empty_set.pk, "a", "b")
        insert_bulk(Segment, ("document", "name", "position"), [(document, "1", 0), (other, "1", 0), (other, "2", 1)])
        assert Segment.objects.filter(document__name="b").count() == 2  # a query comes after the rows before it
        make_documents(TestSet.objects.create(name="Mole", slug="mole").pk, "c")
    assert list(Document.objects.order_by("pk").values_list("name", flat=True)) == ["a", "b", "c"]
    assert Document.objects.create(test_set=empty_set, name="d", position=2).pk > other


def _write_a_document_and_a_segment(test_set: TestSet, *, is_first_missing: bool) -> None:
    with rows_together():
        (document,) = make_documents(NOWHERE if is_first_missing else test_set.pk, "a")
        columns = ("document", "name", "position")
        insert_bulk(Segment, columns, [(document if is_first_missing else document + 1, "1", 0)])
    connection.check_constraints()


@pytest.mark.django_db
@pytest.mark.parametrize("is_first_missing", [True, False])
def test_a_row_that_refers_to_none_is_refused_with_all_others(empty_set: TestSet, *, is_first_missing: bool) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        _write_a_document_and_a_segment(empty_set, is_first_missing=is_first_missing)
    assert not Document.objects.exists()


@pytest.mark.django_db
def test_what_else_the_database_refuses_is_refused(empty_set: TestSet) -> None:
    with pytest.raises(IntegrityError), rows_together():
        make_documents(empty_set.pk, "a", "b", "a")
    assert not Document.objects.exists()


@ON_POSTGRES
@pytest.mark.django_db
def test_other_statements_meanwhile_are_checked_row_by_row(empty_set: TestSet) -> None:
    with rows_together():
        make_documents(empty_set.pk, "a")
        Document.objects.create(test_set_id=NOWHERE, name="b", position=0)
    with pytest.raises(IntegrityError):
        connection.check_constraints()


@ON_POSTGRES
@pytest.mark.django_db(transaction=True)
def test_nobody_deletes_meanwhile_what_new_rows_refer_to(empty_set: TestSet) -> None:
    other = psycopg2.connect(**connection.get_connection_params())
    with transaction.atomic():
        with rows_together():
            make_documents(empty_set.pk, "a")
        with pytest.raises(psycopg2.errors.LockNotAvailable), other, other.cursor() as cursor:
            cursor.execute("SELECT FROM campaigns_testset WHERE id = %s FOR UPDATE NOWAIT", [empty_set.pk])
        with other, other.cursor() as cursor:  # as after a foreign key, other changes are allowed
            cursor.execute("SELECT FROM campaigns_testset WHERE id = %s FOR NO KEY UPDATE NOWAIT", [empty_set.pk])
    other.close()


@ON_POSTGRES
@pytest.mark.django_db
def test_without_the_right_the_database_checks_each_row(empty_set: TestSet) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE quay; GRANT ALL ON ALL TABLES IN SCHEMA public TO quay")
        cursor.execute("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO quay; SET LOCAL ROLE quay")
    with rows_together():
        assert current_rows() is None
        make_documents(empty_set.pk, "a")
    assert Document.objects.exists()


@ON_POSTGRES
@pytest.mark.django_db
def test_rows_together_skip_nothing_but_foreign_keys() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE p.proname NOT LIKE 'RI_FKey_%'"
            " UNION SELECT rulename FROM pg_rules WHERE schemaname = 'public'"
        )
        assert cursor.fetchall() == []


@ON_POSTGRES
@pytest.mark.django_db
def test_keys_are_drawn_as_they_are_needed_and_many_at_once(empty_set: TestSet) -> None:
    with rows_together():
        (first,) = make_documents(empty_set.pk, "a")
    assert Document.objects.create(test_set=empty_set, name="b", position=1).pk == first + 1  # few rows leave no gap
    drawn: list[int] = []

    def draw(count: int) -> list[int]:
        drawn.append(count)
        return list(range(sum(drawn[:-1]), sum(drawn)))

    with rows_together():
        together = current_rows()
        assert together is not None
        keys = [key for _batch in range(100) for key in together.keys(Document, 1000, draw)]
    assert keys == list(range(100_000))
    assert len(drawn) < 12
    assert max(drawn) == DRAWN


@ON_POSTGRES
@pytest.mark.django_db
def test_no_key_is_drawn_in_vain_for_rows_that_are_expected() -> None:
    drawn: list[int] = []

    def draw(count: int) -> list[int]:
        drawn.append(count)
        return list(range(sum(drawn[:-1]), sum(drawn)))

    with rows_together():
        expect_rows(Document, DRAWN + 900)
        together = current_rows()
        assert together is not None
        keys = [key for _batch in range(DRAWN // 900 + 1) for key in together.keys(Document, 900, draw)]
    assert len(set(keys)) == DRAWN // 900 * 900 + 900
    assert drawn == [DRAWN, 900 + DRAWN % 900]
