"""The videos and pictures that documents of WMT's general task name: their paths and numbers, checked."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from django.utils.translation import gettext as _

from campaigns.actions.media import MediumFile
from campaigns.media.content import examine_medium
from campaigns.media.errors import MediumError
from campaigns.media.folder import CAPTIONS
from exchange.formats.genmt_report import LISTED, AssetReport
from exchange.json_values import as_json
from exchange.reading import Line

MEDIA_KEYS = ("video", "screenshot")
_PICTURE = re.compile(r".*_(\d{1,6})(?:-[a-z]+)?\.(?:png|jpe?g|webp|gif)", re.IGNORECASE)


class AssetFolder:
    """Without a folder every path is checked and reported as missing."""

    def __init__(self, folder: Path | None, report: AssetReport) -> None:
        self.folder, self.report = folder, report
        self._used: set[str] = set()
        self._with_own: set[str] = set()
        report.is_checked = folder is not None

    def check(self, values: Mapping[str, Any], document: str, segments: int, line: Line) -> bool:
        """Counts what a document names; False if a path must not be followed, with the reason among the problems.

        A file that is no medium is a problem, too, but not an unsafe path.
        """
        paths = {key: path for key in MEDIA_KEYS if (path := _path_of(values, key, line)) is not None}
        if not all(self._is_safe(path, key, line) for key, path in paths.items()):
            return False
        self.report.media_documents += bool(paths)
        for key, path in paths.items():
            for segment, name in self._files(path, segments):
                self._take(document, segment, name, line, f"{key}.path")
        return True

    def _is_safe(self, path: str, key: str, line: Line) -> bool:
        place = f"{key}.path"
        pure = PurePosixPath(path)
        if not path or "\\" in path or pure.is_absolute() or ".." in pure.parts or re.match(r"[A-Za-z]+:", path):
            return line.refuse(place, _("The path must lie below the folder, without “..”. Correct it."), path)
        if not line.is_readable(path, place):
            return False
        if self.folder is not None:
            steps = [self.folder.joinpath(*pure.parts[: count + 1]) for count in range(len(pure.parts))]
            if any(step.is_symlink() for step in steps):
                return line.refuse(place, _("The path goes over a link. Put the file itself there."), path)
        return True

    def _files(self, path: str, segments: int) -> list[tuple[str, str]]:
        """The file for the document, or one for each segment, as they are in the folder; with counts of what is not."""
        target, name = (None, path) if self.folder is None else (self.folder / path, str(PurePosixPath(path)))
        if target is not None and target.is_dir():
            pictures = numbered_pictures(target)
            if len(pictures) == segments:
                self.report.images += segments
                return [(str(place), f"{name}/{picture}") for place, picture in enumerate(pictures, start=1)]
            _list(self.report.unequal, path)
        elif target is not None and target.is_file():
            return [("", name)]
        else:
            _list(self.report.missing, path)
        return []

    def _take(self, document: str, segment: str, name: str, line: Line, place: str) -> None:
        """A document has one medium: where it names a video and a single picture, the video."""
        if self.folder is None or (not segment and document in self._with_own):
            return
        self._used.add(name)
        self._with_own |= set() if segment else {document}
        path = self.folder / name
        captions = path.with_suffix(CAPTIONS)
        try:
            examine_medium(path)
        except MediumError as error:
            line.refuse(place, str(error), name)
            return
        self._used.add(PurePosixPath(name).with_suffix(CAPTIONS).as_posix())
        beside = captions if captions.is_file() and not captions.is_symlink() else None
        self.report.files.append(MediumFile(document, segment, path, name, captions=beside))

    def list_unused(self) -> None:
        for name in _files_below(self.folder) if self.folder else ():
            if name not in self._used:
                _list(self.report.unused, name)


def numbered_pictures(folder: Path) -> list[str]:
    """By their numbers, `_10` after `_9`; links, and the picture of all segments together, are left out."""
    numbers: dict[int, str] = {}
    names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False))
    matches = [match for name in names if (match := _PICTURE.fullmatch(name))]
    for match in matches:
        numbers.setdefault(int(match[1]), match[0])
    if len(numbers) < len(matches):
        return []  # two pictures with one number: nobody knows which one is meant
    return [numbers[number] for number in sorted(numbers)]


def _path_of(values: Mapping[str, Any], key: str, line: Line) -> str | None:
    """None: there is no such medium; an empty path is refused later."""
    value = values.get(key)
    if value is None:
        return None
    path = value.get("path") if isinstance(value, dict) else None
    if not isinstance(path, str):
        line.refuse(key, _("This must be null, or an object with id and path."), as_json(value))
        return ""
    return path


def _files_below(folder: Path) -> Iterator[str]:
    for home, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            yield Path(home, name).relative_to(folder).as_posix()


def _list(names: list[str], name: str) -> None:
    if len(names) < LISTED and name not in names:
        names.append(name)
