"""A kind of run for tests: the settings name it only while a test looks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from pytest_django import Settings

from jobs.actions import claim_run, queue_run
from jobs.models import Run
from jobs.run_kinds import InvalidRun, OnProgress, RunKind


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
def rehearsal(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Rehearsal:
    made = Rehearsal()
    kind = RunKind(check=_check, perform=made.perform, queue="metrics")
    monkeypatch.setattr("tests.jobs.conftest.REHEARSAL", kind, raising=False)
    settings.RUN_KINDS = {**settings.RUN_KINDS, "rehearsal": "tests.jobs.conftest.REHEARSAL"}
    return made


@pytest.fixture
def queued(rehearsal: Rehearsal, db: None) -> Run:
    return queue_run(kind="rehearsal", arguments={"systems": ["Heron", "Rook"], "seed": 7})


@pytest.fixture
def claimed(queued: Run) -> Run:
    run = claim_run(queued.pk)
    assert run is not None
    return run
