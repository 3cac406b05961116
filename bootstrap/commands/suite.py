"""`./assay test`: everything, or what is named."""

import os
import subprocess
from pathlib import Path

from bootstrap import browser, environment, frontend, words
from bootstrap.places import DEV_LOCK, ROOT
from bootstrap.terminal import say

# Plugins by name: looking for them in every installed package takes seconds.
PYTEST = ["-m", "pytest", "--disable-plugin-autoload", "-p", "pytest_django.plugin", "-p", "tests.plugins.servers"]
ON_SQLITE = ["--database", "sqlite", "--only-database"]


def suite(arguments: list[str]) -> int:
    os.chdir(ROOT)
    python = environment.prepare(DEV_LOCK)
    words.compile_words(python)
    frontend.build()
    if arguments:
        return _pytest(python, arguments)
    node = frontend.prepare()
    os.environ[browser.VARIABLE] = str(browser.find_browser())
    results = {
        "TypeScript's types": frontend.type_check(node),
        "Vitest": frontend.run_vitest(node),
        "pytest on SQLite": _pytest(python, ON_SQLITE),
        "pytest": _pytest(python, []),
    }
    failed = [name for name, code in results.items() if code]
    if failed:
        say(f"failed: {', '.join(failed)}.")
    return 1 if failed else 0


def _pytest(python: Path, arguments: list[str]) -> int:
    return subprocess.run([python, *PYTEST, *arguments], check=False).returncode
