"""`export CAMPAIGN --format F --output PATH`: a campaign as a file, written whole or not at all."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from campaigns.models import Campaign
from exchange.export_formats import ExportRefusedError, File, choice_of
from exchange.exports import FORMATS, export_rows

ARCHIVE = "archive"


class Command(WorkingCommand):
    help = "Writes a campaign's judgments to a file; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="name or slug")
        parser.add_argument("--format", required=True, choices=sorted([*FORMATS, ARCHIVE]))
        parser.add_argument(
            "--output",
            required=True,
            metavar="PATH",
            help="- for stdout; a folder or a .zip file for a format of several files",
        )
        parser.add_argument("--pseudonyms", action="store_true", help="codes instead of annotators' names")
        parser.add_argument("--labels", action="store_true", help="labels of a crowd's link beside judgments")
        parser.add_argument("--included", action="store_true", help="without the judgments of excluded annotators")

    def handle(
        self,
        *,
        campaign: str,
        format: str,
        output: str,
        pseudonyms: bool,
        included: bool,
        labels: bool,
        **options: Any,  # noqa: ARG002 - Django's own
    ) -> None:
        if included and format == ARCHIVE:
            raise CommandError(_("An archive has the judgments of everybody. Use --included with another format."))
        if labels and format == ARCHIVE:
            raise CommandError(_("An archive has no labels of people. Use --labels with another format."))
        path = Path(output).resolve()
        try:
            pieces, files = _content(
                self.campaign(campaign), format, self.note, pseudonyms=pseudonyms, included=included, labels=labels
            )
            if output == "-":
                self._print(pieces)
            elif files is None or path.suffix == ".zip":
                write_whole(pieces, path)
            else:
                _write_folder(files, path)
        except ExportRefusedError as refused:
            raise CommandError("\n".join(refused.reasons)) from refused
        except OSError as error:
            raise CommandError(
                _("%(path)s cannot be written: %(reason)s.") % {"path": path, "reason": error.strerror or error}
            ) from error

    def note(self, note: str) -> None:
        self.stderr.write(note, style_func=str)

    def _print(self, pieces: Iterable[bytes]) -> None:
        stream = getattr(self.stdout, "buffer", None)
        for piece in pieces:
            if stream is None:
                self.stdout.write(piece.decode(errors="surrogateescape"), ending="")
            else:
                stream.write(piece)


def _content(
    campaign: Campaign, format: str, note: Callable[[str], None], *, pseudonyms: bool, included: bool, labels: bool
) -> tuple[Iterator[bytes], Iterator[File] | None]:
    """The file, and where it is a folder, the files of this folder; what of the campaign is lost is said first."""
    if format == ARCHIVE:
        from exchange.archive.writing import write_archive  # noqa: PLC0415 - scipy, which other formats do without

        return write_archive(campaign, pseudonymised=pseudonyms), None
    choice = choice_of(campaign, codes=pseudonyms, only_included=included, labels=labels)
    pieces, made = export_rows(campaign, format, choice), FORMATS[format]
    for loss in made.losses(campaign, choice):
        note(loss)
    return pieces, made.files(campaign, choice) if made.files else None


def _write_folder(files: Iterable[File], path: Path) -> None:
    """Files that are there already are replaced, each when it is complete; other files stay."""
    for name, pieces in files:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(pieces, path / name)


def write_whole(pieces: Iterable[bytes], path: Path) -> None:
    """Written beside its target, readable by its owner alone, and moved there when it is complete.

    A device or pipe cannot be replaced.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as device:
            device.writelines(pieces)
        return
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as stream:
        try:
            for piece in pieces:
                stream.write(piece)
            stream.flush()
            Path(stream.name).replace(path)
        except BaseException:
            Path(stream.name).unlink()
            raise
