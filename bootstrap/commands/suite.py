"""`./assay test`: everything, or what is named."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from bootstrap import browser, environment, frontend
from bootstrap.places import DEV_LOCK, EMPTY_DATABASES, ROOT
from bootstrap.steps import SetUpError, say

# Plugins by name: looking for them in every installed package takes seconds.
PYTEST = ["-m", "pytest", "--disable-plugin-autoload", "-p", "pytest_django.plugin", "-p", "tests.plugins.servers"]
SLOWEST = ["--durations", "15"]
COMPUTING = ["-m", "not browser and not servers", *SLOWEST]
ON_POSTGRESQL = ["--ignore", "tests/metrics", *COMPUTING]
NUMBERS = ["tests/metrics", *COMPUTING]  # on PostgreSQL as well; apart, so that two processors share them
ON_SQLITE = ["--database", "sqlite", "--only-database", *SLOWEST]  # browsers too
# Started, killed and waited for: little of it is the processor's time.
CRASHES = ["tests/crash", *SLOWEST]
PROCESSES = ["-m", "servers", "--ignore", "tests/crash", *SLOWEST]
OTHERS = {
    "pytest of numbers": NUMBERS,
    "pytest on SQLite": ON_SQLITE,
    "pytest of crashes": CRASHES,
    "pytest of processes": PROCESSES,
}


def suite(arguments: list[str]) -> int:
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a hundred processes would each translate everything anew
    python = environment.prepare(DEV_LOCK)
    frontend.compile_words(python)
    frontend.build()
    if arguments:
        return _pytest(python, arguments)
    node = frontend.prepare()
    os.environ[browser.VARIABLE] = str(browser.find_browser())
    with _empty_databases(python) as wait_for_databases:
        results = {
            "TypeScript's types": frontend.type_check(node),
            "Vitest": frontend.run_vitest(node),
        }
        wait_for_databases()
        results |= _all_of_pytest(python)
    failed = [name for name, code in results.items() if code]
    if failed:
        say(f"failed: {', '.join(failed)}.")
    return 1 if failed else 0


@contextmanager
def _empty_databases(python: Path) -> Iterator[Callable[[], None]]:
    """Made once for all parts, which otherwise migrate a dozen of them, while the front end is tested.

    It also leaves behind what Python translates when it first loads Assay, or five processes would each do so.
    """
    if _servers_are_given():
        yield lambda: None
        return
    with tempfile.TemporaryDirectory(prefix="assay-empty-") as folder:
        making = subprocess.Popen([python, "-m", "tests.empty_databases", folder])

        def wait() -> None:
            if making.wait():
                raise SetUpError("The empty databases for the tests could not be made; see the reason above.")
            os.environ[EMPTY_DATABASES] = folder

        try:
            yield wait
        finally:
            os.environ.pop(EMPTY_DATABASES, None)
            making.terminate()
            making.wait()


def _all_of_pytest(python: Path) -> dict[str, int]:
    """In parts at once, each with servers of its own; one after the other where servers are given to all."""
    first, others = "pytest on PostgreSQL", OTHERS
    if _servers_are_given():
        return {name: _pytest(python, part) for name, part in {first: ON_POSTGRESQL, **others}.items()}
    with ExitStack() as stack:
        begun = {name: stack.enter_context(_started(python, part)) for name, part in others.items()}
        results = {first: _pytest(python, ON_POSTGRESQL)}
        return results | {name: _followed(*started) for name, started in begun.items()}


def _servers_are_given() -> bool:
    return bool(os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL"))


def _pytest(python: Path, arguments: list[str]) -> int:
    return subprocess.run([python, *PYTEST, *arguments], check=False).returncode


@contextmanager
def _started(python: Path, arguments: list[str]) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """In the background, with its output in a file."""
    with tempfile.NamedTemporaryFile() as output:
        process = subprocess.Popen([python, *PYTEST, *arguments], stdout=output, stderr=subprocess.STDOUT)
        try:
            yield process, output
        finally:
            if process.poll() is None:
                process.terminate()  # its plugin stops the servers it started
                process.wait()


def _followed(process: subprocess.Popen[bytes], output: IO[bytes]) -> int:
    """What it has printed meanwhile, then the rest as it comes."""
    with Path(output.name).open("rb") as lines:
        while True:
            code = process.poll()
            sys.stdout.buffer.write(lines.read())
            sys.stdout.flush()
            if code is not None:
                return code
            time.sleep(0.5)
