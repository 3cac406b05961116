"""Models of the operator: read from their manifests, and refused where files are not those that were installed."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metrics.neural import operator_models
from metrics.neural.light_model import ModelDamaged
from metrics.neural.model_languages import M2M100, XLM_R
from metrics.neural.operator_models import (
    KINDS,
    KNOWN_MODELS,
    MANIFEST,
    OperatorModel,
    bad_manifests,
    check_files,
    installed_models,
    name_problem,
    read_manifest,
    sums_of,
    write_manifest,
)

Put = Callable[..., OperatorModel]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """A model with two files, described by a manifest."""

    def write(name: str = "comet-of-ours", **changes: Any) -> OperatorModel:
        folder = tmp_path / name
        (folder / "checkpoints").mkdir(parents=True)
        (folder / "hparams.yaml").write_text("class_identifier: regression_metric\n")
        (folder / "checkpoints" / "model.ckpt").write_bytes(b"weights")
        model = OperatorModel(
            name=name,
            folder=folder,
            kind="comet",
            title="COMET of ours",
            source="/srv/comet",
            revision="3",
            licence="Apache-2.0",
            files=sums_of(folder),
            languages=("en", "de"),
        )
        write_manifest(replace(model, **changes))
        return read_manifest(folder)

    return write


def _change_manifest(model: OperatorModel, **changes: object) -> None:
    path = model.folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_model_is_read_as_it_was_written(put: Put, tmp_path: Path) -> None:
    model = put(accepted_by="Ada", accepted_at="2026-11-24", marks_spans=True, needs_reference=False)
    assert installed_models(tmp_path) == [model]
    assert (model.title, model.revision, model.languages) == ("COMET of ours", "3", ("en", "de"))
    assert (model.accepted_by, model.marks_spans, model.needs_reference) == ("Ada", True, False)
    assert model.files["checkpoints/model.ckpt"] == hashlib.sha256(b"weights").hexdigest()


def test_its_sum_is_of_all_files_and_of_nothing_else(put: Put) -> None:
    model = put()
    assert len(model.sha) == 12
    assert replace(model, title="Another", folder=Path("/elsewhere")).sha == model.sha
    assert replace(model, files={**model.files, "hparams.yaml": "0" * 64}).sha != model.sha


def test_memory_is_that_of_the_files_and_a_third_of_it_more(put: Put) -> None:
    model = put()
    with (model.folder / "checkpoints" / "model.ckpt").open("wb") as weights:
        weights.truncate(2_000_000_000)  # takes no room on the disk
    assert model.memory_megabytes == 2_600


def test_files_of_a_whole_model_are_in_order_and_read_once(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    model = put()
    check_files(model)

    def not_again(path: Path) -> str:
        raise AssertionError(f"{path} was read again")

    monkeypatch.setattr(operator_models, "sha256_of", not_again)
    check_files(model)
    operator_models._checked.clear()  # as in another process
    check_files(model)


def test_a_changed_file_is_noticed_by_its_time(put: Put) -> None:
    model = put()
    check_files(model)
    weights = model.folder / "checkpoints" / "model.ckpt"
    before = weights.stat()
    weights.write_bytes(b"weight$")
    os.utime(weights, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    with pytest.raises(ModelDamaged, match=r"checkpoints/model\.ckpt has another content"):
        check_files(model)


def test_a_file_with_another_sum_is_refused_even_if_it_was_checked_for_an_older_manifest(put: Put) -> None:
    model = put()
    check_files(model)
    with pytest.raises(ModelDamaged, match=r"hparams\.yaml has another content"):
        check_files(replace(model, files={**model.files, "hparams.yaml": "0" * 64}))


def test_missing_and_added_files_are_all_named(put: Put) -> None:
    model = put()
    (model.folder / "hparams.yaml").unlink()
    (model.folder / "pytorch_model.bin").write_bytes(b"foreign")
    with pytest.raises(ModelDamaged, match=r"hparams\.yaml is missing\. pytorch_model\.bin was not there"):
        check_files(model)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kind": "metricx"}, "“kind” must be one of comet, bleurt, prism, encoder"),
        ({"files": {}}, "“files” must name each file"),
        ({"files": {"../other": "0" * 64}}, "is not inside the folder"),
        ({"files": {"/etc/passwd": "0" * 64}}, "is not inside the folder"),
        ({"files": {"model.ckpt": "abc"}}, r"no SHA-256 for model\.ckpt"),
        ({"languages": "en"}, "“languages” must be a list"),
        ({"needs_reference": "no"}, "“needs_reference” must be true or false"),
        ({"licence": 3, "title": None}, "“title” must be text. “licence” must be text"),
    ],
)
def test_a_bad_manifest_is_a_problem_of_its_folder_alone(
    put: Put, tmp_path: Path, changes: dict[str, object], words: str
) -> None:
    good, bad = put(), put("bad")
    _change_manifest(bad, **changes)
    assert installed_models(tmp_path) == [good]
    (problem,) = bad_manifests(tmp_path)
    assert problem.name == "bad"
    with pytest.raises(ModelDamaged, match=words):
        read_manifest(bad.folder)


@pytest.mark.parametrize("content", ["", "[]", "{", "\x00"])
def test_a_manifest_of_another_kind_is_a_problem_too(put: Put, tmp_path: Path, content: str) -> None:
    (put("bad").folder / MANIFEST).write_text(content)
    assert installed_models(tmp_path) == []
    assert [problem.name for problem in bad_manifests(tmp_path)] == ["bad"]


def test_the_light_model_and_folders_without_a_manifest_are_not_listed(put: Put, tmp_path: Path) -> None:
    model = put("e5-small-q4")
    _change_manifest(model, kind="light")
    (tmp_path / "hub").mkdir()
    (tmp_path / ".installing-abc").mkdir()
    assert (installed_models(tmp_path), bad_manifests(tmp_path)) == ([], [])
    assert installed_models(tmp_path / "missing") == installed_models("") == []


def test_a_model_with_random_weights_is_for_tests_only(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(operator_models.FOR_TESTS, "1")
    put("tiny-comet")
    assert [model.name for model in installed_models(tmp_path)] == ["tiny-comet"]
    monkeypatch.delenv(operator_models.FOR_TESTS)
    assert installed_models(tmp_path) == []
    assert "for tests only" in bad_manifests(tmp_path)[0].reason


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "a:b", "two words", "x" * 65])
def test_a_name_fits_the_names_of_metrics(name: str) -> None:
    assert "is not a name for a model" in name_problem(name)
    assert name_problem("wmt22-comet-da_2.0") == ""


def test_a_name_that_commands_use_otherwise_is_refused() -> None:
    assert "has another meaning" in name_problem("environment")


def test_languages_are_compared_by_their_primary_subtags(put: Put) -> None:
    model = put()
    assert model.uncovered(["en-GB", "de", "zh-Hant", "is"]) == ["zh-Hant", "is"]
    assert replace(model, languages=()).uncovered(["zh", "is"]) == []
    assert replace(model, languages=XLM_R).uncovered(["nb", "nn-NO", "fil", "pt_BR", "mt"]) == ["mt"]


def test_every_known_model_says_what_an_operator_needs_to_know() -> None:
    assert {model.kind for model in KNOWN_MODELS.values()} == set(KINDS)
    for name, model in KNOWN_MODELS.items():
        assert name_problem(name) == ""
        assert model.repository.count("/") == 1
        assert model.gigabytes > 0
        assert model.is_commercial == (model.licence != "CC-BY-NC-SA-4.0")
    assert KNOWN_MODELS["XCOMET-XL"].marks_spans
    assert not KNOWN_MODELS["wmt22-cometkiwi-da"].takes_reference


def test_languages_of_known_models_are_as_many_as_their_papers_say() -> None:
    assert len(set(M2M100)) == len(M2M100) == 100
    assert len(set(XLM_R)) == len(XLM_R)
