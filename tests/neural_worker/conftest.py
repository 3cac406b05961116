"""Small models of the real libraries, made once, and the child that runs them."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bootstrap import neural_environment
from metrics.neural.operator_models import OperatorModel, sums_of, write_manifest
from tests.neural_worker.child import Child
from tests.processes import ROOT

Changed = Callable[..., Path]
collect_ignore = ["tiny_models.py"]  # it runs in the other environment


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of models; the environment of the libraries is installed where it is not."""
    neural_environment.prepare()
    home = tmp_path_factory.mktemp("models")
    command: list[str | Path] = [
        neural_environment.PYTHON,
        "-W",
        "ignore",
        "-m",
        "tests.neural_worker.tiny_models",
        home,
    ]
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    environment = {**os.environ, **offline, "HF_HUB_CACHE": str(home / "hub")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3_000:]
    for folder in home.iterdir():
        if folder.is_dir():
            describe(folder)
    return home


def describe(folder: Path) -> None:
    """As `add` does."""
    kinds = {"tiny-bleurt": "bleurt", "tiny-m2m100": "prism", "tiny-encoder": "encoder"}
    kind = next((kind for name, kind in kinds.items() if folder.name.startswith(name)), "comet")
    write_manifest(
        OperatorModel(
            name=folder.name,
            folder=folder,
            kind=kind,
            title=folder.name,
            source="tests",
            revision="1",
            licence="none",
            files=sums_of(folder),
        )
    )


@pytest.fixture(scope="session")
def expected(models: Path) -> dict[str, Any]:
    values: dict[str, Any] = json.loads((models / "expected.json").read_text())
    return values


@pytest.fixture(scope="session")
def child(models: Path) -> Iterator[Child]:
    """One for all tests that do not end it; it forgets the model of the last request by itself."""
    with Child() as one:
        yield one


@pytest.fixture
def changed(models: Path, tmp_path: Path) -> Changed:
    """A copy of a small model with a changed file; described anew unless it is to be noticed by its sums."""

    def change(name: str, change_files: Callable[[Path], object], *, is_described: bool = True) -> Path:
        folder = tmp_path / f"{name}-changed"
        shutil.copytree(models / name, folder)
        change_files(folder)
        if is_described:
            describe(folder)
        return folder

    return change
