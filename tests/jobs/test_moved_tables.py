"""Runs moved here from `metrics`: a database that was made before has every row afterwards, and the same tables."""

from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import StateApps
from django.utils import timezone

import pytest

from campaigns.models import Segment, TestSet
from jobs.models import Run, RunPart, RunStatus
from metrics.models import Disagreement
from tests.cast import Cast

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = ("metrics", "0007_runs_pages_ask_for")
TABLES = ("metrics_run", "metrics_runpart", "metrics_disagreement")


@pytest.fixture
def models_before() -> Iterator[StateApps]:
    """Of a database as it was when `metrics` had the runs."""
    MigrationExecutor(connection).migrate([BEFORE, ("jobs", None)])
    yield MigrationExecutor(connection).loader.project_state(BEFORE).apps
    migrate()


def migrate() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def contents() -> dict[str, Any]:
    """Columns, rows, and names of the rules that the database itself holds, by table."""
    seen: dict[str, Any] = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"SELECT * FROM {table} ORDER BY id")  # noqa: S608 - our own names
            rows = cursor.fetchall()
            seen[table] = ([column[0] for column in cursor.description], rows)
            seen[f"{table}, rules"] = sorted(connection.introspection.get_constraints(cursor, table))
    return seen


def test_every_row_of_a_database_made_before_is_there(models_before: StateApps, test_set: TestSet, cast: Cast) -> None:
    runs = models_before.get_model("metrics", "Run").objects
    run = runs.create(
        kind="disagreement",
        test_set_id=test_set.pk,
        arguments={"metric": None},
        status="done",
        attempts=2,
        result={"segments": 3},
        signature="spread:highest-lowest",
        created_by_id=cast.organiser.pk,
        started_at=timezone.now(),
    )
    runs.create(kind="analysis", is_automatic=True, status="failed", error="There was no memory left.")
    models_before.get_model("metrics", "RunPart").objects.create(run=run, name="ranking", result={"systems": ["Heron"]})
    segment = Segment.objects.filter(document__test_set=test_set).earliest("pk")
    models_before.get_model("metrics", "Disagreement").objects.create(
        run=run, segment_id=segment.pk, by_spread=1, by_gap=1, by_text=1
    )
    before = contents()
    migrate()
    assert contents() == before
    moved = Run.objects.get(pk=run.pk)
    assert (moved.status, moved.arguments, moved.created_by) == (RunStatus.DONE, {"metric": None}, cast.organiser)
    assert RunPart.objects.get(run=moved).result == {"systems": ["Heron"]}
    assert Disagreement.objects.get(run=moved).segment == segment
    assert Run.objects.create(kind="analysis").pk > moved.pk
    moved.delete()
    assert not RunPart.objects.exists()
    assert not Disagreement.objects.exists()
