from collections.abc import Mapping


class SubmissionError(Exception):
    """Work that cannot be stored as it came. `errors` holds messages by field."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        self.errors = dict(errors)
        super().__init__(" ".join(message for messages in self.errors.values() for message in messages))
