"""Django's `migrate`, one at a time: whoever comes second waits, and finds that nothing is left to do.

A database that this Assay cannot upgrade is refused before anything in it is changed.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.checks import Tags
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from config.database_version import upgrade_to_joined_migrations

LOCK = 0x617373617900  # a number of our own among PostgreSQL's advisory locks: "assay"


class Command(migrate.Command):
    # Not those of addresses and templates: they load every page, which takes longer than to find nothing to migrate.
    requires_system_checks = [Tags.compatibility, Tags.database, Tags.models, Tags.security, Tags.signals]

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Checks take their turn, too: they ask the database what it can do, and a locked one seems to know nothing."""
        database = connections[options["database"]]
        locked = _locked_postgres if database.vendor == "postgresql" else _locked_file
        with locked(database, self):
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        upgrade_to_joined_migrations(connections[options["database"]])
        super().handle(*args, **options)

    def say_that_we_wait(self) -> None:
        self.stderr.write("Another migrate is under way; waiting for it to end …")


@contextmanager
def _locked_postgres(database: BaseDatabaseWrapper, command: Command) -> Iterator[None]:
    """Locked by a connection of its own, which migrations cannot close."""
    holder = database.copy()
    try:
        with holder.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
            if not cursor.fetchone()[0]:
                command.say_that_we_wait()
                cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        yield
    finally:
        holder.close()


@contextmanager
def _locked_file(database: BaseDatabaseWrapper, command: Command) -> Iterator[None]:
    """Beside SQLite's file; a database in memory needs no lock."""
    file = Path(str(database.settings_dict["NAME"]))
    if not file.parent.is_dir() or "memory" in file.name:
        yield
        return
    with file.with_name(f"{file.name}-migrate").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            command.say_that_we_wait()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
