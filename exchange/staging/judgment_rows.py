"""The neutral rows of a file of judgments, whatever its format, and what its reader is given."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from campaigns.reading.problems import Problems


class JudgmentRow(NamedTuple):
    """One number of one judgment on one system's output, with all that is told of both.

    Rows of one `judgment` belong together; a `segment` of "" means the whole document; `answer` is JSON text; a text
    that is None was not in the file. `position`, `slot` and `revision` that are not given follow from the order.
    """

    line: int
    judgment: str
    annotator: str
    protocol: str
    document: str
    segment: str
    system: str
    kind: str = "regular"
    measure: str = ""
    value: float | None = None
    assignment: str = ""
    position: int | None = None
    slot: str = ""
    revision: int | None = None
    surplus: bool = False
    started: datetime | None = None
    submitted: datetime | None = None
    elapsed_ms: int | None = None
    active_ms: int | None = None
    answer: str = ""
    source: str | None = None
    translation: str | None = None
    reference: str | None = None
    domain: str = ""
    comment: str = ""
    program: bool = False


class TextRow(NamedTuple):
    """What a file tells of a segment beside its judgments: its texts, and its place among the others.

    Segments nobody judged are in the test set by such a row, and the order of these rows is the order of documents and
    segments. With a `system`, `translation` is that system's output; with `reference_name`, `reference` is that one.
    """

    document: str
    segment: str
    system: str = ""
    source: str | None = None
    translation: str | None = None
    reference_name: str = "A"
    reference: str | None = None
    domain: str = ""


Row = JudgmentRow | TextRow


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
