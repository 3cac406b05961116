"""What is wrong with files of media."""

from campaigns.reading.problems import Problems


class MediumError(Exception):
    """A sentence about one file."""


class MediaError(Exception):
    """Everything that is wrong with several files; nothing was stored."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        super().__init__("\n".join(problems.sentences()))
