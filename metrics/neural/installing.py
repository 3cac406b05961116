"""Models into the operator's folder and out of it: from a folder, or from the hub by a process that may go online.

Each appears in one step, whole and with its manifest, or not at all.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metrics.neural.light_model import LIGHT_MODELS, ModelDamaged
from metrics.neural.model_sources import (
    ENCODER_FOLDER,
    SourceError,
    comet_settings,
    encoder_files,
    files_to_take,
    kind_of,
    point_to_local_encoder,
)
from metrics.neural.operator_models import (
    COMET,
    MANIFEST,
    KnownModel,
    OperatorModel,
    name_problem,
    read_manifest,
    sums_of,
    write_manifest,
)

_ROOM_ON_DISK = 1.05  # of what is fetched
Choose = Callable[[Iterable[str]], list[str]]


class InstallError(Exception):
    """A model could not be installed or removed: a sentence that says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What the operator says of a model; what is empty is taken from its files."""

    name: str
    kind: str = ""
    title: str = ""
    source: str = ""
    revision: str = ""
    licence: str = ""
    languages: tuple[str, ...] = ()
    accepted_by: str = ""
    accepted_at: str = ""


def add(folder: Path, models_folder: Path, wanted: Wanted, *, encoder: Path | None = None) -> OperatorModel:
    """Copies a model out of a folder. `encoder` is a folder for a COMET that brings no configuration and tokenizer."""
    if not folder.is_dir():
        raise InstallError(f"{folder} is not a folder.")
    try:
        kind = wanted.kind or kind_of(folder)
        names = files_to_take(_names_in(folder), kind)
        code = next((path for path in folder.rglob("*.py")), None)
        if code is not None:
            raise InstallError(f"{folder} brings code of its own ({code.name}). Assay runs no code of models.")
        with _new_folder(wanted.name, models_folder) as new:
            _copy(folder, new, names)
            if kind == COMET:
                _copy_encoder(folder, new, encoder)
            return _finished(new, kind, wanted, models_folder)
    except SourceError as error:
        raise InstallError(f"{folder} cannot be added: {error}") from error


def install(known: KnownModel, models_folder: Path, python: Path, wanted: Wanted) -> OperatorModel:
    """Fetches a model from the hub, with the library of the neural environment, whose Python is given."""
    try:
        with _new_folder(wanted.name, models_folder) as new:
            commit = _download(
                python, known.repository, wanted.revision, new, lambda names: files_to_take(names, known.kind)
            )
            if known.kind == COMET:
                _download(python, comet_settings(new).encoder, "", new / ENCODER_FOLDER, encoder_files)
            said = replace(
                wanted,
                title=known.title,
                source=known.repository,
                revision=commit,
                licence=known.licence,
                languages=known.languages,
            )
            return _finished(new, known.kind, said, models_folder)
    except SourceError as error:
        raise InstallError(f"{known.repository} cannot be installed: {error}") from error


def remove(name: str, models_folder: Path) -> int:
    """The megabytes that were freed."""
    folder = models_folder / name
    if name in LIGHT_MODELS or name_problem(name) or not (folder / MANIFEST).is_file():
        there = ", ".join(sorted(path.parent.name for path in models_folder.glob(f"*/{MANIFEST}"))) or "none"
        raise InstallError(f"“{name}” is not a model that can be removed. In {models_folder}: {there}.")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    try:
        with tempfile.TemporaryDirectory(dir=models_folder, prefix=".removing-") as work:
            folder.rename(Path(work) / name)  # at once, so that nobody loads half of it
    except OSError as error:
        raise InstallError(f"{folder} cannot be removed ({error.strerror}).") from error
    return round(size / 1_000_000)


@contextmanager
def _new_folder(name: str, models_folder: Path) -> Iterator[Path]:
    """Where the files are put together; gone afterwards, unless it was given its name."""
    if problem := name_problem(name):
        raise InstallError(problem)
    if (models_folder / name).exists():
        raise InstallError(f"{models_folder / name} exists. Remove it first: ./assay neural remove {name}")
    try:
        models_folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=models_folder, prefix=".installing-") as work:
            new = Path(work) / name
            new.mkdir()
            yield new
    except OSError as error:
        raise InstallError(f"Cannot write to {models_folder} ({error.strerror or error}).") from error


def _finished(new: Path, kind: str, wanted: Wanted, models_folder: Path) -> OperatorModel:
    """Described, and moved to its place."""
    settings = comet_settings(new) if kind == COMET else None
    if settings:
        if not any((new / ENCODER_FOLDER).glob("*")):
            raise SourceError(
                f"it names the encoder {settings.encoder}, whose configuration and tokenizer are missing."
            )
        point_to_local_encoder(new)
    write_manifest(
        OperatorModel(
            name=wanted.name,
            folder=new,
            kind=kind,
            title=wanted.title or wanted.name,
            source=wanted.source,
            revision=wanted.revision,
            licence=wanted.licence or "not stated",
            files=sums_of(new),
            languages=wanted.languages,
            needs_reference=settings.needs_reference if settings else True,
            takes_reference=settings.takes_reference if settings else True,
            marks_spans=settings.marks_spans if settings else False,
            accepted_by=wanted.accepted_by,
            accepted_at=wanted.accepted_at,
        )
    )
    target = models_folder / wanted.name
    try:
        read_manifest(new)
    except ModelDamaged as error:
        raise InstallError(str(error)) from error
    new.rename(target)
    return read_manifest(target)


def _copy_encoder(folder: Path, new: Path, encoder: Path | None) -> None:
    """From the folder that is named, that the settings name, or that is beside them."""
    named = Path(comet_settings(folder).encoder).expanduser()
    places = [encoder] if encoder else [folder / ENCODER_FOLDER, named if named.is_absolute() else folder / named]
    home = next((place for place in places if (place / "config.json").is_file()), None)
    if home is None:
        raise SourceError(
            f"its hparams.yaml names the encoder {named}. "
            "Give a folder with config.json and tokenizer of that model: --encoder FOLDER"
        )
    (new / ENCODER_FOLDER).mkdir(exist_ok=True)
    _copy(home, new / ENCODER_FOLDER, encoder_files(path.name for path in home.iterdir() if path.is_file()))


def _copy(source: Path, target: Path, names: list[str]) -> None:
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)


def _names_in(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]


def _download(python: Path, repository: str, revision: str, folder: Path, choose: Choose) -> str:
    """The commit that was fetched."""
    listed = _asked(python, ["list", repository, revision])
    sizes: dict[str, int] = listed["files"]
    names = choose(sizes)
    folder.mkdir(parents=True, exist_ok=True)
    needed, free = sum(sizes[name] for name in names), shutil.disk_usage(folder).free
    if _ROOM_ON_DISK * needed > free:
        raise InstallError(
            f"{repository} needs {needed / 1e9:,.1f} GB on the disk of {folder.parent.parent}, "
            f"and {free / 1e9:,.1f} GB are free."
        )
    _asked(python, ["fetch", repository, listed["revision"], str(folder)], json.dumps(names))
    return str(listed["revision"])


def _asked(python: Path, arguments: list[str], told: str = "") -> Mapping[str, Any]:
    """The last line of the process is its answer, or why it has none. Its progress is shown as it comes."""
    root = Path(__file__).parents[2]
    command = [str(python), "-m", "neural_worker.hub", *arguments]
    try:
        done = subprocess.run(command, cwd=root, input=told, stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise InstallError(f"{python} cannot be started ({error.strerror}).") from error
    try:
        answer: Mapping[str, Any] = json.loads(done.stdout.strip().rpartition("\n")[2])
    except ValueError as error:
        raise InstallError(f"Fetching ended with the code {done.returncode} and without a reason.") from error
    if "error" in answer:
        raise InstallError(answer["error"])
    return answer
