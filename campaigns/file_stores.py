"""Where files are that every machine of a site must be able to read: a folder, or an object store (decision 60).

`ASSAY_STORE_BUCKET` decides. Media are in `media_store()`. Uploads that wait for a run lie in the data folder of the
machine that took them; with an object store they are in `upload_store()` as well, where workers elsewhere find them.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol, cast

from django.conf import settings
from django.core.files.storage import storages
from django.utils.translation import gettext as _

PIECE = 256 * 1024  # bytes


class StoreAway(OSError):
    """The object store does not answer, or refuses; says so to people, and why in the log."""

    def __init__(self) -> None:
        super().__init__(_("The store of files does not answer. Wait a moment and try again."))


class FileStore(Protocol):
    """Files by name, such as `ab/abcd`; a file is there whole or not at all.

    What reads a file that is not there raises FileNotFoundError; with an object store everything may raise StoreAway.
    """

    def scratch(self) -> Path | None:
        """The folder for files that are about to be put; None for the system's own."""

    def put(self, name: str, path: Path) -> None:
        """Takes the place of an earlier file of this name; the one at `path` may be gone afterwards."""

    def size(self, name: str) -> int:
        """In bytes."""

    def pieces(self, name: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes from `start` up to `end`, which is not among them."""

    def changed_at(self, name: str) -> float:
        """In seconds since 1970, by the store's clock."""

    def names(self, prefix: str = "") -> Iterator[tuple[str, float]]:
        """Names that begin so, and when each file was put."""

    def remove(self, name: str) -> None:
        """Does nothing where the file is gone already."""


class FolderStore:
    """Files below the folder that a setting names."""

    def __init__(self, setting: str) -> None:
        self.setting = setting

    @property
    def home(self) -> Path:
        return Path(getattr(settings, self.setting))

    def scratch(self) -> Path | None:
        """In the same file system, so that a file is renamed, not copied."""
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.home

    def put(self, name: str, path: Path) -> None:
        target = self.home / name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.replace(target)

    def size(self, name: str) -> int:
        return (self.home / name).stat().st_size

    def pieces(self, name: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        with (self.home / name).open("rb") as stream:
            stream.seek(start)
            while piece := stream.read(PIECE if end is None else max(0, min(PIECE, end - stream.tell()))):
                yield piece

    def changed_at(self, name: str) -> float:
        return (self.home / name).stat().st_mtime

    def names(self, prefix: str = "") -> Iterator[tuple[str, float]]:
        for folder, _folders, files in os.walk(self.home):
            for file in files:
                path = Path(folder) / file
                name = path.relative_to(self.home).as_posix()
                if name.startswith(prefix):
                    with suppress(FileNotFoundError):  # renamed or removed since
                        yield name, path.stat().st_mtime

    def remove(self, name: str) -> None:
        (self.home / name).unlink(missing_ok=True)


def media_store() -> FileStore:
    return cast("FileStore", storages["media"])


def upload_store() -> FileStore | None:
    """None where uploads are in the data folder alone."""
    return cast("FileStore", storages["uploads"]) if "uploads" in settings.STORAGES else None
