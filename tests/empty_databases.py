"""Databases with all their tables and nothing in them: each kind is migrated once, and copied for every site."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import psycopg2

from tests.plugins.postgres import PostgresServer
from tests.processes import ROOT, embedded_environment

TEMPLATE = "assay_empty"


def put_on_sqlite(data: Path) -> None:
    data.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_migrated_file(), data / "assay.sqlite3")


def make_on_postgres(server: PostgresServer, name: str) -> None:
    _make_template(server)
    _execute(server, f'CREATE DATABASE "{name}" TEMPLATE {TEMPLATE}')


@cache
def _migrated_file() -> Path:
    home = Path(tempfile.mkdtemp(prefix="assay-empty-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    _migrate(embedded_environment(home))
    return home / "assay.sqlite3"


@cache
def _make_template(server: PostgresServer) -> None:
    _execute(server, f"CREATE DATABASE {TEMPLATE}")
    _migrate(os.environ | {"DATABASE_URL": server.url(TEMPLATE)})


def _migrate(environment: dict[str, str]) -> None:
    kept = environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=kept, check=True)


def _execute(server: PostgresServer, statement: str) -> None:
    connection = psycopg2.connect(server.url())
    try:
        connection.autocommit = True
        connection.cursor().execute(statement)
    finally:
        connection.close()
