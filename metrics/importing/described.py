"""What a file of scores is: what was said of it, and what its name says (`COMET-refA.seg.score`)."""

import re
from dataclasses import dataclass
from pathlib import Path

from metrics.models import ScoreLevel

_ENDINGS = {".seg.score": ScoreLevel.SEGMENT, ".sys.score": ScoreLevel.SYSTEM}
_LEVELS = {"seg": ScoreLevel.SEGMENT, "segment": ScoreLevel.SEGMENT, "segments": ScoreLevel.SEGMENT} | {
    "sys": ScoreLevel.SYSTEM,
    "system": ScoreLevel.SYSTEM,
    "systems": ScoreLevel.SYSTEM,
}
_SUFFIXES = (".score", ".scores", ".tsv", ".csv", ".tab", ".txt")
_REFERENCES = re.compile(r"-(?P<reference>ref[^-.]*)$")


@dataclass(frozen=True)
class ScoreFile:
    """A file, and whose scores it holds. What is None follows from the file's name or from its columns.

    `name` is what a person calls the file, where the path on disk is another.
    """

    path: Path
    metric: str
    level: str | None = None
    higher_is_better: bool = True
    references: tuple[str, ...] | None = None
    name: str = ""

    @property
    def called(self) -> str:
        return self.name or self.path.name


def level_of(file_name: str) -> ScoreLevel | None:
    """`.seg.score` and `.sys.score` as mt-metrics-eval ends its files; `.seg.tsv`, `.systems.csv` alike."""
    return _LEVELS.get(_without_suffix(file_name).rpartition(".")[2].lower())


def guess_metric(file_name: str) -> str:
    """What the file is named after: `COMET-refA` of `COMET-refA.seg.score`."""
    stem = _without_suffix(file_name)
    head, _dot, last = stem.rpartition(".")
    return head if head and last.lower() in _LEVELS else stem


def guess_references(file_name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """The references of the test set that the name speaks of; `refA` is the one called A, or refA."""
    found = _REFERENCES.search(guess_metric(file_name))
    named = found["reference"] if found else ""
    return tuple(name for name in known if named and named in (name, f"ref{name}"))


def _without_suffix(file_name: str) -> str:
    lower = file_name.lower()
    return next((file_name[: -len(suffix)] for suffix in _SUFFIXES if lower.endswith(suffix)), file_name)
