"""`./assay check`: everything that can be seen without running the application much; `./assay format` mends layout."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from bootstrap import environment, frontend
from bootstrap.commands.types import types_are_current
from bootstrap.places import DEV_LOCK, ROOT
from bootstrap.terminal import say

CHECKS: dict[str, list[str]] = {
    "style": ["-m", "ruff", "check", "."],
    "format": ["-m", "ruff", "format", "--check", "."],
    "types": ["-m", "mypy", "."],
    "import contracts": ["-c", "from importlinter.cli import lint_imports_command as lint; lint()"],
    "templates": ["-m", "djlint", "frontend/templates", "--lint", "--quiet"],
    "migrations": ["manage.py", "makemigrations", "--check", "--dry-run"],
    "docs": ["-m", "pytest", "--quiet", *map(str, ROOT.glob("tests/**/test_documentation.py"))],
}


def check(arguments: list[str]) -> int:
    """Names of checks may be given; by default all are made."""
    os.chdir(ROOT)
    python = environment.prepare(DEV_LOCK)
    node = frontend.prepare()
    checks: dict[str, Callable[[], bool]] = {
        name: partial(_succeeds, [str(python), *command]) for name, command in CHECKS.items()
    }
    checks["format of scripts"] = lambda: frontend.run_prettier(node, "--check") == 0
    checks["TypeScript"] = lambda: frontend.type_check(node) == 0
    checks["types of the API"] = partial(types_are_current, python, node)
    unknown = [name for name in arguments if name not in checks]
    if unknown:
        say(f"there is no check {unknown[0]!r}; there are {', '.join(checks)}.")
        return 2
    failed = [name for name in arguments or checks if not _passes(name, checks[name])]
    say(f"failed: {', '.join(failed)}." if failed else "all is well.")
    return 1 if failed else 0


def format_all(arguments: list[str]) -> int:  # noqa: ARG001 - a command is handed its arguments
    os.chdir(ROOT)
    python = environment.prepare(DEV_LOCK)
    failed = subprocess.run([str(python), "-m", "ruff", "format", "."], check=False).returncode
    return failed or frontend.run_prettier(frontend.prepare(), "--write")


def _passes(name: str, look: Callable[[], bool]) -> bool:
    began = time.monotonic()
    passes = look()
    say(f"{'ok    ' if passes else 'FAILED'} {name} ({time.monotonic() - began:.1f} s)")
    return passes


def _succeeds(command: list[str]) -> bool:
    """What a check has to say is shown where it fails; a crowd of all-is-well hides it."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout)
    return done.returncode == 0
