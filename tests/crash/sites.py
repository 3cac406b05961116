"""Sites as people run them, that can be killed whole and started again."""

import os
import secrets
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.database import Database, postgres_database, sqlite_database
from tests.empty_databases import make_on_postgres, put_on_sqlite
from tests.plugins.postgres import PostgresServer
from tests.processes import ROOT, free_port, is_alive, is_healthy, run_commands, wait_for

# as in docker-compose.yml, with two processes
GUNICORN = [
    "-m",
    "gunicorn",
    "config.wsgi:application",
    "--worker-class",
    "config.buffering_worker.BufferingWorker",
    "--workers",
    "2",
    "--threads",
    "8",
]
GUNICORN += ["--timeout", "120", "--keep-alive", "5", "--no-control-socket", "--log-level", "warning"]


@dataclass
class Site:
    name: str
    command: list[str]
    environment: dict[str, str]
    database: Database
    log: Path
    port: int
    _process: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> float:
        """Seconds until it answers."""
        began = time.monotonic()
        with self.log.open("ab") as stream:
            process = self._process = subprocess.Popen(
                [sys.executable, *self.command],
                cwd=ROOT,
                env=self.environment,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )

        def is_ready() -> bool:
            if process.poll() is not None:
                raise AssertionError(f"{self.name} ended:\n{self.log.read_text()}")
            return is_healthy(self.url)

        wait_for(is_ready, what=f"{self.name} to answer")
        return time.monotonic() - began

    def processes(self) -> list[int]:
        """The first is the one that was started; its children and theirs follow."""
        if self._process is None:
            return []
        listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        parents = [(int(pid), int(parent)) for pid, parent in map(str.split, listed.splitlines())]
        family = [self._process.pid]
        for member in family:
            family += [pid for pid, parent in parents if parent == member]
        return family

    def kill(self) -> None:
        """SIGKILL for everything that belongs to it, with no chance for anybody to finish."""
        family = self.processes()
        if self._process is None:
            return
        os.killpg(self._process.pid, signal.SIGKILL)
        for member in family[1:]:
            try:
                os.kill(member, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait()
        self._process = None
        wait_for(lambda: not any(map(is_alive, family)), what=f"{self.name} to be gone")

    def manage(self, *commands: list[str]) -> list[str]:
        """One after the other. The lines they print."""
        done = run_commands(*commands, environment=self.environment)
        if done.returncode:
            raise AssertionError(f"{commands}: {done.stderr}")
        return done.stdout.splitlines()


def served_on_sqlite(home: Path) -> Site:
    """`./assay run` without its preparations: one folder, the child with the worker beside the web processes."""
    data, port = home / "data", free_port()
    environment = _environment(data)
    put_on_sqlite(data)
    return Site(
        name="serve on SQLite",
        command=["manage.py", "serve", "--port", str(port), "--data", str(data), "--no-demo"],
        environment=environment,
        database=sqlite_database(data / "assay.sqlite3"),
        log=home / "serve.log",
        port=port,
    )


def gunicorn_on_postgres(home: Path, postgres: PostgresServer) -> Site:
    """A new, empty database of the server that is given."""
    name, port = f"assay_{secrets.token_hex(4)}", free_port()
    make_on_postgres(postgres, name)
    return Site(
        name="gunicorn on PostgreSQL",
        command=[*GUNICORN, "--bind", f"127.0.0.1:{port}"],
        environment=_environment(home / "data") | {"DATABASE_URL": postgres.url(name)},
        database=postgres_database(postgres.url(name)),
        log=home / "gunicorn.log",
        port=port,
    )


def _environment(data: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return kept | {"DJANGO_SETTINGS_MODULE": "config.settings", "ASSAY_DATA_DIR": str(data)}
