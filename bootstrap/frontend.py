"""The front end: its packages as locked, its build when the sources have changed."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bootstrap.node import Node, find_node
from bootstrap.places import FRONTEND, NODE_MODULES, WORK
from bootstrap.stamps import digest_of, is_current, put_stamp
from bootstrap.steps import one_at_a_time, perform
from bootstrap.terminal import say

BUILD = FRONTEND / "static" / "build"
BUILD_STAMP = WORK / "stamps" / "front-end"
FORMATTED = ("src/**/*.{ts,tsx}", "!src/generated/**", "static/css/*.css", "*.{mjs,ts}", "../bootstrap/**/*.mjs")
PACKAGES_STAMP = NODE_MODULES / ".installed-from"


def build() -> None:
    """Without Node nothing can be built, with a current build nothing need be: then Node is not even looked for."""
    digest = digest_of(_sources())
    if _is_built(digest):
        return
    node = prepare()
    with one_at_a_time():
        if _is_built(digest):
            return
        say("building the front end …")
        perform("Building the front end", [node.node, "build.mjs"], folder=FRONTEND)
        put_stamp(BUILD_STAMP, digest)


def prepare() -> Node:
    """Node, with the locked packages in node_modules."""
    node = find_node()
    digest = digest_of([FRONTEND / "package.json", FRONTEND / "package-lock.json"])
    with one_at_a_time():
        if not is_current(PACKAGES_STAMP, digest):
            say("installing the front end's packages …")
            perform(
                "Installing the front end's packages",
                [*node.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                folder=FRONTEND,
                **path_with(node),
            )
            put_stamp(PACKAGES_STAMP, digest)
    return node


def run_tool(node: Node, script: str, *arguments: str) -> int:
    """A tool of node_modules, shown to the person: its exit code."""
    command = [str(node.node), str(NODE_MODULES / script), *arguments]
    return subprocess.run(command, cwd=FRONTEND, env={**os.environ, **path_with(node)}, check=False).returncode


def type_check(node: Node) -> int:
    return run_tool(node, "typescript/bin/tsc", "--noEmit")


def run_prettier(node: Node, action: str) -> int:
    """`--check` says which scripts and style sheets are not formatted, `--write` formats them."""
    return run_tool(node, "prettier/bin/prettier.cjs", action, "--log-level=warn", "--config=package.json", *FORMATTED)


def run_vitest(node: Node) -> int:
    return run_tool(node, "vitest/vitest.mjs", "run")


def _is_built(digest: str) -> bool:
    return is_current(BUILD_STAMP, digest) and any(BUILD.glob("*.js"))


def _sources() -> Iterator[Path]:
    yield from (path for path in (FRONTEND / "src").rglob("*") if path.is_file() and ".test." not in path.name)
    yield from (
        FRONTEND / name for name in ("build.mjs", "bundles.mjs", "package.json", "package-lock.json", "tsconfig.json")
    )


def path_with(node: Node) -> dict[str, str]:
    """Scripts of packages look for `node` by name."""
    return {"PATH": f"{node.node.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
