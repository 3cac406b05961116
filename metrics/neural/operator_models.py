"""Models that an operator installs: which are known, which are in the folder of models, and whether they are whole.

Each is a folder with `assay-model.json`, which names the kind of the model and the SHA-256 of every file. Uses the
standard library alone: no Django, and nothing of the libraries that run the models.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from metrics.neural.light_model import ModelDamaged, sha256_of
from metrics.neural.model_languages import M2M100, XLM_R, primary_subtag

MANIFEST = "assay-model.json"
CHECKED = ".assay-checked.json"  # size and time of the files whose sums were right
TESTS_ONLY = "tiny-"  # random weights, made by tests
FOR_TESTS = "ASSAY_TINY_MODELS"
COMET, BLEURT, PRISM, ENCODER = "comet", "bleurt", "prism", "encoder"
KINDS = (COMET, BLEURT, PRISM, ENCODER)
_OTHER_MEANINGS = ("environment", "light")
_LIGHT = "light"  # it is in the same folder, and LightModel knows it
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SUM = re.compile(r"[0-9a-f]{64}")
_ROOM = 1.3  # memory for the size of the files
_SHOWN_DIGITS = 12


@dataclass(frozen=True, kw_only=True)
class OperatorModel:
    """A model in the operator's folder.

    `name` is that of its folder, `files` are paths inside it with their SHA-256. `languages` are primary subtags of
    BCP 47; where there are none it is not limited. `needs_reference` and `takes_reference` speak of COMET's classes:
    XCOMET takes references and does not need them, CometKiwi takes none. `accepted_by` and `accepted_at` say who
    accepted the licence, and when; empty where it did not need to be accepted.
    """

    name: str
    folder: Path
    kind: str
    title: str
    source: str
    revision: str
    licence: str
    files: Mapping[str, str]
    languages: tuple[str, ...] = ()
    needs_reference: bool = True
    takes_reference: bool = True
    marks_spans: bool = False
    accepted_by: str = ""
    accepted_at: str = ""

    @property
    def sha(self) -> str:
        """Of all files: the model's name in signatures."""
        lines = "".join(f"{digest}  {path}\n" for path, digest in sorted(self.files.items()))
        return hashlib.sha256(lines.encode()).hexdigest()[:_SHOWN_DIGITS]

    @property
    def size_bytes(self) -> int:
        """Of the files that are there."""
        return sum(size for size, _time in _sizes_and_times(self).values())

    @property
    def memory_megabytes(self) -> int:
        return round(_ROOM * self.size_bytes / 1_000_000)

    def uncovered(self, languages: Iterable[str]) -> list[str]:
        """Those of the languages (tags of BCP 47) that the model was not trained on."""
        return [tag for tag in languages if self.languages and primary_subtag(tag) not in self.languages]


@dataclass(frozen=True, kw_only=True)
class KnownModel:
    """A published model that `./assay neural install NAME` fetches. `gigabytes` is what it takes on disk, about.

    `is_gated`: the hub gives it only to accounts that have accepted its licence there.
    """

    name: str
    kind: str
    title: str
    repository: str
    licence: str
    gigabytes: float
    revision: str = "main"  # the commit that it names is looked up and written into the manifest
    is_commercial: bool = True
    is_gated: bool = False
    languages: tuple[str, ...] = ()
    needs_reference: bool = True
    takes_reference: bool = True
    marks_spans: bool = False


APACHE, MIT, NON_COMMERCIAL = "Apache-2.0", "MIT", "CC-BY-NC-SA-4.0"


def _bleurt(name: str, gigabytes: float) -> KnownModel:
    repository = f"lucadiliello/{name}"  # ports to PyTorch; their makers' own are for TensorFlow
    return KnownModel(
        name=name, kind=BLEURT, title=name, repository=repository, licence=APACHE, gigabytes=gigabytes, languages=()
    )


def _quality_estimate(name: str, title: str, gigabytes: float) -> KnownModel:
    return KnownModel(
        name=name,
        kind=COMET,
        title=title,
        repository=f"Unbabel/{name}",
        licence=NON_COMMERCIAL,
        gigabytes=gigabytes,
        is_commercial=False,
        is_gated=True,
        languages=XLM_R,
        needs_reference=False,
        takes_reference=False,
    )


def _xcomet(name: str, gigabytes: float) -> KnownModel:
    return KnownModel(
        name=name,
        kind=COMET,
        title=name,
        repository=f"Unbabel/{name}",
        licence=NON_COMMERCIAL,
        gigabytes=gigabytes,
        is_commercial=False,
        is_gated=True,
        languages=XLM_R,
        needs_reference=False,
        marks_spans=True,
    )


# Repositories, licences and sizes as their pages gave them when this was written: `install` shows them before it asks.
_KNOWN = (
    KnownModel(
        name="wmt22-comet-da",
        kind=COMET,
        title="COMET-22",
        repository="Unbabel/wmt22-comet-da",
        licence=APACHE,
        gigabytes=2.3,
        languages=XLM_R,
    ),
    _quality_estimate("wmt22-cometkiwi-da", "CometKiwi-22", 2.3),
    _quality_estimate("wmt23-cometkiwi-da-xl", "CometKiwi-23 XL", 14),
    _quality_estimate("wmt23-cometkiwi-da-xxl", "CometKiwi-23 XXL", 43),
    _xcomet("XCOMET-XL", 14),
    _xcomet("XCOMET-XXL", 43),
    _bleurt("BLEURT-20", 2.3),
    _bleurt("BLEURT-20-D12", 0.7),
    _bleurt("BLEURT-20-D6", 0.2),
    _bleurt("BLEURT-20-D3", 0.1),
    KnownModel(
        name="roberta-large",
        kind=ENCODER,
        title="RoBERTa large",
        repository="FacebookAI/roberta-large",
        licence=MIT,
        gigabytes=1.4,
        languages=("en",),
    ),
    KnownModel(
        name="xlm-roberta-large",
        kind=ENCODER,
        title="XLM-R large",
        repository="FacebookAI/xlm-roberta-large",
        licence=MIT,
        gigabytes=2.3,
        languages=XLM_R,
    ),
    KnownModel(
        name="bert-base-multilingual-cased",
        kind=ENCODER,
        title="multilingual BERT",
        repository="google-bert/bert-base-multilingual-cased",
        licence=APACHE,
        gigabytes=0.7,
    ),
    KnownModel(
        name="m2m100_418M",
        kind=PRISM,
        title="M2M100 (418M)",
        repository="facebook/m2m100_418M",
        licence=MIT,
        gigabytes=1.9,
        languages=M2M100,
    ),
)
KNOWN_MODELS: Mapping[str, KnownModel] = MappingProxyType({model.name: model for model in _KNOWN})


@dataclass(frozen=True)
class BadManifest:
    """A folder whose manifest cannot be used, and why: a sentence for the operator."""

    name: str
    reason: str


def installed_models(models_folder: str | Path) -> list[OperatorModel]:
    """By name; the light model is not among them. Folders that cannot be used are in `bad_manifests`."""
    return [model for model in _entries(models_folder) if isinstance(model, OperatorModel)]


def bad_manifests(models_folder: str | Path) -> list[BadManifest]:
    return [entry for entry in _entries(models_folder) if isinstance(entry, BadManifest)]


def name_problem(name: str) -> str:
    """Why a model cannot have this name, empty where it can."""
    if not _NAME.fullmatch(name):
        return f"“{name}” is not a name for a model. Use letters, digits, dots, hyphens and underscores, at most 64."
    if name in _OTHER_MEANINGS:
        return f"“{name}” has another meaning in commands. Choose another name."
    if name.startswith(TESTS_ONLY) and not os.environ.get(FOR_TESTS):
        return f"“{name}”: models named {TESTS_ONLY}… have random weights and are for tests only."
    return ""


def read_manifest(folder: Path) -> OperatorModel:
    """ModelDamaged with everything that is wrong with the manifest."""
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelDamaged(f"{path} cannot be read: {error}.") from error
    problems = _problems(folder.name, content)
    if problems:
        raise ModelDamaged(f"{path}: {' '.join(problems)}")
    return OperatorModel(
        name=folder.name,
        folder=folder,
        kind=content["kind"],
        **{key: content.get(key, "") for key in _TEXTS},
        files=MappingProxyType(content["files"]),
        languages=tuple(content.get("languages", [])),
        **{key: content[key] for key in _SWITCHES if key in content},
    )


def write_manifest(model: OperatorModel) -> None:
    """In one step: the manifest makes a folder a model."""
    content = {
        "kind": model.kind,
        **{key: getattr(model, key) for key in _TEXTS},
        "files": dict(sorted(model.files.items())),
        "languages": list(model.languages),
        **{key: getattr(model, key) for key in _SWITCHES},
    }
    new = model.folder / f".{MANIFEST}"
    new.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    new.replace(model.folder / MANIFEST)


def check_files(model: OperatorModel) -> None:
    """ModelDamaged unless every file has its sum, and no other file is there.

    Sums are computed at the first use and again after a change of size or time.
    """
    here = {path.relative_to(model.folder).as_posix() for path in _files_in(model.folder)}
    problems = [f"{path} is missing." for path in sorted(set(model.files) - here)]
    problems += [f"{path} was not there when the model was installed." for path in sorted(here - set(model.files))]
    now = {path: [size, time, model.files[path]] for path, (size, time) in _sizes_and_times(model).items()}
    known = _checked_before(model.folder)
    changed = [path for path, seen in now.items() if known.get(path) != seen]
    problems += [
        f"{path} has another content than when the model was installed (SHA-256 differs)."
        for path in changed
        if sha256_of(model.folder / path) != model.files[path]
    ]
    if problems:
        raise ModelDamaged(f"{model.name} is damaged: {' '.join(problems)}")
    _checked[model.folder] = now
    if changed:
        with suppress(OSError):  # a folder that cannot be written to is checked once in each process
            (model.folder / CHECKED).write_text(json.dumps(now), encoding="utf-8")


def sums_of(folder: Path) -> dict[str, str]:
    """SHA-256 of every file of a model's folder, for its manifest."""
    return {path.relative_to(folder).as_posix(): sha256_of(path) for path in _files_in(folder)}


_TEXTS = ("title", "source", "revision", "licence", "accepted_by", "accepted_at")
_SWITCHES = ("needs_reference", "takes_reference", "marks_spans")
_checked: dict[Path, dict[str, list[Any]]] = {}


def _entries(models_folder: str | Path) -> Iterator[OperatorModel | BadManifest]:
    home = Path(models_folder) if models_folder else None
    folders = sorted(home.iterdir()) if home and home.is_dir() else []
    for folder in folders:
        if folder.name.startswith(".") or not (folder / MANIFEST).is_file():
            continue
        try:
            if _kind_of(folder) != _LIGHT:
                yield read_manifest(folder)
        except ModelDamaged as error:
            yield BadManifest(folder.name, str(error))


def _kind_of(folder: Path) -> object:
    with suppress(OSError, ValueError, AttributeError):
        return json.loads((folder / MANIFEST).read_text(encoding="utf-8")).get("kind")
    return None


def _problems(name: str, content: Any) -> list[str]:
    if not isinstance(content, dict):
        return ["It is not a JSON object."]
    problems = [name_problem(name)]
    if content.get("kind") not in KINDS:
        problems.append(f"“kind” must be one of {', '.join(KINDS)}.")
    problems += [f"“{key}” must be text." for key in _TEXTS if not isinstance(content.get(key, ""), str)]
    problems += [f"“{key}” must be true or false." for key in _SWITCHES if not isinstance(content.get(key, True), bool)]
    files = content.get("files")
    if not isinstance(files, dict) or not files:
        problems.append("“files” must name each file with its SHA-256.")
    else:
        problems += [f"“files” has {path!r}, which is not inside the folder." for path in files if not _is_inside(path)]
        problems += [f"“files” has no SHA-256 for {path}." for path, digest in files.items() if not _is_sum(digest)]
    languages = content.get("languages", [])
    if not isinstance(languages, list) or not all(isinstance(each, str) for each in languages):
        problems.append("“languages” must be a list of codes.")
    return [problem for problem in problems if problem]


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\\" not in path


def _is_sum(value: object) -> bool:
    return isinstance(value, str) and bool(_SUM.fullmatch(value))


def _files_in(folder: Path) -> list[Path]:
    """Without our own two, and without what is hidden, which loaders do not read."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path != folder / MANIFEST
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def _sizes_and_times(model: OperatorModel) -> dict[str, tuple[int, int]]:
    there = {}
    for path in model.files:
        with suppress(OSError):
            state = (model.folder / path).stat()
            there[path] = (state.st_size, state.st_mtime_ns)
    return there


def _checked_before(folder: Path) -> dict[str, list[Any]]:
    if folder in _checked:
        return _checked[folder]
    with suppress(OSError, ValueError):
        stored = json.loads((folder / CHECKED).read_text(encoding="utf-8"))
        if isinstance(stored, dict):
            return stored
    return {}
