"""Reference packages from their registry, in an environment of the benchmark's own, found again later."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from bootstrap.places import VENV, WORK
from bootstrap.steps import perform, say


def reference_python(benchmark: str, packages: Mapping[str, str]) -> Path:
    """The Python that has the packages, given with their versions; SetUpError where they cannot be installed."""
    wishes = [f"{name}=={number}" for name, number in packages.items()]
    home = WORK / "-".join([benchmark, *(wish.replace("==", "-") for wish in wishes)])
    python, ready = home / "bin" / "python", home / "ready"
    if not ready.exists():
        say(f"installing {versions(packages)} …")
        shutil.rmtree(home, ignore_errors=True)
        uv = shutil.which("uv") or shutil.which("uv", path=str(VENV / "bin"))
        if uv is not None:
            perform(
                "Making an environment for the reference", [uv, "venv", "--quiet", "--python", sys.executable, home]
            )
            perform("Installing the reference", [uv, "pip", "install", "--quiet", "--python", python, *wishes])
        else:
            perform("Making an environment for the reference", [sys.executable, "-m", "venv", home])
            perform("Installing the reference", [python, "-m", "pip", "install", "--quiet", *wishes])
        ready.touch()
    return python


def run(python: Path | str, script: Path | str, *arguments: str) -> str:
    """What the script tells, in a process of its own, so that its memory is its own too."""
    asked = [str(python), str(script), *arguments]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


def versions(packages: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in packages.items())
