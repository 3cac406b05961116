"""What was found in a file of a test set and what is wrong with it; and the error of files that cannot be imported."""

from dataclasses import dataclass, field

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problem
from exchange.formats.columns import Column


@dataclass
class Inspection:
    """What an import would store (`segments` counts those without fault) and what stands in its way.

    `asked_documents` are those with questions.
    """

    format: str = ""
    encoding: str = ""
    documents: int = 0
    segments: int = 0
    questions: int = 0
    asked_documents: int = 0
    words: int = 0
    systems: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    preview: list[SegmentRecord] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0
    is_fatal: bool = False
    unusable_rows: int = 0
    notes: list[str] = field(default_factory=list)
    languages: dict[str, str] = field(default_factory=dict)
    columns: list[Column] = field(default_factory=list)

    @property
    def can_skip(self) -> bool:
        """Whether leaving the bad segments out leaves something to import."""
        return self.problem_count > 0 and not self.is_fatal and self.segments > 0


class ImportFileError(Exception):
    """Files that cannot be imported as they are. Its text lists every problem, a line each."""

    def __init__(self, message: str, inspection: Inspection | None = None) -> None:
        self.inspection = inspection
        lines = [message] if message else []
        if inspection is not None:
            lines += [str(problem) for problem in inspection.problems]
            hidden = inspection.problem_count - len(inspection.problems)
            if hidden:
                lines.append(f"… and {hidden} more problems.")
        super().__init__("\n".join(lines))
