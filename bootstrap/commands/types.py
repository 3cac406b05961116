"""`./assay types`: the front end's types of what it asks of the API, generated from the OpenAPI schema."""

import os
import subprocess
from pathlib import Path

from bootstrap import environment, frontend
from bootstrap.node import Node
from bootstrap.places import DEV_LOCK, FRONTEND, NODE_MODULES, ROOT, WORK
from bootstrap.steps import begin_log, perform
from bootstrap.terminal import say

TYPES = FRONTEND / "src" / "generated" / "api.ts"
SCHEMA = WORK / "openapi.yaml"


def types(arguments: list[str]) -> int:  # noqa: ARG001 - a command is handed its arguments
    os.chdir(ROOT)
    _generate(environment.prepare(DEV_LOCK), frontend.prepare(), into=TYPES)
    say(f"wrote {TYPES.relative_to(ROOT)}.")
    return 0


def types_are_current(python: Path, node: Node) -> bool:
    fresh = WORK / "api.ts"
    _generate(python, node, into=fresh)
    if TYPES.exists() and TYPES.read_bytes() == fresh.read_bytes():
        return True
    say(f"{TYPES.relative_to(ROOT)} is not what the API says. ./assay types makes it anew.")
    return False


def _generate(python: Path, node: Node, *, into: Path) -> None:
    begin_log()
    strictly = ["--validate", "--fail-on-warn", "--custom-settings", "frontend.api.schema.WORKBENCH"]
    schema = [str(python), "manage.py", "spectacular", *strictly, "--file", str(SCHEMA)]
    subprocess.run(schema, check=True, cwd=ROOT)
    into.parent.mkdir(parents=True, exist_ok=True)
    tool = NODE_MODULES / "openapi-typescript" / "bin" / "cli.js"
    perform("Generating the API's types", [node.node, tool, SCHEMA, "-o", into], folder=FRONTEND)
