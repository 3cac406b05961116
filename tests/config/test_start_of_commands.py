"""Commands start at once: none that does a piece of work loads the site's pages or scipy before it has to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.worker_child import NO_SECOND_CHECKS
from tests.empty_databases import put_on_sqlite
from tests.processes import ROOT, embedded_environment, run_python

LOADED = """
import sys
from pathlib import Path
from django.core.management import execute_from_command_line
try:
    execute_from_command_line(["manage.py", *sys.argv[1:]])
except SystemExit:
    pass
print([name for name in sys.modules if name in {"frontend.urls", "scipy", "sacrebleu"}])
"""

LOADED_BY_A_WORKER = """
import os, sys
from celery.signals import worker_ready
from django.core.management import execute_from_command_line
def leave(**_):
    print([name for name in sys.modules if name in {"frontend.urls", "metrics.analyses", "scipy"}], flush=True)
    os._exit(0)
worker_ready.connect(leave)
execute_from_command_line(["manage.py", "embedded_worker"])
"""


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An empty database of its own."""
    data = tmp_path_factory.mktemp("data")
    put_on_sqlite(data)
    return embedded_environment(data) | {"DJANGO_SETTINGS_MODULE": "config.settings"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("migrate", "--no-input", "--verbosity", "0"),
        ("set_status", "nowhere", "open"),
        ("invite", "nowhere", "--annotators", "1", "--output", "-"),
        ("export", "nowhere", "--format", "csv", "--output", "-"),
    ],
)
def test_a_command_loads_little(arguments: tuple[str, ...], surroundings: dict[str, str]) -> None:
    command = [sys.executable, "-c", LOADED, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    assert done.stdout.strip().splitlines()[-1] == "[]", done.stdout + done.stderr


def test_the_site_loads_nothing_that_only_workers_need(surroundings: dict[str, str]) -> None:
    unneeded = "{'scipy.sparse', 'scipy.special', 'scipy.stats', 'sacrebleu'}"
    loaded = f"import sys, config.wsgi, frontend.urls; print({unneeded} & set(sys.modules))"
    assert run_python(loaded, environment=surroundings) == "set()"


def test_a_worker_of_serve_loads_no_pages(surroundings: dict[str, str]) -> None:
    """What a run computes with is loaded when there is a run."""
    stdin, held_open = os.pipe()  # it leaves when that ends
    try:
        done = subprocess.run(
            [sys.executable, "-c", LOADED_BY_A_WORKER],
            cwd=ROOT,
            env=surroundings | NO_SECOND_CHECKS,
            stdin=stdin,
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        os.close(stdin)
        os.close(held_open)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize(("named", "threads"), [({}, "1"), ({"OMP_NUM_THREADS": "3"}, "None")])
def test_matrix_products_take_one_thread_unless_the_operator_says_otherwise(
    named: dict[str, str], threads: str
) -> None:
    surroundings = {name: value for name, value in os.environ.items() if "THREADS" not in name} | named
    program = 'import config, os, sys; print(os.environ.get("OPENBLAS_NUM_THREADS"), "numpy" in sys.modules)'
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [threads, "False"]


def test_a_command_before_the_database_is_made_says_what_to_run(tmp_path: Path) -> None:
    environment = embedded_environment(tmp_path) | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "manage.py", "export", "harbour", "--format", "csv", "--output", "-"]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert "Run `./assay manage migrate`" in ended.stderr
    assert "Traceback" not in ended.stderr
