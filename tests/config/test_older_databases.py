"""Databases that earlier commits made: this one upgrades them in place, or stops with a sentence and changes nothing.

`tests/data/databases` has one of each kind by the commit that made it, with a row in every table: `be86590`, when
`metrics` had the runs, and `263b238`, the last one before the migrations of each room were joined into one.
"""

import gzip
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import empty_databases
from tests.config.outer_databases import Database, PostgresDatabase, SqliteDatabase
from tests.plugins.postgres import PostgresServer, installed_binaries
from tests.processes import ROOT, free_port, run_python, serving

pytestmark = pytest.mark.servers
FILES = ROOT / "tests" / "data" / "databases"
COMMITS = ("be86590", "263b238")
GROWING = {"django_migrations", "django_content_type", "auth_permission"}  # every upgrade adds rows to them


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


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", ["embedded worker", "worker"])
def test_no_worker_starts_before_the_upgrade(name: str, tmp_path: Path, postgres: PostgresServer) -> None:
    database = made_by("be86590", "sqlite", tmp_path, postgres)
    before = database.schema()
    done = start(database, name)
    assert done.returncode != 0
    assert "The database is not upgraded yet. Start `./assay run` or `./assay manage migrate` first." in done.stderr
    assert database.schema() == before
