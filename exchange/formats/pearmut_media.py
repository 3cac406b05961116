"""The files of a Pearmut campaign's media, below the folder that was named."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from django.utils.translation import gettext as _

from campaigns.actions.media import MediumFile
from campaigns.reading.problems import Problems
from exchange.formats.pearmut_campaign import Medium

ASSETS = "assets"  # how Pearmut's own folder begins a path


def found_media(
    media: Mapping[tuple[str, str], Medium], folder: Path | None, problems: Problems
) -> tuple[list[MediumFile], list[str]]:
    """Files and missing paths. A path that leads out of the folder, or over a link, is refused."""
    files: list[MediumFile] = []
    missing: list[str] = []
    for (document, segment), medium in media.items():
        if not _is_safe(medium.path):
            message = _("The path must lie below the folder, without “..”. Correct it.")
            problems.add("", None, f"{document}, {segment}", message, medium.path)
        elif folder is not None and (path := _file(folder, medium.path, problems)) is not None:
            files.append(MediumFile(document, segment, path, medium.path))
        else:
            missing.append(medium.path)
    return files, missing


def _is_safe(path: str) -> bool:
    pure = PurePosixPath(path)
    is_local = not pure.is_absolute() and ".." not in pure.parts and not re.match(r"[A-Za-z]+:", path)
    return bool(path) and is_local and "\\" not in path


def _file(folder: Path, path: str, problems: Problems) -> Path | None:
    """The folder may be Pearmut's `assets`, or the one above it."""
    parts = PurePosixPath(path).parts
    for own in (parts, parts[1:] if parts[0] == ASSETS else ()):
        steps = [folder.joinpath(*own[: count + 1]) for count in range(len(own))]
        if any(step.is_symlink() for step in steps):
            problems.add("", None, path, _("The path goes over a link. Put the file itself there."))
            return None
        if steps and steps[-1].is_file():
            return steps[-1]
    return None
