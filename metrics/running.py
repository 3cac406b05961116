"""What the performing of a run shares with whoever waits for it: how far it is, and that it cannot succeed."""

from typing import Protocol


class OnProgress(Protocol):
    """Told how far a run is, from 0 to 1; raises `RunEnded` when nobody waits for its result any more."""

    def __call__(self, share: float, note: str = "", /) -> None: ...


class RunFailed(Exception):
    """A run that cannot succeed, with a sentence fit for the organiser; trying again would not help."""
