"""Commands start at once: none that does a piece of work loads the site's pages or scipy before it has to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
    home = {"DJANGO_SETTINGS_MODULE": "config.settings", "ASSAY_DATA_DIR": str(tmp_path_factory.mktemp("data"))}
    kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, cwd=ROOT, env=kept | home, check=True)
    return kept | home


@pytest.mark.parametrize(
    "asked",
    [
        ("set_status", "nowhere", "open"),
        ("invite", "nowhere", "--annotators", "1", "--output", "-"),
        ("export", "nowhere", "--format", "csv", "--output", "-"),
    ],
)
def test_a_command_loads_little(asked: tuple[str, ...], surroundings: dict[str, str]) -> None:
    command = [sys.executable, "-c", LOADED, *asked]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    assert done.stdout.strip().splitlines()[-1] == "[]", done.stdout + done.stderr
