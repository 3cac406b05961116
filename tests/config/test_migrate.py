"""Several `migrate` at once, as several containers or starts make them: one works, the others wait and succeed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command

import psycopg2
import pytest

from config.management.commands import migrate
from tests import empty_databases
from tests.config.outer_databases import SqliteDatabase
from tests.plugins.postgres import PostgresServer
from tests.processes import ROOT

pytestmark = pytest.mark.servers
AT_ONCE = 3


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.stop()


def migrate_at_once(environment: dict[str, str]) -> list[tuple[int, str, str]]:
    processes = [
        subprocess.Popen(
            [sys.executable, "manage.py", "migrate", "--no-input"],
            cwd=ROOT,
            env=environment | {"DJANGO_SETTINGS_MODULE": "config.settings"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(AT_ONCE)
    ]
    ended = [(process, *process.communicate(timeout=120)) for process in processes]
    return [(process.returncode, out, error) for process, out, error in ended]


def one_worked_and_the_others_waited(ended: list[tuple[int, str, str]]) -> None:
    assert [(code, error) for code, _out, error in ended if code] == []
    applied = [out.count("... OK") for _code, out, _error in ended]
    assert sorted(count > 0 for count in applied) == [False] * (AT_ONCE - 1) + [True], applied
    assert all(
        "No migrations to apply" in out for (_code, out, _error), count in zip(ended, applied, strict=True) if not count
    )


def test_on_an_empty_postgresql(postgres: PostgresServer, tmp_path: Path) -> None:
    connection = psycopg2.connect(postgres.url())
    connection.autocommit = True
    connection.cursor().execute("CREATE DATABASE together")
    connection.close()
    environment = {**os.environ, "DATABASE_URL": postgres.url("together"), "ASSAY_DATA_DIR": str(tmp_path)}
    one_worked_and_the_others_waited(migrate_at_once(environment))


def test_on_sqlite_after_a_first_start_that_was_interrupted(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path)
    command = [sys.executable, "manage.py", "migrate", "--no-input", "jobs"]
    subprocess.run(command, cwd=ROOT, env=database.environment, check=True, stdout=subprocess.DEVNULL)
    one_worked_and_the_others_waited(migrate_at_once(database.environment))
    empty_databases.put_on_sqlite(tmp_path / "new")
    assert database.schema() == SqliteDatabase(tmp_path / "new").schema()


def test_checks_wait_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """They ask the database whether it knows JSON; one that somebody else locks does not answer."""
    done: list[str] = []

    @contextmanager
    def locked(_database: object, _command: migrate.Command) -> Iterator[None]:
        done.append("locked")
        yield
        done.append("free")

    monkeypatch.setattr(migrate, "_locked_file", locked)
    monkeypatch.setattr(migrate, "_locked_postgres", locked)
    monkeypatch.setattr(migrate.Command, "check", lambda _self, **_what: done.append("checked"))
    monkeypatch.setattr(migrate.Command, "handle", lambda _self, **_options: done.append("migrated"))
    call_command("migrate", skip_checks=False)
    assert done == ["locked", "checked", "migrated", "free"]
