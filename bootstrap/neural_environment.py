"""The environment of the libraries that run large models, in .venv-neural: apart, as they need another numpy."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bootstrap import environment
from bootstrap.places import NEURAL_LOCK, NEURAL_VENV, UV_LOCK, VENV
from bootstrap.steps import SetUpError, StepFailed, one_at_a_time, perform, say

PYTHON = NEURAL_VENV / "bin" / "python"
# few of twelve thousand modules are ever loaded: Python translates each when it first is
PIP: list[str | Path] = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
DESCRIPTION = NEURAL_VENV / "assay-environment.json"  # written last: where it is, the environment is complete
TORCH = "torch==2.13.0"
VARIABLE = "ASSAY_NEURAL_PYTHON"
VERSIONS = ("3.11", "3.12")  # later ones have no numpy 1.26, which COMET needs
SHOWN = ("torch", "unbabel-comet", "bert-score", "bleurt-pytorch", "transformers", "numpy")
GIGABYTES = 1.5
_DESCRIBE = """
import json, platform, sys
from importlib.metadata import version
libraries = {name: version(name) for name in sys.argv[1:]}
print(json.dumps({"python": platform.python_version(), "libraries": libraries}))
"""


@dataclass(frozen=True)
class Installed:
    """What `prepare` made, and whether it had to."""

    python: Path
    is_new: bool


def is_complete() -> bool:
    """Whether the environment is there, made from the present lock, and its Python starts."""
    try:
        described = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(described, dict) and described.get("requirements") == _lock_sum() and PYTHON.exists()


def prepare(*, cpu: bool = False) -> Installed:
    """Makes the environment unless it is complete. `cpu` takes PyTorch's build without CUDA where there are both."""
    if is_complete():
        return Installed(PYTHON, is_new=False)
    with one_at_a_time("neural"):
        if is_complete():
            return Installed(PYTHON, is_new=False)
        base = find_python()
        say(
            f"making the environment of the neural metrics in {NEURAL_VENV}: about {GIGABYTES} GB, some minutes. "
            "With PyTorch's CUDA build, which package indexes give on Linux, several GB more …"
        )
        remove()
        perform("Making the neural environment", [base, "-m", "venv", NEURAL_VENV])
        _install_libraries()
        perform("Installing PyTorch", [*(_uv_for_cpu() if cpu else PIP), TORCH])
        perform("Checking the neural environment", [PYTHON, "-m", "pip", "check"])
        _describe()
    return Installed(PYTHON, is_new=True)


def remove() -> bool:
    """False where there is none."""
    is_there = NEURAL_VENV.exists()
    DESCRIPTION.unlink(missing_ok=True)  # first: half an environment is none
    try:
        if is_there:
            shutil.rmtree(NEURAL_VENV)
    except OSError as error:
        raise SetUpError(f"{NEURAL_VENV} cannot be removed ({error.strerror}). Delete it by hand.") from error
    return is_there


def find_python() -> str:
    """A Python that the libraries run on; SetUpError says what to do where there is none."""
    named = os.environ.get(VARIABLE, "")
    for candidate in [named] if named else _candidates():
        if _version_of(candidate) in VERSIONS:
            return candidate
    found = f"{named}, which {VARIABLE} names, is {_version_of(named) or 'not a Python'}" if named else "none was found"
    raise SetUpError(
        f"the libraries of neural metrics need Python {' or '.join(VERSIONS)}: {found}. "
        f"Install one, or name it: {VARIABLE}=/path/to/python3.12 ./assay neural install environment"
    )


def why_unavailable() -> str:
    """Empty where it is there, or can be made: what else goes wrong is known only when it is tried."""
    if is_complete():
        return ""
    try:
        find_python()
    except SetUpError as error:
        return str(error)
    return ""


def megabytes() -> int:
    files = (Path(folder, name) for folder, _folders, names in os.walk(NEURAL_VENV) for name in names)
    return round(sum(file.lstat().st_size for file in files) / 1_000_000)


def _candidates() -> Iterator[str]:
    """The Python of this process, those on PATH, then those of pyenv, which need not be on PATH."""
    yield sys.executable
    for version in VERSIONS:
        if found := shutil.which(f"python{version}"):
            yield found
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
    for version in VERSIONS:
        yield from map(str, sorted(versions.glob(f"{version}.*/bin/python{version}")))


def _version_of(python: str) -> str:
    """As in VERSIONS; empty where it does not start (pyenv has commands for versions that are not active)."""
    ask = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    try:
        done = subprocess.run([python, "-c", ask], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _install_libraries() -> None:
    """By uv where there is one, in a quarter of the time; by pip where there is none or only pip knows the registry."""
    locked: list[str | Path] = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", NEURAL_LOCK]
    what = "Installing the libraries of neural metrics"
    if uv := environment.present_uv():
        try:
            perform(what, [uv, "pip", "install", "--quiet", "--python", PYTHON, *locked])
        except StepFailed:
            pass  # an old uv, or a registry that only pip is told of
        else:
            return
    perform(what, [*PIP, *locked])


def _uv_for_cpu() -> list[str | Path]:
    uv = shutil.which("uv")
    if uv is None:
        environment.prepare(UV_LOCK)
        uv = str(VENV / "bin" / "uv")
    return [uv, "pip", "install", "--quiet", "--python", PYTHON, "--torch-backend", "cpu"]


def _describe() -> None:
    done = subprocess.run([PYTHON, "-c", _DESCRIBE, *SHOWN], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SetUpError(f"The neural environment is incomplete: {done.stderr.strip().splitlines()[-1]}. Try again.")
    described = json.loads(done.stdout) | {"requirements": _lock_sum()}
    new = DESCRIPTION.with_suffix(".new")
    new.write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    new.replace(DESCRIPTION)


def _lock_sum() -> str:
    return sha256(NEURAL_LOCK.read_bytes()).hexdigest()
