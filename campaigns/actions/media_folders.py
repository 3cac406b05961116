"""Media of a test set from a folder, or from files that were sent: matched to the texts by table or by name."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from campaigns.actions.media import AddedMedia, OnProgress, add_media
from campaigns.file_stores import media_store
from campaigns.media.errors import MediaError
from campaigns.media.folder import inner_folder, media_in
from campaigns.media.zip_file import path_error, unpack
from campaigns.models import Account, Segment, TestSet
from campaigns.reading.problems import Problems


@dataclass(frozen=True)
class FolderOutcome:
    """`unused` are files, `unequal` and `without` documents: these without one picture for each segment, and without
    any medium."""

    added: AddedMedia
    unused: tuple[str, ...]
    unequal: tuple[str, ...]
    without: tuple[str, ...]


@dataclass(frozen=True)
class SentFile:
    name: str
    path: Path
    inner: str = ""  # where it lies in the folder that was sent


def add_media_folder(
    *, test_set: TestSet, folder: Path, by: Account | None, on_progress: OnProgress | None = None
) -> FolderOutcome:
    """Raises MediaError with everything that is wrong; then nothing was stored."""
    documents: dict[str, list[str]] = {}
    rows = Segment.objects.filter(document__test_set=test_set).order_by("document__position", "position")
    for document, segment in rows.values_list("document__name", "name"):
        documents.setdefault(document, []).append(segment)
    found = media_in(inner_folder(folder, documents), documents)
    if not (found.files or found.unequal or found.problems.count):
        message = _("No file belongs to a text. Name files as documents (such as %(name)s.png), or add a media.csv.")
        found.problems.add("", None, "", message % {"name": next(iter(documents), "document")})
    added = add_media(test_set=test_set, files=found.files, by=by, on_progress=on_progress, problems=found.problems)
    return FolderOutcome(added, tuple(found.unused), tuple(found.unequal), tuple(found.without))


def add_sent_media(*, test_set: TestSet, files: Iterable[SentFile], by: Account | None) -> FolderOutcome:
    """Files, and ZIP files of files, as one folder."""
    with _folder_of(files) as folder:
        return add_media_folder(test_set=test_set, folder=folder, by=by)


@contextmanager
def _folder_of(files: Iterable[SentFile]) -> Iterator[Path]:
    problems = Problems()
    with tempfile.TemporaryDirectory(prefix="unpacked-", dir=media_store().scratch()) as name:
        folder = Path(name)
        for file in files:
            target = folder / (file.inner or Path(file.name).name)
            if refusal := path_error(file.inner):
                problems.add(file.inner, None, "", refusal)
            elif file.name.lower().endswith(".zip"):
                try:
                    unpack(file.path, folder, name=file.name)
                except MediaError as error:
                    problems.add_all(error.problems)
            elif target.exists():
                problems.add(file.name, None, "", _("Two files have this name."))
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.path, target)
        if problems.count:
            raise MediaError(problems)
        yield folder
