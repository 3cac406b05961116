from collections.abc import Mapping
from typing import Self


class InvalidInput(Exception):
    """An entry or a request that is refused. `errors` has messages by field, fit for the person who made it."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        self.errors = dict(errors)
        super().__init__(" ".join(message for messages in self.errors.values() for message in messages))

    @classmethod
    def of(cls, field: str, message: str) -> Self:
        """Because of one field alone."""
        return cls({field: [message]})


class AccountError(Exception):
    """An account cannot be made or changed. `messages` are fit for the person who tried."""

    def __init__(self, *messages: str) -> None:
        self.messages = list(messages)
        super().__init__(" ".join(messages))
