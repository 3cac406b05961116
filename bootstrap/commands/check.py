"""`./assay check`: all that can be checked without running the application much; `format` and `types` repair."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bootstrap import environment, frontend
from bootstrap.places import DEV_LOCK, FRONTEND, NODE_MODULES, ROOT, WORK
from bootstrap.steps import begin_log, perform, say

TYPES = FRONTEND / "src" / "generated" / "api.ts"
SCHEMA = WORK / "openapi.yaml"
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
        say(f"unknown check {unknown[0]!r}. Choose from {', '.join(checks)}.")
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
    """Shows what a check prints only where it fails, or the many that pass would hide it."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout)
    return done.returncode == 0


def types(arguments: list[str]) -> int:  # noqa: ARG001 - a command is handed its arguments
    os.chdir(ROOT)
    _generate(environment.prepare(DEV_LOCK), frontend.prepare(), into=TYPES)
    say(f"wrote {TYPES.relative_to(ROOT)}.")
    return 0


def types_are_current(python: Path, node: frontend.Node) -> bool:
    fresh = WORK / "api.ts"
    _generate(python, node, into=fresh)
    if TYPES.exists() and TYPES.read_bytes() == fresh.read_bytes():
        return True
    say(f"{TYPES.relative_to(ROOT)} does not match the API. Run ./assay types.")
    return False


def _generate(python: Path, node: frontend.Node, *, into: Path) -> None:
    begin_log()
    strictly = ["--validate", "--fail-on-warn", "--custom-settings", "frontend.api.schema.WORKBENCH"]
    schema = [str(python), "manage.py", "spectacular", *strictly, "--file", str(SCHEMA)]
    subprocess.run(schema, check=True, cwd=ROOT)
    into.parent.mkdir(parents=True, exist_ok=True)
    tool = NODE_MODULES / "openapi-typescript" / "bin" / "cli.js"
    perform("Generating the API's types", [node.node, tool, SCHEMA, "-o", into], folder=FRONTEND)
