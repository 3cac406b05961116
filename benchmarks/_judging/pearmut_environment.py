"""Pearmut from its registry, in an environment of its own, which later benchmarks find again."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks._judging.contestant import BenchmarkFailed
from bootstrap.places import VENV, WORK
from bootstrap.steps import SetUpError, perform, say

VERSION = "1.1.6"
HOME = WORK / f"pearmut-{VERSION}"
PYTHON = HOME / "bin" / "python"
PROGRAM = HOME / "bin" / "pearmut"
OLDEST = (3, 12)
TOLD = "import sys; print(*sys.version_info[:2])"
PARTS = ("fastapi", "uvicorn", "pydantic")


def install_pearmut() -> Path:
    """Its program."""
    if not PROGRAM.exists():
        say(f"installing Pearmut {VERSION} …")
        try:
            _install()
        except SetUpError as error:
            shutil.rmtree(HOME, ignore_errors=True)
            raise BenchmarkFailed(str(error)) from error
    return PROGRAM


def installed_versions() -> str:
    """Of itself, what serves it, and its Python."""
    script = (
        f"import platform, importlib.metadata as m; print(*[m.version(n) for n in {PARTS}], platform.python_version())"
    )
    output = subprocess.run([PYTHON, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    names = [*PARTS, "Python"]
    return ", ".join([f"Pearmut {VERSION}", *(f"{name} {number}" for name, number in zip(names, output, strict=True))])


def _install() -> None:
    uv = shutil.which("uv") or shutil.which("uv", path=str(VENV / "bin"))
    python = next(filter(_is_new_enough, _candidates()), None)
    if python is None and uv is None:
        raise BenchmarkFailed(f"It needs Python {OLDEST[0]}.{OLDEST[1]} or newer, and none is found here.")
    wanted = python or f"{OLDEST[0]}.{OLDEST[1]}"  # uv may know of one, or bring it
    requirement = f"pearmut=={VERSION}"
    if uv is not None:
        perform("Making an environment for Pearmut", [uv, "venv", "--quiet", "--clear", "--python", wanted, HOME])
        perform("Installing Pearmut", [uv, "pip", "install", "--quiet", "--python", PYTHON, requirement])
    else:
        perform("Making an environment for Pearmut", [wanted, "-m", "venv", "--clear", HOME])
        perform("Installing Pearmut", [PYTHON, "-m", "pip", "install", "--quiet", requirement])


def _candidates() -> Iterator[str]:
    """Our own, those on the path, and those that a version manager keeps beside each other."""
    yield sys.executable
    for minor in range(OLDEST[1], OLDEST[1] + 4):
        yield from filter(None, [shutil.which(f"python3.{minor}")])
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from map(str, sorted(versions.glob("3.*/bin/python3")))


def _is_new_enough(python: str) -> bool:
    """Some of what lies on a path only says that it is not there."""
    try:
        output = subprocess.run([python, "-c", TOLD], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return output.returncode == 0 and tuple(map(int, output.stdout.split())) >= OLDEST
