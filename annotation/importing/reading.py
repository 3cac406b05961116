"""What a reader of judgments is given: the file, where to say what is wrong, and what was asked for."""

from dataclasses import dataclass
from pathlib import Path

from campaigns.importing.problems import Problems


@dataclass
class Reading:
    """`protocol` and the languages are empty where nobody named them; a file that tells its languages fills them in."""

    path: Path
    problems: Problems
    protocol: str = ""
    source_language: str = ""
    target_language: str = ""

    @property
    def file(self) -> str:
        return self.path.name

    def wrong(self, line: int | None, column: str, message: str, value: str = "") -> None:
        self.problems.add(self.file, line, column, message, value)

    def note(self, text: str) -> None:
        self.problems.note(text)
