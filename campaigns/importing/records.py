"""What every format comes down to: a segment with its references and translations, and where it stood in its file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class SegmentRecord:
    """One segment. `suggested` holds error spans by system; `file` and `line` say where it was read, for messages."""

    document: str
    segment: str
    source: str
    references: Mapping[str, str] = field(default_factory=dict)
    translations: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    domain: str = ""
    tags: Sequence[str] = ()
    suggested: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class QuestionRecord:
    """A comprehension question on a document: with `choices`, of which `accepted` are right, or answered in words."""

    document: str
    name: str
    text: str
    choices: Sequence[str] = ()
    accepted: Sequence[str] = ()
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class ImportFiles:
    """What is imported: one file that holds everything, or the sides of a parallel text, each in a file of its own.

    Comprehension questions may stand in a further one. `columns` says what columns are that are not called as
    expected (see `columns.py`). `names` gives the name a person knows a file by, where the path on disk is another.
    """

    path: Path | None = None
    source: Path | None = None
    references: Mapping[str, Path] = field(default_factory=dict)
    systems: Mapping[str, Path] = field(default_factory=dict)
    documents: Path | None = None
    questions: Path | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[Path, str] = field(default_factory=dict)

    @property
    def is_parallel(self) -> bool:
        return self.path is None

    def by_role(self) -> dict[str, Path]:
        """Every file under what it is, in a fixed order."""
        questions = {} if self.questions is None else {"questions": self.questions}
        return {**self.text_files(), **questions}

    def text_files(self) -> dict[str, Path]:
        """Those that hold the texts."""
        if self.path is not None:
            return {"file": self.path}
        roles: dict[str, Path] = {}
        if self.source is not None:
            roles["source"] = self.source
        if self.documents is not None:
            roles["documents"] = self.documents
        roles.update({f"reference:{name}": path for name, path in sorted(self.references.items())})
        roles.update({f"system:{name}": path for name, path in sorted(self.systems.items())})
        return roles

    def name_of(self, path: Path) -> str:
        return self.names.get(path, path.name)
