"""Databases with all their tables and nothing in them: each kind is migrated once, and copied for every site.

`./assay test` has them made once for all its parts (`python -m tests.empty_databases FOLDER`) and names their folder.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import psycopg2

from bootstrap.places import EMPTY_DATABASES
from tests.plugins.postgres import PostgresServer, installed_binaries
from tests.processes import ROOT, embedded_environment

TEMPLATE = "assay_empty"
FILE, DUMP = "assay.sqlite3", "assay.dump"


def put_on_sqlite(data: Path) -> None:
    data.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_migrated_file(), data / FILE)


def make_on_postgres(server: PostgresServer, name: str) -> None:
    make_template(server.url())
    _execute(server.url(), f'CREATE DATABASE "{name}" TEMPLATE {TEMPLATE}')


def made_for_all_parts() -> Path | None:
    """The folder of databases that were made before, if they were."""
    return Path(os.environ[EMPTY_DATABASES]) if EMPTY_DATABASES in os.environ else None


@cache
def _migrated_file() -> Path:
    if folder := made_for_all_parts():
        return folder / FILE
    home = Path(tempfile.mkdtemp(prefix="assay-empty-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    _migrate(embedded_environment(home))
    return home / FILE


@cache
def make_template(server: str) -> None:
    """The database called `TEMPLATE`, on the server with this URL."""
    _execute(server, f"CREATE DATABASE {TEMPLATE}")
    template = urlsplit(server)._replace(path=f"/{TEMPLATE}").geturl()
    if folder := made_for_all_parts():
        _run(installed_binaries() / "pg_restore", "--exit-on-error", "--dbname", template, folder / DUMP)
    else:
        _migrate(os.environ | {"DATABASE_URL": template})


def _migrate(environment: dict[str, str]) -> None:
    variables = environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=variables, check=True)


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)


def _execute(server: str, statement: str) -> None:
    connection = psycopg2.connect(server)
    try:
        connection.autocommit = True
        connection.cursor().execute(statement)
    finally:
        connection.close()


def _make_for_all_parts(folder: Path) -> None:
    os.environ["ASSAY_DATA_DIR"] = str(folder / "data")
    shutil.copyfile(_migrated_file(), folder / FILE)
    server = PostgresServer()
    try:
        make_template(server.url())
        _run(installed_binaries() / "pg_dump", "--format=custom", "--file", folder / DUMP, server.url(TEMPLATE))
    finally:
        server.stop()


if __name__ == "__main__":
    _make_for_all_parts(Path(sys.argv[1]))
