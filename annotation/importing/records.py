"""The neutral record of a judgment file, whatever its format: what one annotator gave one system's output."""

from datetime import datetime
from typing import NamedTuple


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
