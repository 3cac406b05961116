"""What the settings name is there, and nobody waits for it before it is needed."""

import os

from django.conf import settings
from django.utils.module_loading import import_string

import pytest
from pytest_django import Settings

from jobs.run_kinds import InvalidRun, run_kind
from tests.processes import run_python

IMPORTED = """
import sys
import jobs.worker
from django.conf import settings
print([path for path in settings.RUN_KINDS.values() if path.rpartition(".")[0] in sys.modules])
"""


@pytest.mark.parametrize("name", sorted(settings.RUN_KINDS))
def test_every_kind_is_where_the_settings_say_and_waits_in_a_queue_that_workers_serve(name: str) -> None:
    assert run_kind(name).queue_of({}) in settings.RUN_QUEUES


@pytest.mark.parametrize("name", settings.DAILY_WORK)
def test_daily_work_can_be_called(name: str) -> None:
    assert callable(import_string(name))


def test_no_kind_is_imported_before_a_run_needs_it() -> None:
    assert run_python(IMPORTED, environment=os.environ) == "[]"


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidRun, match=r"no run of kind 'guess'; choose one of analysis, "):
        run_kind("guess")


def test_something_else_by_the_name_of_a_kind_is_no_kind(settings: Settings) -> None:
    settings.RUN_KINDS = {"guess": "jobs.queries.runs_of"}
    with pytest.raises(TypeError, match=r"names jobs\.queries\.runs_of"):
        run_kind("guess")
