"""Databases with the campaigns in them, made once for a folder; the next benchmark there finds them."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg2

from bootstrap.places import ROOT
from bootstrap.steps import say
from tests.plugins.postgres import PostgresServer
from tests.production.compose import postgres_settings

SQLITE, POSTGRES = DATABASES = ("sqlite", "postgresql")
EMPTY = 0


@dataclass(frozen=True)
class Opened:
    """`environment` is that of Assay's processes; `server` the database's own, if it has any; `home` its folder."""

    kind: str
    environment: dict[str, str]
    home: Path
    server: PostgresServer | None = None

    def started(self, task: str, *arguments: object) -> "subprocess.Popen[str]":
        """A task that answers each line that it is sent with one."""
        command = [sys.executable, "-m", "benchmarks._million.tasks", task, *map(str, arguments)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=ROOT, env=self.environment, stdin=pipe, stdout=pipe, text=True)

    def empty(self) -> "Opened":
        """A database of the same server with the same work, of which nothing is judged."""
        return _place(self.kind, EMPTY, self.home, self.server)

    @contextmanager
    def fresh(self) -> Iterator["Opened"]:
        """A database with nothing in it, of the same server; it ends with this."""
        with tempfile.TemporaryDirectory(prefix="fresh-", dir=self.home) as data:
            environment = self.environment | {"ASSAY_DATA_DIR": data}
            if self.server is not None:
                environment["DATABASE_URL"] = self.server.url("fresh")
                _create(self.server, "fresh")
            place = Opened(self.kind, environment, self.home, self.server)
            place.run("migrate")
            yield place

    def run(self, task: str, *arguments: object) -> str:
        """What a task of `benchmarks._million.tasks` writes, in a process of its own."""
        command = [sys.executable, "-m", "benchmarks._million.tasks", task, *map(str, arguments)]
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout


@contextmanager
def opened(kind: str, judgments: int, folder: Path | None) -> Iterator[Opened]:
    """Without a folder they are made in a new one, and gone afterwards. To make them takes minutes, at low priority."""
    with ExitStack() as ends:
        home = folder or Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="assay-bench-")))
        server = None
        if kind == POSTGRES:
            server = PostgresServer(durable=True, home=folder and folder / "postgres", settings=postgres_settings())
            ends.callback(server.stop)
        yield _place(kind, judgments, home, server)


def _place(kind: str, judgments: int, home: Path, server: PostgresServer | None) -> Opened:
    data = home / f"{kind}-{judgments}"
    data.mkdir(parents=True, exist_ok=True)
    foreign = ("ASSAY_", "DATABASE_URL", "REDIS_URL")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    environment |= {"ASSAY_DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    if server is not None:
        environment["DATABASE_URL"] = server.url(f"million_{judgments}")
    place = Opened(kind, environment, home, server)
    if not (data / "made").exists():
        say(f"making {judgments:,} judgments on {kind} …")
        _make(place, judgments)
        (data / "made").touch()
    else:
        place.run("migrate")
    return place


def _make(place: Opened, judgments: int) -> None:
    server = place.server
    if server is None:
        for left_over in Path(place.environment["ASSAY_DATA_DIR"]).glob("*.sqlite3*"):
            left_over.unlink()
    else:
        _create(server, f"million_{judgments}")
    place.run("make", judgments)


def _create(server: PostgresServer, name: str) -> None:
    """Empty, whatever was in it."""
    connection = psycopg2.connect(server.url())
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        cursor.execute(f"CREATE DATABASE {name}")
    connection.close()
