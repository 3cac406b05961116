"""`export CAMPAIGN --format F --output PATH`: a campaign as a file, which is there whole or not at all."""

import os
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from campaigns.models import Campaign
from campaigns.queries import campaign_called
from metrics.archive.writing import write_archive
from metrics.exporting import FORMATS, export_rows

ARCHIVE = "archive"


class Command(WorkingCommand):
    help = "Writes a campaign's judgments to a file; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="name or slug")
        parser.add_argument("--format", required=True, choices=sorted([*FORMATS, ARCHIVE]))
        parser.add_argument("--output", required=True, metavar="PATH", help="- for stdout")
        parser.add_argument("--pseudonyms", action="store_true", help="in an archive: numbers instead of names")

    def handle(self, *, campaign: str, format: str, output: str, pseudonyms: bool, **options: Any) -> None:  # noqa: ARG002 - Django's own
        found = campaign_called(campaign)
        if found is None:
            raise CommandError(_("There is no campaign “%(name)s”.") % {"name": campaign})
        if pseudonyms and format != ARCHIVE:
            raise CommandError(_("--pseudonyms belongs to --format archive."))
        pieces = _pieces(found, format, pseudonyms=pseudonyms)
        if output == "-":
            self._print(pieces)
            return
        path = Path(output).resolve()
        try:
            _write_whole(pieces, path)
        except OSError as error:
            raise CommandError(
                _("%(path)s cannot be written: %(reason)s.") % {"path": path, "reason": error.strerror or error}
            ) from error

    def _print(self, pieces: Iterable[bytes]) -> None:
        stream = getattr(self.stdout, "buffer", None)
        for piece in pieces:
            if stream is None:
                self.stdout.write(piece.decode(errors="surrogateescape"), ending="")
            else:
                stream.write(piece)


def _pieces(campaign: Campaign, format: str, *, pseudonyms: bool) -> Iterator[bytes]:
    return write_archive(campaign, pseudonymised=pseudonyms) if format == ARCHIVE else export_rows(campaign, format)


def _write_whole(pieces: Iterable[bytes], path: Path) -> None:
    """Written beside its place and moved there when it is complete; a device or pipe cannot be moved onto."""
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as device:
            device.writelines(pieces)
        return
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as stream:
        try:
            for piece in pieces:
                stream.write(piece)
            stream.flush()
            os.fchmod(stream.fileno(), 0o666 & ~_umask())
            Path(stream.name).replace(path)
        except BaseException:
            Path(stream.name).unlink()
            raise


def _umask() -> int:
    """It can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
