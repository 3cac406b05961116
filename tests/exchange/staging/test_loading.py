"""Items and judgments are stored by two connections at the same time, and all of them or none."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Any

from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Model

import psycopg2
import pytest

from annotation.actions.summaries import recount_control_scores, recount_plan, wrong_counts
from annotation.models import Assignment, Credit, ErrorSpan, Item, Judgment, PlannedOutputs, Score, Slot, WorkCount
from campaigns.models import Account, Campaign, Document, Segment, System, TestSet, Translation
from exchange.judgment_files import import_judgments
from exchange.reading import ImportFileError
from exchange.staging import loading
from exchange.staging.final_rows import FinalRows
from exchange.staging.loading_judgments import load_judgments
from tests.exchange.conftest import EMPTIED, WriteFile
from tests.processes import wait_for

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer"),
    pytest.mark.django_db(transaction=True),
]
STORED: Sequence[type[Model]] = (
    Assignment, Item, Slot, Credit, Judgment, Score, ErrorSpan, PlannedOutputs, WorkCount, Campaign, TestSet, Document,
    Segment, System, Translation, Account,
)  # fmt: skip
NEVER_THE_SAME = {"id", "public_id", "password", "date_joined", "created_at", "submitted_at", "closed_at", "last"}


@pytest.fixture
def path(judgments_file: WriteFile) -> Path:
    """Judgments with one row and with several, revised ones, a control item, and one of several systems."""
    one = [{"judgment": f"a{at}", "segment": str(at), "value": at, "position": str(at + 1)} for at in range(5)]
    pair = [
        {"judgment": "b", "segment": "7", "system": system, "slot": slot, "value": 9, "position": "9"}
        for slot, system in (("A", "Heron"), ("B", "Rook"))
    ]
    again = {"judgment": "c", "segment": "4", "value": 50, "position": "5", "revision": "2"}
    repeat = {"judgment": "d", "segment": "1", "value": 8, "position": "12", "kind": "repeat"}
    return judgments_file(*one, *pair, again, repeat)


def load(path: Path, **options: Any) -> Campaign:
    return import_judgments(path, format="assay-csv", name="Quay", **options).campaign


def everything() -> dict[str, list[Mapping[str, Any]]]:
    """Foreign keys as the places of the rows among those of their table."""
    tables = {model: list(model._default_manager.order_by("pk").values()) for model in STORED}
    places = {model: {row["id"]: place for place, row in enumerate(rows)} for model, rows in tables.items()}
    return {
        model.__name__: [
            {
                field.attname: places[field.related_model].get(row[field.attname])
                if field.related_model in places
                else row[field.attname]
                for field in model._meta.concrete_fields
                if field.attname not in NEVER_THE_SAME
            }
            for row in rows
        ]
        for model, rows in tables.items()
    }


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


@pytest.fixture
def backends(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Those of the connections that stored items and judgments."""
    used: dict[str, int] = {}

    def note(name: str) -> None:
        load_them = getattr(loading, name)

        def noted(*arguments: Any) -> None:
            used[name] = backend()
            load_them(*arguments)

        monkeypatch.setattr(loading, name, noted)

    note("load_items")
    note("load_judgments")
    return used


def test_two_connections_store_what_one_stores(
    path: Path, backends: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = load(path)
    assert backends["load_items"] == backend() != backends["load_judgments"]
    assert wrong_counts(campaign.pk) == 0
    by_two = everything()
    assert [len(by_two[name]) for name in ("Item", "Slot", "Judgment", "Score")] == [7, 8, 8, 9]
    for model in EMPTIED:
        model._default_manager.all().delete()
    monkeypatch.setattr(loading, "can_write_together", lambda: False)
    load(path)
    assert backends["load_judgments"] == backend()
    assert everything() == by_two


def test_within_a_transaction_one_connection_stores_all(path: Path, backends: dict[str, int]) -> None:
    with transaction.atomic():
        load(path)
    assert backends["load_items"] == backends["load_judgments"]
    assert Score.objects.count() == 9


@pytest.mark.parametrize(
    ("part", "is_before"),
    [
        ("load_texts", True), ("recount_plan", False), ("load_judgments", True), ("load_judgments", False),
        ("recount_control_scores", False),
    ],
)  # fmt: skip
def test_what_ends_one_ends_both(path: Path, monkeypatch: pytest.MonkeyPatch, part: str, *, is_before: bool) -> None:
    perform = getattr(loading, part)

    def end(*arguments: Any) -> None:
        if not is_before:
            perform(*arguments)
        raise KeyboardInterrupt("Stop.")

    monkeypatch.setattr(loading, part, end)
    with pytest.raises(KeyboardInterrupt, match="Stop"):
        load(path)
    assert {name: rows for name, rows in everything().items() if rows} == {}
    monkeypatch.undo()
    assert load(path).name == "Quay"


@pytest.mark.parametrize("calls", [1, 7])
def test_whoever_ends_it_by_its_progress_ends_both(path: Path, calls: int) -> None:
    told: list[float] = []

    def tell(share: float) -> None:
        told.append(share)
        if len(told) == calls:
            raise InterruptedError("Stop.")

    with pytest.raises(InterruptedError, match="Stop"):
        load(path, on_progress=tell)
    assert not Campaign.objects.exists()
    assert not Judgment.objects.exists()


def test_progress_is_told_while_only_judgments_are_stored(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[float] = []

    def wait_and_load(*arguments: Any) -> None:
        wait_for(lambda: len(told) > 50, what="progress")  # nine tables, and then again and again
        load_judgments(*arguments)

    monkeypatch.setattr(loading, "TOLD_EVERY", 0.01)
    monkeypatch.setattr(loading, "load_judgments", wait_and_load)
    load(path, on_progress=told.append)
    assert told == sorted(told)
    assert told[-1] < 1


def test_an_annotator_deleted_meanwhile_is_noticed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def delete_first(campaign: int) -> None:
        recount_control_scores(campaign)
        with psycopg2.connect(**connection.get_connection_params()) as other, other.cursor() as cursor:
            cursor.execute("SET session_replication_role TO replica; DELETE FROM campaigns_account")

    monkeypatch.setattr(loading, "recount_control_scores", delete_first)
    with pytest.raises(IntegrityError, match="refers to 1 rows that are not there"):
        load(path)
    assert not Judgment.objects.exists()
    assert not Item.objects.exists()


def test_an_import_that_goes_on_is_not_discarded_by_another(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    are_stored = Event()

    def load_and_tell(*arguments: Any) -> None:
        load_judgments(*arguments)
        are_stored.set()

    def import_again(campaign: int) -> None:
        assert are_stored.wait(60)
        with pytest.raises(ImportFileError, match="An import of “Quay” is under way"):
            load(path)
        recount_plan(campaign)

    monkeypatch.setattr(loading, "load_judgments", load_and_tell)
    monkeypatch.setattr(loading, "recount_plan", import_again)
    load(path)
    assert Judgment.objects.count() == 8


def test_no_circle_of_locks_lasts_for_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A migration waits for the connection of the judgments and keeps that of the items from going on."""

    def lock() -> None:
        with psycopg2.connect(**connection.get_connection_params()) as other, other.cursor() as cursor:
            cursor.execute("LOCK TABLE campaigns_campaign IN ACCESS EXCLUSIVE MODE")

    def is_waiting() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'")
            return cursor.fetchone() is not None

    def load_and_lock(rows: FinalRows, name: str) -> None:
        load_judgments(rows, name)
        migration.start()
        wait_for(is_waiting, what="the lock")
        waits.set()

    def count_then(campaign: int) -> None:
        assert waits.wait(60)
        recount_plan(campaign)

    migration, waits = Thread(target=lock, daemon=True), Event()
    monkeypatch.setattr(loading, "recount_plan", count_then)
    monkeypatch.setattr(loading, "LONGEST_WAIT", "200ms")
    monkeypatch.setattr(loading, "load_judgments", load_and_lock)
    with pytest.raises(OperationalError, match="lock timeout"):
        load(path)
    migration.join()
    assert not Campaign.objects.exists()
    assert not Item.objects.exists()


def test_another_import_is_not_kept_waiting(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As ANALYZE would, whose lock is kept until the transaction ends."""
    with psycopg2.connect(**connection.get_connection_params()) as other, other.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout TO '10s'")
        cursor.execute("LOCK TABLE annotation_assignment IN SHARE UPDATE EXCLUSIVE MODE")
        monkeypatch.setattr(loading, "LONGEST_WAIT", "200ms")
        load(path)
        other.rollback()
    assert Judgment.objects.count() == 8


def test_a_lost_connection_is_opened_again(
    path: Path, backends: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def end_other(campaign: int) -> None:
        recount_control_scores(campaign)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [backends["load_items"]])

    monkeypatch.setattr(loading, "recount_control_scores", end_other)
    campaign = load(path)
    assert wrong_counts(campaign.pk) == 0
    assert backend() != backends["load_items"]


def test_only_a_taken_lock_is_an_import_that_goes_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def end(_campaign: int) -> None:
        raise KeyboardInterrupt

    def lose(execute: Callable[..., Any], sql: str, *others: Any) -> Any:
        if "NOWAIT" in sql:
            raise OperationalError("server closed the connection")
        return execute(sql, *others)

    monkeypatch.setattr(loading, "recount_plan", end)
    with connection.execute_wrapper(lose), pytest.raises(OperationalError, match="server closed"):
        load(path)
