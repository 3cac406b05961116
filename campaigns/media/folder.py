"""Which file of a folder is beside which text: by a table `media.csv`, or by names. docs/formats.md describes both.

A folder may come from a stranger's ZIP file: nothing outside of it is ever read, and links are not followed.
"""

import csv
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from django.utils.translation import gettext as _

from campaigns.actions.media import MediumFile
from campaigns.media.errors import MediumError
from campaigns.reading.problems import Problems

TABLES = {"media.csv": ",", "media.tsv": "\t"}
COLUMNS = ("document", "segment", "file", "alt")
CAPTIONS = ".vtt"
_NUMBERED = re.compile(r"(?:.*_)?(\d{1,6})(?:-[a-z]+)?", re.IGNORECASE)
_HIDDEN = ("__MACOSX", "Thumbs.db", "desktop.ini")


@dataclass
class FolderMedia:
    """`unused` are files that belong to no text; `unequal` are folders without one picture for each segment."""

    files: list[MediumFile] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    unequal: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)  # documents that get no medium
    problems: Problems = field(default_factory=Problems)


def file_below(folder: Path, path: str) -> Path:
    """The file at a path that somebody wrote. Raises MediumError if it leads out of the folder, or over a link."""
    pure = PurePosixPath(path)
    if not path or "\\" in path or "\0" in path or pure.is_absolute() or ".." in pure.parts or ":" in path:
        raise MediumError(_("The path must lie below the folder, without “..”. Correct it."))
    steps = [folder.joinpath(*pure.parts[: count + 1]) for count in range(len(pure.parts))]
    if any(step.is_symlink() for step in steps):
        raise MediumError(_("The path goes over a link. Put the file itself there."))
    if not steps[-1].exists():
        raise MediumError(_("The file is missing."))
    return steps[-1]


def inner_folder(folder: Path, documents: Collection[str]) -> Path:
    """The only folder in a folder, as it is in a ZIP file of a folder; not one that is named like a document."""
    while True:
        entries = [entry for entry in folder.iterdir() if not is_hidden(entry.name)]
        if len(entries) != 1 or entries[0].is_symlink() or not entries[0].is_dir():
            return folder
        if any(f"{name}/".startswith(f"{entries[0].name}/") for name in documents):
            return folder
        (folder,) = entries


def media_in(folder: Path, documents: Mapping[str, Sequence[str]]) -> FolderMedia:
    """`documents` are the names of the segments by the name of their document, in order."""
    found = FolderMedia()
    names = [name for name in _files_below(folder, found) if not is_hidden(name)]
    table = next((name for name in names if name in TABLES), None)
    files = _by_table(folder, table, names, found) if table else _by_names(folder, documents, names, found)
    found.files = [_with_captions(each, names, folder) for each in files]
    used = {each.name for each in found.files} | {table}
    captions = {str(each.captions.relative_to(folder).as_posix()) for each in found.files if each.captions}
    found.unused = [name for name in names if name not in used | captions]
    with_media = {each.document for each in found.files}
    found.without = [name for name in documents if name not in with_media]
    return found


def _files_below(folder: Path, found: FolderMedia) -> Iterator[str]:
    for home, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = Path(home, name)
            shown = path.relative_to(folder).as_posix()
            if path.is_symlink():
                found.problems.add(shown, None, "", _("This is a link. Put the file itself there."))
            else:
                yield shown


def is_hidden(name: str) -> bool:
    """What file managers add without being asked."""
    return any(part.startswith(".") or part in _HIDDEN for part in PurePosixPath(name).parts)


def _by_table(folder: Path, table: str, names: Sequence[str], found: FolderMedia) -> Iterator[MediumFile]:
    try:
        lines = (folder / table).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        found.problems.add(table, None, "", _("This file is not UTF-8 text."))
        return
    reader = csv.DictReader(lines, delimiter=TABLES[table])
    columns = reader.fieldnames or ()
    if not {"document", "file"} <= set(columns) <= set(COLUMNS):
        message = _("The first line must name the columns: document, segment, file, alt.")
        found.problems.add(table, 1, "", message, ", ".join(columns))
        return
    for row in reader:
        cells = {name: (row.get(name) or "").strip() for name in COLUMNS}
        try:
            path = file_below(folder, cells["file"])
        except MediumError as error:
            found.problems.add(table, reader.line_num, "file", str(error), cells["file"])
            continue
        if path.is_dir() or path.relative_to(folder).as_posix() not in names:
            found.problems.add(table, reader.line_num, "file", _("This is not a file."), cells["file"])
        else:
            name = path.relative_to(folder).as_posix()
            yield MediumFile(cells["document"], cells["segment"], path, name, cells["alt"])


def _by_names(
    folder: Path, documents: Mapping[str, Sequence[str]], names: Sequence[str], found: FolderMedia
) -> Iterator[MediumFile]:
    """`DOCUMENT.png` is beside the document; `DOCUMENT/…_1.png` or `DOCUMENT_1.png` beside its first segment."""
    of_folders: dict[str, list[str]] = {}
    for name in names:
        path = PurePosixPath(name)
        stem = str(path.with_suffix(""))
        if path.suffix == CAPTIONS:
            continue
        if stem in documents:
            yield MediumFile(stem, "", folder / name, name)
            continue
        document = str(path.parent) if str(path.parent) in documents else stem.rpartition("_")[0]
        if document in documents and _NUMBERED.fullmatch(path.stem):
            of_folders.setdefault(document, []).append(name)
    for document, files in of_folders.items():
        numbered = in_order_of_numbers(files)
        if len(numbered) != len(documents[document]):
            found.unequal.append(document)
            continue
        for segment, name in zip(documents[document], numbered, strict=True):
            yield MediumFile(document, segment, folder / name, name)


def in_order_of_numbers(names: Sequence[str]) -> list[str]:
    """`_10` after `_9`; names without a number, such as `…_all`, are left out. Empty if a number comes twice."""
    matches = [(match, name) for name in names if (match := _NUMBERED.fullmatch(PurePosixPath(name).stem))]
    numbers = {int(match[1]): name for match, name in matches}
    return [numbers[number] for number in sorted(numbers)] if len(numbers) == len(matches) else []


def _with_captions(file: MediumFile, names: Sequence[str], folder: Path) -> MediumFile:
    captions = str(PurePosixPath(file.name).with_suffix(CAPTIONS))
    if captions not in names:
        return file
    return MediumFile(file.document, file.segment, file.path, file.name, file.alt, folder / captions)
