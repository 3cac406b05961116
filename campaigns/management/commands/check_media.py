"""`check_media [--from FOLDER] [--to FOLDER]`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from campaigns.file_stores import StoreAway, media_store
from campaigns.management.working_command import WorkingCommand
from campaigns.media.storage import hash_of, name_of, pieces_of_file, store_pieces, stored_pieces
from campaigns.models import Medium

_NAMED = 20


class Command(WorkingCommand):
    help = "Reads every file of media and compares it with its hash; restores lost ones, or backs all up."

    def add_arguments(self, parser: CommandParser) -> None:
        restored = "a folder of media, such as a backup: what is lost or damaged is taken from there"
        parser.add_argument("--from", dest="source", type=Path, metavar="FOLDER", help=restored)
        parser.add_argument("--to", type=Path, metavar="FOLDER", help="a folder that gets each file it does not have")

    def handle(self, *, source: Path | None, to: Path | None, **_options: Any) -> None:
        if source is not None and not source.is_dir():
            raise CommandError(f"{source} is not a folder.")
        count = restored = copied = 0
        lost: list[str] = []
        try:
            for file_hash in _hashes():
                count += 1
                is_whole = _is_whole(file_hash)
                if not is_whole and source is not None and _restored(file_hash, source):
                    is_whole, restored = True, restored + 1
                if not is_whole:
                    lost.append(file_hash)
                elif to is not None:
                    copied += _copied(file_hash, to)
        except StoreAway as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Files: {count}. Restored: {restored}. Copied: {copied}. Lost or damaged: {len(lost)}.")
        if lost:
            names = Medium.objects.filter(file_hash__in=lost).order_by("name").values_list("name", flat=True).distinct()
            shown = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
            raise CommandError(f"Lost or damaged: {shown}. Name a backup with --from, or add the files again.")


def _hashes() -> Iterator[str]:
    return Medium.objects.order_by("file_hash").values_list("file_hash", flat=True).distinct().iterator(2_000)


def _is_whole(file_hash: str) -> bool:
    pieces = stored_pieces(file_hash)
    return pieces is not None and hash_of(pieces) == file_hash


def _restored(file_hash: str, source: Path) -> bool:
    path = source / name_of(file_hash)
    if not path.is_file() or hash_of(pieces_of_file(path)) != file_hash:
        return False
    store_pieces(pieces_of_file(path))
    return True


def _copied(file_hash: str, folder: Path) -> bool:
    path = folder / name_of(file_hash)
    if path.is_file():
        return False
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    incomplete = path.with_name(f"{file_hash}.incomplete")
    with incomplete.open("wb") as target:
        target.writelines(media_store().pieces(name_of(file_hash)))
    incomplete.chmod(0o600)
    incomplete.replace(path)
    return True
