"""`./assay test`: everything, or what is named."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bootstrap import browser, environment, frontend, words
from bootstrap.places import DEV_LOCK, ROOT
from bootstrap.terminal import say

# Plugins by name: looking for them in every installed package takes seconds.
PYTEST = ["-m", "pytest", "--disable-plugin-autoload", "-p", "pytest_django.plugin", "-p", "tests.plugins.servers"]
SLOWEST = ["--durations", "15"]
ON_SQLITE = ["--database", "sqlite", "--only-database", *SLOWEST]
WAITING = ["-m", "browser or servers", *SLOWEST]  # for pages and processes: little of it is the processor's time
COMPUTING = ["-m", "not browser and not servers", *SLOWEST]


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
        **_all_of_pytest(python),
    }
    failed = [name for name, code in results.items() if code]
    if failed:
        say(f"failed: {', '.join(failed)}.")
    return 1 if failed else 0


def _all_of_pytest(python: Path) -> dict[str, int]:
    """In two halves at once, each with servers of its own; one after the other where servers are given to both."""
    parts = {"pytest on SQLite": ON_SQLITE, "pytest": COMPUTING}
    if os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL"):
        return {name: _pytest(python, part) for name, part in [*parts.items(), ("pytest of pages", WAITING)]}
    with _started(python, WAITING) as (waiting, told):
        results = {name: _pytest(python, part) for name, part in parts.items()}
        _follow(waiting, told)
        results["pytest of pages"] = waiting.wait()
    return results


def _pytest(python: Path, arguments: list[str]) -> int:
    return subprocess.run([python, *PYTEST, *arguments], check=False).returncode


@contextmanager
def _started(python: Path, arguments: list[str]) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """In the background, telling its story to a file."""
    with tempfile.NamedTemporaryFile() as told:
        process = subprocess.Popen([python, *PYTEST, *arguments], stdout=told, stderr=subprocess.STDOUT)
        try:
            yield process, told
        finally:
            if process.poll() is None:
                process.terminate()  # its plugin stops the servers it started
                process.wait()


def _follow(process: subprocess.Popen[bytes], told: IO[bytes]) -> None:
    """What was told meanwhile, then the rest as it comes."""
    with Path(told.name).open("rb") as story:
        while True:
            is_over = process.poll() is not None
            sys.stdout.buffer.write(story.read())
            sys.stdout.flush()
            if is_over:
                return
            time.sleep(0.5)
