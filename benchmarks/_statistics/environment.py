"""The reference packages from their registry, in an environment of the benchmark's own, found again later."""

import shutil
import subprocess
import sys
from pathlib import Path

from bootstrap.places import VENV, WORK
from bootstrap.steps import perform, say

PACKAGES = {"krippendorff": "0.9.0", "numpy": "2.4.6"}
HOME = WORK / f"statistics-krippendorff-{PACKAGES['krippendorff']}"
PYTHON = HOME / "bin" / "python"
_READY = HOME / "ready"


def reference_python() -> Path:
    """The Python that has them; raises SetUpError where they cannot be installed."""
    if not _READY.exists():
        say(f"installing {VERSIONS} …")
        shutil.rmtree(HOME, ignore_errors=True)
        uv = shutil.which("uv") or shutil.which("uv", path=str(VENV / "bin"))
        wishes = [f"{name}=={number}" for name, number in PACKAGES.items()]
        if uv is not None:
            perform(
                "Making an environment for the reference", [uv, "venv", "--quiet", "--python", sys.executable, HOME]
            )
            perform("Installing the reference", [uv, "pip", "install", "--quiet", "--python", PYTHON, *wishes])
        else:
            perform("Making an environment for the reference", [sys.executable, "-m", "venv", HOME])
            perform("Installing the reference", [PYTHON, "-m", "pip", "install", "--quiet", *wishes])
        _READY.touch()
    return PYTHON


def run(python: Path | str, script: Path | str, *arguments: str) -> str:
    """What the script tells, in a process of its own, so that its memory is its own too."""
    asked = [str(python), str(script), *arguments]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


VERSIONS = ", ".join(f"{name} {number}" for name, number in PACKAGES.items())
