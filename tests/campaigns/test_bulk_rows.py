"""Rows written in bulk are the rows that Django would have written."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from uuid import RFC_4122, UUID, uuid4

from django.db import IntegrityError
from django.db.models import Model

import pytest

from annotation.models import Assignment, Item, Judgment
from campaigns import bulk_rows
from campaigns.bulk_rows import free_keys, insert_bulk, random_identifiers
from campaigns.models import Campaign, Document, Segment, TestSet
from tests.cast import Cast

pytestmark = pytest.mark.django_db
MOMENT = datetime(2026, 11, 3, 8, 30, 0, 123456, tzinfo=UTC)


def make_documents(test_set: TestSet, *names: str) -> list[int]:
    start = Document.objects.count()
    return insert_bulk(
        Document, ("test_set", "name", "position"), [(test_set.pk, name, start + at) for at, name in enumerate(names)]
    )


@pytest.fixture
def empty_set() -> TestSet:
    return TestSet.objects.create(name="Quay", slug="quay", source_language="en", target_language="de")


def test_keys_come_in_the_order_of_the_rows(empty_set: TestSet) -> None:
    keys = make_documents(empty_set, "b", "a", "c")
    assert [Document.objects.get(pk=key).name for key in keys] == ["b", "a", "c"]


def test_missing_fields_have_their_defaults(empty_set: TestSet) -> None:
    (document,) = make_documents(empty_set, "a")
    insert_bulk(Segment, ("document", "name", "position"), [(document, "1", 0), (document, "2", 1)])
    segment = Segment.objects.get(name="1")
    assert (segment.tags, segment.source, segment.domain) == ([], None, "")


def test_nothing_is_written_of_no_rows() -> None:
    assert insert_bulk(Segment, ("name",), []) == []


def test_django_goes_on_behind_the_last_key(empty_set: TestSet) -> None:
    (key,) = make_documents(empty_set, "a")
    assert Document.objects.create(test_set=empty_set, name="b", position=1).pk == key + 1
    assert make_documents(empty_set, "c") == [key + 2]


def test_keys_of_rows_that_are_gone_are_not_used_again(empty_set: TestSet) -> None:
    (key,) = make_documents(empty_set, "a")
    Document.objects.all().delete()
    assert make_documents(empty_set, "a")[0] > key


def test_what_the_database_refuses_is_refused_whole(empty_set: TestSet) -> None:
    make_documents(empty_set, "a")
    with pytest.raises(IntegrityError):
        make_documents(empty_set, "b", "a")


def test_json_times_and_uuids_come_back_as_they_were(empty_set: TestSet, cast: Cast) -> None:
    campaign = Campaign.objects.create(name="Quay", slug="quay", test_set=empty_set, protocol="direct_assessment")
    assignment = Assignment.objects.create(
        campaign=campaign, annotator=cast.annotator, position=1, status="open", total=1
    )
    (document,) = make_documents(empty_set, "a")
    columns = ("assignment", "position", "document", "level", "revision")
    (item, other) = insert_bulk(Item, columns, [(assignment.pk, at, document, "document", 1) for at in (1, 2)])
    assert Item.objects.get(pk=item).public_id != Item.objects.get(pk=other).public_id
    client, answer = uuid4(), {"slots": {"A": {"text": "“größer” \\ 100 % 🙂"}}}
    fields = ("item", "annotator", "revision", "client_id", "answer", "submitted_at", "started_at")
    insert_bulk(Judgment, fields, [(item, cast.annotator.pk, 1, client, answer, MOMENT, None)])
    judgment = Judgment.objects.get()
    assert (judgment.client_id, judgment.answer, judgment.submitted_at) == (client, answer, MOMENT)
    assert (judgment.started_at, judgment.is_current, judgment.surplus) == (None, True, False)
    assert Judgment.objects.filter(
        submitted_at__gt=MOMENT - timedelta(seconds=1), answer__slots__A__text__endswith="🙂"
    )


def test_texts_with_signs_of_their_own_meaning_in_copy_come_back_as_they_were(empty_set: TestSet) -> None:
    (document,) = make_documents(empty_set, "a")
    texts = ["\\N", "a\tb\r\nc\\.", "\\.", "\\\\x41 \\t", ""]
    rows = [(document, str(place), place, text) for place, text in enumerate(texts)]
    insert_bulk(Segment, ("document", "name", "position", "source"), rows)
    assert list(Segment.objects.order_by("position").values_list("source", flat=True)) == texts


def test_a_row_that_is_there_gets_the_other_values_and_keeps_its_key(empty_set: TestSet) -> None:
    (document,) = make_documents(empty_set, "a")
    first = insert_bulk(Segment, ("document", "name", "position", "domain"), [(document, "1", 0, "news")])
    again = [(document, "1", 0, "speech"), (document, "2", 1, "speech")]
    insert_bulk(Segment, ("document", "name", "position", "domain"), again, unique=("document", "name"))
    stored = list(Segment.objects.order_by("position").values_list("name", "domain"))
    assert stored == [("1", "speech"), ("2", "speech")]
    assert Segment.objects.get(name="1").pk == first[0]


def test_few_keys_leave_no_gap_and_are_drawn_once(empty_set: TestSet) -> None:
    (first,) = make_documents(empty_set, "a")
    assert free_keys(Document, 3) == [range(first + 1, first + 4)]
    assert free_keys(Document, 5, most=2) == [range(first + 4, first + 9)]
    assert free_keys(Document, 0) == []
    assert Document.objects.create(test_set=empty_set, name="b", position=1).pk == first + 9


def test_keys_that_others_draw_meanwhile_are_left_to_them(empty_set: TestSet, monkeypatch: pytest.MonkeyPatch) -> None:
    (first,) = make_documents(empty_set, "a")
    drawn = bulk_rows._drawn

    def draw_after_others(cursor: Any, vendor: str, model: type[Model], count: int) -> range:
        drawn(cursor, vendor, model, 1)
        return drawn(cursor, vendor, model, count)

    monkeypatch.setattr("campaigns.bulk_rows._drawn", draw_after_others)
    assert free_keys(Document, 3, most=2) == [range(first + 2, first + 4), range(first + 5, first + 6)]


def test_random_identifiers_are_of_version_4_and_some_thousand_begin_alike() -> None:
    digits = list(islice(random_identifiers(), 10_000))
    assert len(set(digits)) == 10_000
    assert {(len(each), UUID(each).version, UUID(each).variant) for each in digits} == {(32, 4, RFC_4122)}
    beginnings = [each[:8] for each in digits]
    assert len(set(beginnings)) == 3
    assert beginnings[0] == beginnings[4_095] != beginnings[4_096]
    assert len({each[8:] for each in digits}) == 10_000
    assert digits[:4_096] != sorted(digits[:4_096])
