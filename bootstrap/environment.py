"""The Python environment in .venv, filled from hashed locks."""

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from bootstrap.places import DEV_LOCK, OBJECT_STORE_LOCK, PYTHON, RUN_LOCK, TOKENIZERS_LOCK, UV_LOCK, VENV
from bootstrap.steps import SetUpError, StepFailed, digest_of, is_current, one_at_a_time, perform, put_stamp, say

OWN_UV = VENV / "bin" / "uv"
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


def present_uv() -> Path | None:
    """The machine's, or the one that filled the environment."""
    found = shutil.which("uv") or OWN_UV
    return Path(found) if Path(found).exists() else None


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
    for pip in _pips():
        try:
            perform("Installing uv", [*pip, "install", "--quiet", "--require-hashes", "-r", UV_LOCK])
        except StepFailed as error:
            if error.is_offline:
                raise
        else:
            installer: list[str | Path] = [OWN_UV, "pip", "install", "--python", PYTHON]
            _put_pip(installer)
            yield installer
    if _answers("-m", "pip", "--version"):
        yield [PYTHON, "-m", "pip", "install"]


def _pips() -> Iterator[list[str | Path]]:
    """For the environment: that of the Python it was made from, as to put one in takes longer than everything else."""
    if not _answers("-m", "pip", "--version"):
        yield [sys.executable, "-m", "pip", "--python", PYTHON]
    if _has_pip():
        yield [PYTHON, "-m", "pip"]


def _put_pip(installer: list[str | Path]) -> None:
    """As `ensurepip`, from the same file, in a twentieth of the time: who fetches the light model may need it."""
    bundled = Path(sysconfig.get_path("stdlib"), "ensurepip", "_bundled")
    if any(bundled.glob("pip-*.whl")) and not _answers("-m", "pip", "--version"):
        perform("Installing pip", [*installer, "--quiet", "--no-index", "--find-links", bundled, "pip"])


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
