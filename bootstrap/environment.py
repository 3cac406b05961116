"""The Python environment in .venv, filled from hashed locks."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bootstrap.places import DEV_LOCK, OBJECT_STORE_LOCK, PYTHON, RUN_LOCK, TOKENIZERS_LOCK, UV_LOCK, VENV
from bootstrap.steps import SetUpError, StepFailed, digest_of, is_current, one_at_a_time, perform, put_stamp, say

# what came with the one need not be looked at for the other
_CONTAINS = {DEV_LOCK: [RUN_LOCK, OBJECT_STORE_LOCK, TOKENIZERS_LOCK]}


def prepare(lock: Path) -> Path:
    """The environment's Python, with everything of the lock beside it."""
    if not _is_filled(lock):
        with one_at_a_time():
            if not PYTHON.exists():  # also where the Python it was made from has gone
                _make_environment()
            if not _is_filled(lock):
                _fill(lock)
    return PYTHON


def _is_filled(lock: Path) -> bool:
    return PYTHON.exists() and is_current(_stamp(lock), digest_of([lock]))


def _stamp(lock: Path) -> Path:
    return VENV / "filled-from" / lock.name


def _make_environment() -> None:
    say(f"making the Python environment in {VENV} …")
    try:
        VENV.mkdir(exist_ok=True)
    except OSError as error:
        raise SetUpError(
            f"{VENV} cannot be made ({error.strerror}). Move Assay into a folder that you own and try again."
        ) from error
    # pip is left out as long as it is not needed: it would take longer than everything else
    perform("Making the Python environment", [sys.executable, "-m", "venv", "--clear", "--without-pip", VENV])


def _fill(lock: Path) -> None:
    count = sum(line[:1].isalnum() for line in lock.read_text(encoding="utf-8").splitlines())
    say(f"installing {count} Python packages of {lock.name} …")
    failed: StepFailed | None = None
    for installer in _installers():
        try:
            perform("Installing Python packages", [*installer, "--quiet", "--require-hashes", "-r", lock])
        except StepFailed as error:
            failed = error  # an old uv, or a registry that only pip is told of
            continue
        for filled in [lock, *_CONTAINS.get(lock, [])]:
            put_stamp(_stamp(filled), digest_of([filled]))
        return
    raise failed or SetUpError(
        "Python packages cannot be installed: there is neither uv nor pip. "
        "On Debian and Ubuntu: apt install python3-venv; then try again."
    )


def _installers() -> Iterator[list[str | Path]]:
    """The fastest first: uv of the machine, uv from its own lock, pip."""
    uv = shutil.which("uv")
    if uv:
        yield [uv, "pip", "install", "--python", PYTHON]
    if not _has_pip():
        return
    own = VENV / "bin" / "uv"
    try:
        perform("Installing uv", [PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", UV_LOCK])
    except StepFailed as error:
        if error.is_offline:
            raise
    else:
        yield [own, "pip", "install", "--python", PYTHON]
    yield [PYTHON, "-m", "pip", "install"]


def _has_pip() -> bool:
    if _answers("-m", "pip", "--version"):
        return True
    try:
        perform("Installing pip", [PYTHON, "-m", "ensurepip"])
    except StepFailed:
        return False
    return True


def _answers(*arguments: str) -> bool:
    return subprocess.run([PYTHON, *arguments], capture_output=True, check=False).returncode == 0
