"""`backup PATH`: the SQLite database as one file, while Assay runs or not."""

import os
import sqlite3
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from campaigns.management.working_command import WorkingCommand


class Command(WorkingCommand):
    help = "Writes the SQLite database to one file, which its owner alone may read; see docs/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", metavar="PATH", help="a file that does not exist yet")

    def handle(self, *, path: str, **options: Any) -> None:  # noqa: ARG002 - Django's own
        database = settings.DATABASES["default"]
        if not database["ENGINE"].endswith("sqlite3"):
            raise CommandError("The database is PostgreSQL: back it up with pg_dump, as docs/operations.md says.")
        target = Path(path).resolve()
        if target.exists():
            raise CommandError(f"{target} already exists. Choose another name.")
        try:
            _copy(Path(database["NAME"]), target)
        except (OSError, sqlite3.Error) as error:
            raise CommandError(f"{target} cannot be written: {error}.") from error
        self.stdout.write(f"{target}: {target.stat().st_size:,} bytes.")


def _copy(database: Path, target: Path) -> None:
    """Complete or not at all; written in a private folder next to its place, so that nobody reads an unfinished one."""
    with TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
        part = Path(folder) / "backup"
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source:
            source.execute("VACUUM INTO ?", [str(part)])
        part.chmod(0o600)
        os.link(part, target)  # fails where something came to be there meanwhile
