"""ZIP files among uploaded ones: what is in them counts as if it had been dropped itself."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from campaigns.media.errors import MediaError
from campaigns.media.folder import is_hidden
from campaigns.media.zip_file import unpack
from campaigns.reading.foreign_files import LOOKED_AT, is_archive, is_packed
from campaigns.reading.problems import Problems

MOST_FILES = 200
LEFT_OUT = "metric-scores"  # of mt-metrics-eval: hundreds of files, none of which has texts


def unpacked(files: Sequence[Mapping[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """Raises MediaError with everything that is wrong; then nothing of the folder may be used."""
    found: list[dict[str, Any]] = []
    problems = Problems()
    left = settings.UPLOAD_MEGABYTES
    for number, file in enumerate(files):
        path = Path(file["path"])
        if not is_archive(_head(path)):
            found.append(dict(file))
            continue
        target = folder / f"{number}-unpacked"
        unpack(path, target, name=file["name"], megabytes=left)
        path.unlink()
        members = list(_members(target, file["name"], problems))
        left -= sum(member["size"] for member in members) // 1_000_000
        if not members:
            problems.add(file["name"], None, "", _("It contains no file."))
        found += members
    if len(found) > MOST_FILES:
        message = _("%(count)d files; at most %(limit)d are read together.")
        problems.add("", None, "", message % {"count": len(found), "limit": MOST_FILES})
    if problems.count:
        raise MediaError(problems)
    return found


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(LOOKED_AT)


def _members(target: Path, archive: str, problems: Problems) -> Iterator[dict[str, Any]]:
    """By their own names; with their folders where two have the same."""
    paths = [path for path in sorted(target.rglob("*")) if path.is_file()]
    kept = [path for path in paths if not is_hidden(path.relative_to(target).as_posix()) and LEFT_OUT not in path.parts]
    taken = Counter(path.name for path in kept)
    for path in kept:
        inner = path.relative_to(target).as_posix()
        if is_packed(_head(path)):
            problems.add(archive, None, inner, _("This is an archive within an archive. Unpack it first."))
        name = path.name if taken[path.name] == 1 else inner
        yield {"name": name, "path": str(path), "size": path.stat().st_size, "inner": inner}
