from collections.abc import Mapping


class CampaignError(Exception):
    """A campaign that cannot be made or changed as asked. `errors` holds messages by field, fit for its organiser."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        self.errors = dict(errors)
        super().__init__(" ".join(message for messages in self.errors.values() for message in messages))
