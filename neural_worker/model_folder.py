"""A model's folder before anything of it is loaded: whether it is whole, free of code, and small enough for memory."""

import hashlib
import json
import os
import pickle
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neural_worker.conversation import DAMAGED, FAILED, MEMORY, REFUSED, ModelPlace, RequestError
from neural_worker.surroundings import free_memory

MANIFEST, CHECKED = "assay-model.json", ".assay-checked.json"  # the second tells which sums were computed already
TESTS_ONLY, FOR_TESTS = "tiny-", "ASSAY_TINY_MODELS"
ROOM = 1.3  # memory for the size of the weights
WEIGHTS = (".safetensors", ".bin", ".ckpt", ".pt")
_TOKENIZER = ("tokenizer.json", "vocab.txt", "*.model", "vocab.json")
_OF_PICKLE = (b"\x80", b"PK")  # how a pickle begins, alone or in torch's archive
_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class ModelFolder:
    """A folder that `checked` has looked through."""

    name: str
    path: Path
    manifest: Mapping[str, Any]
    state: str  # changes with the manifest, and with size or time of a file

    @property
    def has_safetensors(self) -> bool:
        return any(self.path.glob("*.safetensors"))

    def demand_tokenizer(self, folder: Path) -> None:
        if not any(next(folder.glob(pattern), None) for pattern in _TOKENIZER):
            raise RequestError(DAMAGED, f"{self.name} has no tokenizer in {folder}. Install or add it again.")


def state_of(place: ModelPlace) -> str:
    """Cheap: whether a model in memory is still that of the folder. RequestError where there is no manifest."""
    return _state(place, _manifest_text(place))


def checked(place: ModelPlace) -> ModelFolder:
    """RequestError for what is for tests only, too large, changed, or has code in it."""
    text = _manifest_text(place)
    if place.name.startswith(TESTS_ONLY) and not os.environ.get(FOR_TESTS):
        raise RequestError(REFUSED, f"{place.name} has random weights: models named {TESTS_ONLY}… are for tests only.")
    try:
        manifest = json.loads(text)
        files: dict[str, str] = manifest["files"]
    except (ValueError, KeyError, TypeError) as error:
        raise RequestError(DAMAGED, f"{place.folder / MANIFEST} cannot be read. Install or add it again.") from error
    _demand_memory(place)
    _demand_sums(place, files)
    _refuse_code(place)
    return ModelFolder(place.name, place.folder, manifest, _state(place, text))


def read_checkpoint(path: Path) -> Mapping[str, Any]:
    """The content of a file that torch wrote: numbers and plain values only. RequestError where it is anything else."""
    import torch  # noqa: PLC0415 - what needs no model starts without it

    try:
        try:
            content = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
        except RuntimeError as error:
            if "mmap" not in str(error):
                raise
            content = torch.load(path, map_location="cpu", weights_only=True)  # as older versions wrote it
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError, ValueError, KeyError) as error:
        if isinstance(error, pickle.UnpicklingError) and _begins_as_pickle(path):
            message = (
                f"{path} was not loaded: it contains objects of Python, which could run code. "
                "Convert its weights to safetensors on a machine where that does not matter, and add them again."
            )
            raise RequestError(REFUSED, message) from error
        raise RequestError(DAMAGED, f"{path} is not a checkpoint, or it is cut off.") from error
    if not isinstance(content, Mapping):
        raise RequestError(DAMAGED, f"{path} is a checkpoint of another kind.")
    return content


def _begins_as_pickle(path: Path) -> bool:
    with path.open("rb") as content:
        return content.read(2).startswith(_OF_PICKLE)


def check_weights(folder: ModelFolder) -> None:
    """Whether the files that transformers will load are whole, and free of code: its own messages do not say it."""
    from safetensors import SafetensorError, safe_open  # noqa: PLC0415

    files = sorted(folder.path.glob("*.safetensors")) or sorted(folder.path.glob("*.bin"))
    if not files:
        raise RequestError(DAMAGED, f"{folder.name} has no weights (*.safetensors or *.bin) in {folder.path}.")
    for path in files:
        if path.suffix == ".bin":
            read_checkpoint(path)
            continue
        try:
            with safe_open(path, framework="pt"):
                pass
        except SafetensorError as error:
            raise RequestError(DAMAGED, f"{path} is not a file of weights, or it is cut off.") from error


def demand_complete(folder: ModelFolder, missing: list[str]) -> None:
    """Libraries fill what a checkpoint lacks with random numbers, and go on."""
    if missing:
        shown = ", ".join(missing[:3]) + (" …" if len(missing) > 3 else "")
        message = f"The checkpoint of {folder.name} lacks {len(missing)} of the weights its settings name: {shown}."
        raise RequestError(DAMAGED, message)


def _manifest_text(place: ModelPlace) -> str:
    try:
        return (place.folder / MANIFEST).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        message = f"{place.folder} is not the folder of an installed model: it has no {MANIFEST}."
        raise RequestError(REFUSED, message) from error


def _files_in(folder: Path) -> list[Path]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path != folder / MANIFEST)
    return [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]


def _state(place: ModelPlace, manifest: str) -> str:
    digest = hashlib.sha256(manifest.encode())
    for path in _files_in(place.folder):
        stat = path.stat()
        digest.update(f"\0{path}\0{stat.st_size}\0{stat.st_mtime_ns}".encode())
    return digest.hexdigest()


def _demand_memory(place: ModelPlace) -> None:
    size = sum(path.stat().st_size for path in _files_in(place.folder) if path.suffix in WEIGHTS)
    needed, free = ROOM * size, free_memory()
    if free is not None and needed > free:
        message = (
            f"{place.name} needs {needed / 1e9:,.1f} GB of memory, and {free / 1e9:,.1f} GB are free. "
            "Free memory, give the worker more, or choose a smaller model."
        )
        raise RequestError(MEMORY, message)


def _demand_sums(place: ModelPlace, files: Mapping[str, str]) -> None:
    here = {path.relative_to(place.folder).as_posix(): path for path in _files_in(place.folder)}
    known = _sums_known(place.folder)
    problems = [f"{name} is missing." for name in sorted(set(files) - set(here))]
    problems += [f"{name} was not there when the model was installed." for name in sorted(set(here) - set(files))]
    for name in sorted(set(files) & set(here)):
        stat = here[name].stat()
        is_known = known.get(name) == [stat.st_size, stat.st_mtime_ns, files[name]]
        if not is_known and _sum_of(here[name]) != files[name]:
            problems.append(f"{name} has another content than when the model was installed (SHA-256 differs).")
    if problems:
        advice = "Install or add it again."
        raise RequestError(DAMAGED, f"{place.name} is damaged: {' '.join(problems)} {advice}")


def _sums_known(folder: Path) -> Mapping[str, Any]:
    with suppress(OSError, ValueError):
        stored = json.loads((folder / CHECKED).read_text(encoding="utf-8"))
        if isinstance(stored, dict):
            return stored
    return {}


def _sum_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as content:
        while block := content.read(_AT_ONCE):
            digest.update(block)
    return digest.hexdigest()


def _refuse_code(place: ModelPlace) -> None:
    code = next(place.folder.rglob("*.py"), None)
    if code is not None:
        raise RequestError(REFUSED, f"{place.name} was not loaded: it brings code of its own ({code.name}).")
    for config in place.folder.rglob("config.json"):
        try:
            settings = json.loads(config.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise RequestError(DAMAGED, f"{config} cannot be read. Install or add the model again.") from error
        if isinstance(settings, dict) and "auto_map" in settings:
            raise RequestError(REFUSED, f"{place.name} was not loaded: its {config.name} asks for code of its own.")


def loading_failed(folder: ModelFolder, error: Exception) -> RequestError:
    """For what a library says while it loads; a want of memory is not meant."""
    reason = " ".join(str(error).split())[:300] or type(error).__name__
    code = DAMAGED if isinstance(error, OSError | ValueError | KeyError | TypeError | RuntimeError) else FAILED
    return RequestError(code, f"{folder.name} could not be loaded: {reason}")
