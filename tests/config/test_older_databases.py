"""Databases that earlier commits made: this one upgrades them in place, or stops with a sentence and changes nothing.

`tests/data/databases` has one of each kind by the commit that made it, with a row in every table: `be86590`, when
`metrics` had the runs, and `263b238`, the last one before the migrations of each room were joined into one.
"""

import gzip
import os
import re
import sqlite3
import subprocess
import sys
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg2
import pytest

from tests import empty_databases
from tests.plugins.postgres import PostgresServer, installed_binaries
from tests.processes import ROOT, embedded_environment, free_port, run_python, serving

pytestmark = pytest.mark.servers
FILES = ROOT / "tests" / "data" / "databases"
COMMITS = ("be86590", "263b238")
GROWING = {"django_migrations", "django_content_type", "auth_permission"}  # every upgrade adds rows to them

Rows = list[dict[str, Any]]


class Database(ABC):
    """A database outside this process, and what is in it."""

    def __init__(self, data: Path, **variables: str) -> None:
        self.data = data
        self.variables = variables
        self.environment = embedded_environment(data) | variables

    @abstractmethod
    def connect(self) -> Any: ...

    @abstractmethod
    def schema(self) -> dict[str, set[str]]:
        """Columns, indexes and constraints as the database itself spells them, by table."""

    def read(self, query: str) -> Rows:
        with closing(self.connect()) as connection:
            cursor = connection.cursor()
            cursor.execute(query)
            return [dict(zip([column[0] for column in cursor.description], row, strict=True)) for row in cursor]

    def write(self, statement: str) -> None:
        with closing(self.connect()) as connection:
            connection.cursor().execute(statement)
            connection.commit()

    def rows(self) -> dict[str, Rows]:
        return {table: sorted(self.read(f'SELECT * FROM "{table}"'), key=repr) for table in self.schema()}  # noqa: S608


class SqliteDatabase(Database):
    def connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.data / empty_databases.FILE)

    def schema(self) -> dict[str, set[str]]:
        entries = self.read("SELECT tbl_name, type, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC")
        seen: dict[str, set[str]] = {}
        for entry in entries:
            if entry["type"] == "table" and entry["tbl_name"] != "sqlite_sequence":
                body = re.fullmatch(r'CREATE TABLE "\w+" \((.*)\)', entry["sql"], re.DOTALL)
                assert body is not None, entry
                seen[entry["tbl_name"]] = set(parts(body[1]))
            elif entry["type"] == "index":
                seen[entry["tbl_name"]].add(entry["sql"])
        return seen


def parts(body: str) -> Iterator[str]:
    """Cut at the commas outside of brackets: a table that was altered has its columns in another order."""
    depth, part = 0, ""
    for character in body:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            yield part.strip()
            part = ""
        else:
            part += character
    yield part.strip()


# A list of values has other casts and brackets when its table came from a dump.
_SPELLED = re.compile(r"::(character varying|text)(\[\])?|[()]")


class PostgresDatabase(Database):
    def connect(self) -> Any:
        return psycopg2.connect(self.variables["DATABASE_URL"])

    def schema(self) -> dict[str, set[str]]:
        columns = self.read(
            "SELECT table_name, concat_ws(' ', column_name, data_type, character_maximum_length, is_nullable,"
            " column_default, identity_generation) AS is FROM information_schema.columns WHERE table_schema = 'public'"
        )
        indexes = self.read(
            "SELECT tablename AS table_name, indexdef AS is FROM pg_indexes WHERE schemaname = 'public'"
        )
        rules = self.read(
            "SELECT conrelid::regclass::text AS table_name, conname || ' ' || pg_get_constraintdef(oid) AS is"
            " FROM pg_constraint WHERE connamespace = 'public'::regnamespace"
        )
        seen: dict[str, set[str]] = {entry["table_name"]: set() for entry in columns}
        for entry in columns:
            seen[entry["table_name"]].add(entry["is"])
        for entry in (*indexes, *rules):
            seen[entry["table_name"]].add(_SPELLED.sub("", entry["is"]))
        return seen


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.stop()


def made_by(commit: str, vendor: str, home: Path, postgres: PostgresServer) -> Database:
    data = home / commit
    data.mkdir()
    if vendor == "sqlite":
        (data / empty_databases.FILE).write_bytes(gzip.decompress((FILES / f"{commit}.sqlite3.gz").read_bytes()))
        return SqliteDatabase(data)
    return restored(gzip.decompress((FILES / f"{commit}.sql.gz").read_bytes()), data, postgres)


def new_installation(vendor: str, home: Path, postgres: PostgresServer) -> Database:
    if vendor == "sqlite":
        empty_databases.put_on_sqlite(home / "new")
        return SqliteDatabase(home / "new")
    empty_databases.make_template(postgres.url())
    # a dump spells conditions in other words than those they were made with, and the older ones come from dumps
    dump: list[str | Path] = [installed_binaries() / "pg_dump", "--no-owner", postgres.url(empty_databases.TEMPLATE)]
    return restored(subprocess.run(dump, check=True, capture_output=True).stdout, home / "new", postgres)


def restored(dump: bytes, data: Path, postgres: PostgresServer) -> Database:
    name = f"{data.name}_{free_port()}"
    command: list[str | Path] = [installed_binaries() / "psql", "--quiet", "--set=ON_ERROR_STOP=1", "--dbname"]
    subprocess.run([*command, postgres.url(), "--command", f'CREATE DATABASE "{name}"'], check=True)
    subprocess.run([*command, postgres.url(name)], input=dump, check=True, stdout=subprocess.DEVNULL)
    return PostgresDatabase(data, DATABASE_URL=postgres.url(name))


@pytest.mark.drawn(4)
@pytest.mark.parametrize("commit", COMMITS)
@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_assay_starts_on_an_older_database_and_has_every_row(
    commit: str, vendor: str, tmp_path: Path, postgres: PostgresServer
) -> None:
    database = made_by(commit, vendor, tmp_path, postgres)
    before = database.rows()
    assert [table for table, rows in before.items() if not rows] == []
    port = free_port()
    # without its worker, which would forget what has become too old
    with (
        serving(database.data, "--no-worker", port=port, **database.variables),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/sign-in/", timeout=30) as page,
    ):
        assert page.status == 200
    after = database.rows()
    assert set(before) <= set(after)  # tables that came later are empty
    for table, rows in before.items():
        shown = [{column: row[column] for column in rows[0]} for row in after[table]]
        assert [row for row in rows if row not in shown] == [], table
        assert table in GROWING or len(shown) == len(rows), table
    [campaign] = after["campaigns_campaign"]
    assert commit != "be86590" or campaign["plan_options"] in ({}, "{}")
    code = "from django.apps import apps; print(all(list(m._base_manager.all()) or True for m in apps.get_models()))"
    assert run_python(code, environment=database.environment) == "True"  # the models read every table
    assert database.schema() == new_installation(vendor, tmp_path, postgres).schema()


START = {
    "serve": ["manage.py", "serve", "--no-demo", "--port", str(free_port())],
    "migrate": ["manage.py", "migrate", "--no-input"],
    "embedded worker": ["manage.py", "embedded_worker"],
    "worker": ["-m", "celery", "--app", "config", "worker", "--pool", "solo"],
}
CHANGES = {
    "too old": (
        "DELETE FROM django_migrations WHERE app = 'campaigns' AND name > '0010'",
        "This database is too old to be upgraded at once: it lacks the migration campaigns.0010_rights_of_people and "
        "3 more. Start commit 263b238 of Assay with it once, then this one (docs/operations.md, Upgrade).",
    ),
    "too new": (
        "INSERT INTO django_migrations (app, name, applied) VALUES ('jobs', '0002_of_tomorrow', '2027-01-01 00:00Z')",
        "This database was made by a newer Assay: it has the migration jobs.0002_of_tomorrow. Start that version, or "
        "restore a backup made before the upgrade.",
    ),
}


def start(database: Database, name: str) -> "subprocess.CompletedProcess[str]":
    stdin, held_open = os.pipe()  # the embedded worker leaves when it ends
    try:
        return subprocess.run(
            [sys.executable, *START[name]],
            cwd=ROOT,
            env=database.environment,
            stdin=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(stdin)
        os.close(held_open)


@pytest.mark.drawn(5)
@pytest.mark.parametrize(("vendor", "name"), [*(("sqlite", name) for name in START), ("postgresql", "migrate")])
@pytest.mark.parametrize("change", CHANGES)
def test_nothing_starts_on_a_database_it_cannot_upgrade(
    change: str, name: str, vendor: str, tmp_path: Path, postgres: PostgresServer
) -> None:
    database = made_by("263b238", vendor, tmp_path, postgres)
    statement, sentence = CHANGES[change]
    database.write(statement)
    before = database.rows(), database.schema()
    done = start(database, name)
    assert done.returncode != 0
    assert done.stderr.strip().splitlines()[-1].split(": ", 1)[1] == f"{sentence} Nothing was changed."
    assert (database.rows(), database.schema()) == before


@pytest.mark.parametrize("name", ["embedded worker", "worker"])
def test_no_worker_starts_before_the_upgrade(name: str, tmp_path: Path, postgres: PostgresServer) -> None:
    database = made_by("be86590", "sqlite", tmp_path, postgres)
    before = database.schema()
    done = start(database, name)
    assert done.returncode != 0
    assert "The database is not upgraded yet. Start `./assay run` or `./assay manage migrate` first." in done.stderr
    assert database.schema() == before


def test_a_first_start_that_was_interrupted_is_continued(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path)
    for arguments in (["jobs"], []):
        command = [sys.executable, "manage.py", "migrate", "--no-input", *arguments]
        subprocess.run(command, cwd=ROOT, env=database.environment, check=True, stdout=subprocess.DEVNULL)
    empty_databases.put_on_sqlite(tmp_path / "new")
    assert database.schema() == SqliteDatabase(tmp_path / "new").schema()
