"""What the benchmark asks of whoever takes part."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


class BenchmarkFailed(Exception):
    """A figure would be worth nothing; what is said names who and what."""


class Annotator(Protocol):
    acknowledged: list[str]

    def loop(self) -> None:
        """Gets the next text and judges it; what the server confirmed joins `acknowledged`."""

    def hang_up(self) -> None: ...


@dataclass(frozen=True)
class Opened:
    """A server that runs, and its annotators with work before them; the processes' numbers are those of their roots."""

    annotators: Sequence[Annotator]
    server: int
    database: int | None
    stored_answers: Callable[[], set[str]]  # everything that is stored, in the words of `acknowledged`


class Contestant(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def versions(self) -> str: ...

    @property
    def is_ours(self) -> bool:
        """Where ours fails, the benchmark does; a peer that fails is left out."""

    def prepare(self) -> None:
        """A campaign at each size of the plan."""

    def opened(self, *, stored: int, annotators: int) -> AbstractContextManager[Opened]:
        """A fresh copy of what was prepared, served by processes that have just begun."""
