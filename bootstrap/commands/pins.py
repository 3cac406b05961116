"""What is pinned: `./assay lock` pins Python packages for every platform at once, `./assay pin_images` pins images."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from bootstrap import environment
from bootstrap.places import (
    DEV_LOCK,
    NEURAL_LOCK,
    NEURAL_PINS,
    NODE_LOCK,
    OBJECT_STORE_LOCK,
    ROOT,
    RUN_LOCK,
    TOKENIZERS_LOCK,
    UV_LOCK,
    VENV,
)
from bootstrap.steps import SetUpError, perform, say

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
    OBJECT_STORE_LOCK: ["--group", "pyproject.toml:object-store", "--constraint", RUN_LOCK.name],
    NODE_LOCK: ["--group", "pyproject.toml:node"],
    UV_LOCK: ["--group", "pyproject.toml:uv"],
    # All versions are written down: which of them work together was tried out. Without torch, whose builds differ.
    NEURAL_LOCK: [NEURAL_PINS.name, "--no-deps", "--no-annotate"],
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
    uv = shutil.which("uv")
    if uv:
        return uv
    environment.prepare(UV_LOCK)
    return str(VENV / "bin" / "uv")


FILES = [ROOT / "docker-compose.yml", ROOT / "Dockerfile"]
IMAGE = re.compile(r"^(?P<before> +image: |FROM )(?P<name>[\w./-]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?", re.MULTILINE)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def pin_images(arguments: list[str]) -> int:
    """Nothing is written before every digest is known."""
    if arguments:
        raise SetUpError("pin_images takes no arguments.")
    docker = shutil.which("docker")
    if docker is None:
        raise SetUpError("Docker, which asks registries for digests, is not installed here. Nothing was changed.")
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    digests = {name: _digest_of(docker, name) for name in images_in("".join(texts.values()))}
    for path, text in texts.items():
        path.write_text(pinned(text, digests), encoding="utf-8")
    for name, digest in digests.items():
        say(f"{name} is {digest}")
    return 0


def images_in(text: str) -> list[str]:
    return sorted({match["name"] for match in IMAGE.finditer(text)})


def pinned(text: str, digests: Mapping[str, str]) -> str:
    return IMAGE.sub(lambda match: f"{match['before']}{match['name']}@{digests[match['name']]}", text)


def _digest_of(docker: str, name: str) -> str:
    command = [docker, "buildx", "imagetools", "inspect", name, "--format", "{{.Manifest.Digest}}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    digest = done.stdout.strip()
    if done.returncode or not DIGEST.fullmatch(digest):
        reason = (done.stderr.strip() or "no digest came").splitlines()[0].rstrip(".")
        raise SetUpError(f"The digest of {name} cannot be found: {reason}. Nothing was changed.")
    return digest
