"""A prepared query gives the same rows as one made anew, in every thread, and is compiled once in each."""

import threading
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

import pytest

from campaigns.models import Account, Segment, TestSet
from campaigns.prepared_rows import PreparedRows, attributes_of, instance_of


@pytest.fixture
def builds() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def segments_after(builds: list[dict[str, Any]]) -> PreparedRows:
    def build(test_set: int, position: int) -> QuerySet[Segment, Any]:
        builds.append({"test_set": test_set, "position": position})
        wanted = Segment.objects.filter(document__test_set=test_set, position__gt=position, source__isnull=False)
        return wanted.order_by("pk").values_list("pk", "tags", "document__position")

    return PreparedRows(build, test_set=int, position=int)


def test_the_rows_are_those_of_the_query(test_set: TestSet, segments_after: PreparedRows) -> None:
    for position in (0, 1, 2):
        segments = Segment.objects.filter(document__test_set=test_set, position__gt=position, source__isnull=False)
        expected = list(segments.order_by("pk").values_list("pk", "tags", "document__position"))
        assert segments_after(test_set=test_set.pk, position=position) == expected
    assert expected


def test_it_is_built_once_and_runs_once_a_call(
    test_set: TestSet, segments_after: PreparedRows, builds: list[dict[str, Any]]
) -> None:
    with CaptureQueriesContext(connection) as statements:
        for _ in range(3):
            segments_after(test_set=test_set.pk, position=0)
    assert (len(builds), len(statements)) == (1, 3)


def test_every_thread_has_its_own(segments_after: PreparedRows, builds: list[dict[str, Any]], db: None) -> None:
    def look() -> None:
        for _ in range(2):
            segments_after._compiled(connections[DEFAULT_DB_ALIAS])
        connection.close()

    other = threading.Thread(target=look)
    look()
    other.start()
    other.join()
    assert len(builds) == 2


def test_an_instance_loads_its_missing_fields(django_assert_num_queries: Any, db: None) -> None:
    stored = Account.objects.create(username="anna", name="Anna")
    attributes = attributes_of(Account, "id", "username")
    known = instance_of(Account, attributes, (stored.pk, "anna"))
    with django_assert_num_queries(0):
        assert (known.pk, known.username) == (stored.pk, "anna")
    with django_assert_num_queries(1):
        assert known.name == "Anna"
