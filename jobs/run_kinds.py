"""The description of work that a room wants done in the background, and its look-up by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from campaigns.models import Campaign, TestSet
from jobs.models import Run

Part = Mapping[str, Any]


class OnProgress(Protocol):
    """Gets a run's progress, from 0 to 1; raises `RunEnded` when its result is not needed any more."""

    def __call__(self, share: float, note: str = "", /) -> None: ...


class InvalidRun(Exception):
    """A run that cannot be queued as requested, with a sentence for the person who requested it."""


class RunFailed(Exception):
    """A run that cannot succeed, with a sentence for the organiser; trying again would not help."""


@dataclass(frozen=True)
class LongPart:
    """`split` divides a part into what pages read and the long rest, None where it is short; `join` undoes that."""

    row: str
    split: Callable[[Part], tuple[Part, Any]]
    join: Callable[[Part, Any], Part]


@dataclass(frozen=True)
class RunKind:
    """`check` returns the arguments as they are stored or raises `InvalidRun`; `perform` returns the result as JSON.

    `check_for` raises `InvalidRun` where such arguments cannot be met for that campaign or test set: a mistyped name
    is refused where it was entered, and is no failure for others to read.

    `parts` names the key of the result under which parts stand by name; each is stored in a row of its own. Of the
    parts named in `long_parts`, what is long and no page shows has a row of its own too.
    """

    check: Callable[[Mapping[str, Any]], dict[str, Any]]
    perform: Callable[[Run, OnProgress], dict[str, Any]]
    needs_campaign: bool = False
    needs_test_set: bool = False
    check_for: Callable[[Mapping[str, Any], Campaign | None, TestSet | None], None] | None = None
    queue: str = "default"
    parts: str | None = None
    long_parts: Mapping[str, LongPart] = field(default_factory=dict)

    def rows_of(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """The parts of a result by the names of their rows."""
        rows = dict(result.get(self.parts, {})) if self.parts else {}
        for name, long in self.long_parts.items():
            if name in rows:
                rows[name], rest = long.split(rows[name])
                rows |= {} if rest is None else {long.row: rest}
        return rows

    def whole(self, result: Mapping[str, Any], rows: Mapping[str, Any]) -> dict[str, Any]:
        """The result as it was before it was laid in rows."""
        parts = dict(rows)
        for name, long in self.long_parts.items():
            if long.row in parts:
                parts[name] = long.join(parts[name], parts.pop(long.row))
        return {**result, **({self.parts: parts} if self.parts else {})}


def run_kind(name: str) -> RunKind:
    """The kind of this name, imported now: a command or page that never needs it does not wait for its libraries."""
    if name not in settings.RUN_KINDS:
        raise InvalidRun(f"There is no run of kind {name!r}; choose one of {', '.join(sorted(settings.RUN_KINDS))}.")
    kind = import_string(settings.RUN_KINDS[name])
    if not isinstance(kind, RunKind):
        raise TypeError(f"RUN_KINDS names {settings.RUN_KINDS[name]} for {name!r}, which is not a RunKind.")
    return kind
