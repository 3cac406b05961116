from collections.abc import Mapping


class InvalidInput(Exception):
    """An entry or a request that is refused. `errors` has messages by field, fit for the person who made it."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        self.errors = dict(errors)
        super().__init__(" ".join(message for messages in self.errors.values() for message in messages))


class AccountError(Exception):
    """An account cannot be made or changed. `messages` are fit for the person who tried."""

    def __init__(self, messages: list[str]) -> None:
        self.messages = messages
        super().__init__(" ".join(messages))
