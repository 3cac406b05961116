"""The description of work that a room wants done in the background, and its look-up by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from campaigns.models import Campaign, TestSet
from jobs.models import Run


class OnProgress(Protocol):
    """Gets a run's progress, from 0 to 1; raises `RunEnded` when its result is not needed any more."""

    def __call__(self, share: float, note: str = "", /) -> None: ...


class InvalidRun(Exception):
    """A run that cannot be queued as requested, with a sentence for the person who requested it."""


class RunFailed(Exception):
    """A run that cannot succeed, with a sentence for the organiser; trying again would not help."""


@dataclass(frozen=True)
class RunKind:
    """`check` returns the arguments as they are stored or raises `InvalidRun`; `perform` returns the result as JSON.

    `check_for` raises `InvalidRun` where such arguments cannot be met for that campaign or test set: a mistyped name
    is refused where it was entered, and is no failure for others to read.

    `queue` is that of its workers, or a function that names it for the arguments.

    `parts` names the key of the result that has parts by name. `split` turns them into the JSON of rows by name, each
    stored by itself, and `join` makes the JSON of the parts of these.
    """

    check: Callable[[Mapping[str, Any]], dict[str, Any]]
    perform: Callable[[Run, OnProgress], dict[str, Any]]
    needs_campaign: bool = False
    needs_test_set: bool = False
    check_for: Callable[[Mapping[str, Any], Campaign | None, TestSet | None], None] | None = None
    queue: str | Callable[[Mapping[str, Any]], str] = "default"
    parts: str | None = None
    split: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    join: Callable[[Mapping[str, Any]], dict[str, Any]] = dict

    def queue_of(self, arguments: Mapping[str, Any]) -> str:
        return self.queue if isinstance(self.queue, str) else self.queue(arguments)

    def rows_of(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON of the parts of a result by the names of their rows."""
        return self.split(result[self.parts]) if self.parts else {}

    def whole(self, result: Mapping[str, Any], rows: Mapping[str, Any]) -> dict[str, Any]:
        """The result as JSON, its parts read from their rows."""
        return {**result, **({self.parts: self.join(rows)} if self.parts else {})}


def run_kind(name: str) -> RunKind:
    """The kind of this name, imported now: a command or page that never needs it does not wait for its libraries."""
    if name not in settings.RUN_KINDS:
        raise InvalidRun(f"There is no run of kind {name!r}; choose one of {', '.join(sorted(settings.RUN_KINDS))}.")
    kind = import_string(settings.RUN_KINDS[name])
    if not isinstance(kind, RunKind):
        raise TypeError(f"RUN_KINDS names {settings.RUN_KINDS[name]} for {name!r}, which is not a RunKind.")
    return kind
