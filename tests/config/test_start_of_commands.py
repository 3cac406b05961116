"""Commands start at once: none that does a piece of work loads the site's pages or scipy before it has to."""

import subprocess
import sys

import pytest

from tests.empty_databases import put_on_sqlite
from tests.processes import ROOT, embedded_environment, run_python

LOADED = """
import sys
from django.core.management import execute_from_command_line
try:
    execute_from_command_line(["manage.py", *sys.argv[1:]])
except SystemExit:
    pass
print([name for name in sys.modules if name in {"frontend.urls", "scipy", "sacrebleu"}])
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
    loaded = "import sys, config.wsgi, frontend.urls; print({'scipy.stats', 'sacrebleu'} & set(sys.modules))"
    assert run_python(loaded, environment=surroundings) == "set()"
