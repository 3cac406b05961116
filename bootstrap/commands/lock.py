"""`./assay lock`: the locks of the Python packages, made from pyproject.toml for every platform and Python at once."""

import shutil
from pathlib import Path

from bootstrap import environment
from bootstrap.places import DEV_LOCK, NODE_LOCK, ROOT, RUN_LOCK, TOKENIZERS_LOCK, UV_LOCK, VENV
from bootstrap.steps import perform
from bootstrap.terminal import say

COMPILE = ["--universal", "--generate-hashes", "--no-header", "--python-version", "3.11", "--quiet"]
# Taken ready-made or not at all: nobody needs a compiler.
READY_MADE = [
    *(f"--only-binary={name}" for name in ("mecab-ko", "mecab-python3", "sentencepiece")),
    "--emit-build-options",
]
# What tests is locked around what runs, so that both run the same.
LOCKS: dict[Path, list[str]] = {
    RUN_LOCK: ["pyproject.toml"],
    DEV_LOCK: ["pyproject.toml", "--group", "dev", "--constraint", RUN_LOCK.name, *READY_MADE],
    TOKENIZERS_LOCK: ["--group", "pyproject.toml:tokenizers", "--constraint", RUN_LOCK.name, *READY_MADE],
    NODE_LOCK: ["--group", "pyproject.toml:node"],
    UV_LOCK: ["--group", "pyproject.toml:uv"],
}


def lock(arguments: list[str]) -> int:
    """`--upgrade` and other options of `uv pip compile` are passed along; without them pins stay as they are."""
    uv = _find_uv()
    for path, sources in LOCKS.items():
        say(f"locking {path.name} …")
        perform(
            f"Locking {path.name}",
            [uv, "pip", "compile", *sources, *COMPILE, *arguments, "--output-file", path.name],
            folder=ROOT,
        )
    return 0


def _find_uv() -> str:
    found = shutil.which("uv")
    if found:
        return found
    environment.prepare(UV_LOCK)
    return str(VENV / "bin" / "uv")
