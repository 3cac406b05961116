"""Production on this machine: the image's files, the compose file's processes, a PostgreSQL and a Valkey."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg2
import pytest

from tests.plugins.postgres import PostgresServer
from tests.plugins.valkey import ValkeyServer
from tests.production.compose import ENV_FILE, our_services
from tests.production.image import instructions, lay_out


@dataclass(frozen=True)
class Production:
    tree: Path
    environment: dict[str, str]

    def manage(self, *arguments: str) -> str:
        return self.run([sys.executable, "manage.py", *arguments])

    def run(self, command: list[str]) -> str:
        done = subprocess.run(command, cwd=self.tree, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="package")
def database() -> Iterator[str]:
    """A new, empty database on the suite's server, or on one of our own where the suite has none."""
    address = os.environ.get("DATABASE_URL", "")
    own = None if address.startswith("postgres") else PostgresServer()
    server = own.url() if own else address
    name = f"assay_{secrets.token_hex(4)}"
    _execute(server, f'CREATE DATABASE "{name}"')
    yield urlsplit(server)._replace(path=f"/{name}").geturl()
    _execute(server, f'DROP DATABASE "{name}" WITH (FORCE)')
    if own:
        own.stop()


@pytest.fixture(scope="package")
def broker() -> Iterator[str]:
    """A broker that no other test listens to."""
    valkey = ValkeyServer()
    yield valkey.url()
    valkey.stop()


@pytest.fixture(scope="package")
def production(tmp_path_factory: pytest.TempPathFactory, database: str, broker: str) -> Production:
    home = tmp_path_factory.mktemp("production")
    tree = home / "assay"
    tree.mkdir()
    lay_out(tree)
    places = {"ASSAY_STATIC_ROOT": str(home / "static"), "ASSAY_DATA_DIR": str(home / "data")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    built = Production(tree, {"PATH": path, **places})
    for word, rest in instructions(""):
        if word == "RUN" and "manage.py" in rest:
            built.run(["sh", "-c", rest])
    set_by_compose = our_services(ENV_FILE)["web"]["environment"]
    return Production(tree, built.environment | set_by_compose | {"DATABASE_URL": database, "REDIS_URL": broker})


def _execute(server: str, statement: str) -> None:
    connection = psycopg2.connect(server)
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement)
    finally:
        connection.close()
