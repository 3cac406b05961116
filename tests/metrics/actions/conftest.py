"""A kind of run for tests: it lives in the dict of kinds only while a test looks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from metrics.actions import claim_run, queue_run
from metrics.kinds import KINDS, InvalidRun, RunKind
from metrics.models import Run
from metrics.running import OnProgress


def _succeed(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    return {"signature": "rehearsed"}


@dataclass
class Rehearsal:
    """What the kind does when performed, and with what it was asked."""

    act: Callable[[Run, OnProgress], dict[str, Any]] = _succeed
    performed: list[dict[str, Any]] = field(default_factory=list)

    def perform(self, run: Run, on_progress: OnProgress) -> dict[str, Any]:
        self.performed.append(run.arguments)
        return self.act(run, on_progress)


def _check(arguments: Mapping[str, Any]) -> dict[str, Any]:
    if "wrong" in arguments:
        raise InvalidRun("A rehearsal takes nothing wrong.")
    return dict(arguments)


@pytest.fixture
def rehearsal(monkeypatch: pytest.MonkeyPatch) -> Rehearsal:
    made = Rehearsal()
    monkeypatch.setitem(KINDS, "rehearsal", RunKind(check=_check, perform=made.perform, queue="metrics"))
    return made


@pytest.fixture
def queued(rehearsal: Rehearsal, db: None) -> Run:
    return queue_run(kind="rehearsal", arguments={"systems": ["Heron", "Rook"], "seed": 7})


@pytest.fixture
def claimed(queued: Run) -> Run:
    run = claim_run(queued.pk)
    assert run is not None
    return run
