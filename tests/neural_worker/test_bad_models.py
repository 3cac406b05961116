"""Models that cannot be used: each is refused with the reason, and the child answers the next request."""

import json
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bootstrap import neural_environment
from metrics.neural.operator_models import MANIFEST
from tests.neural_worker.child import UNSAFE, Answer, Child
from tests.neural_worker.conftest import Changed
from tests.neural_worker.texts import SAMPLES
from tests.processes import ROOT

CHECKPOINT = Path("checkpoints", "model.ckpt")


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1_000])


class _Code:
    def __init__(self, into: Path) -> None:
        self._into = into

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self._into,)


def _refused(answer: Answer) -> str:
    assert not answer.scored
    assert answer.error["code"] == "refused", answer.error
    return answer.error["message"]


def _damaged(answer: Answer) -> str:
    assert not answer.scored
    assert answer.error["code"] == "damaged", answer.error
    return answer.error["message"]


def test_a_checkpoint_with_code_is_refused_and_does_not_run(child: Child, models: Path) -> None:
    message = _refused(child.ask("comet", models / "tiny-with-code"))
    assert "objects of Python, which could run code" in message
    assert "safetensors" in message
    assert not (models / "tiny-with-code" / "was-run").exists()


@pytest.mark.parametrize(("name", "kind"), [("tiny-encoder", "encoder"), ("tiny-bleurt", "bleurt")])
def test_a_pickle_with_code_is_refused_by_every_loader(child: Child, changed: Changed, name: str, kind: str) -> None:
    def trap(folder: Path) -> None:
        (folder / "model.safetensors").unlink()
        (folder / "pytorch_model.bin").write_bytes(pickle.dumps(_Code(folder / "was-run")))

    folder = changed(name, trap)
    metric = "bertscore" if kind == "encoder" else kind
    assert "could run code" in _refused(child.ask(metric, folder, kind=kind))
    assert not (folder / "was-run").exists()


def test_unsafe_loading_cannot_be_switched_on_from_outside() -> None:
    neural_environment.prepare()
    code = (
        "import os; from neural_worker import surroundings as s; s.restrict()\n"
        "print(os.environ.get(s.UNSAFE), os.environ['HF_HUB_OFFLINE'])"
    )
    environment = {UNSAFE: "1", "HF_HUB_OFFLINE": "0"}
    done = subprocess.run(
        [neural_environment.PYTHON, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["None", "1"]


def test_a_checkpoint_without_its_encoder_is_refused(child: Child, models: Path) -> None:
    message = _damaged(child.ask("comet", models / "tiny-headless"))
    assert "lacks" in message
    assert "encoder." in message


@pytest.mark.drawn(2)
@pytest.mark.parametrize("key", ["encoder.layer.1.output.dense.weight", "embeddings.word_embeddings.weight"])
def test_an_encoder_that_lacks_a_weight_is_refused(child: Child, changed: Changed, key: str) -> None:
    code = (
        "import sys; from safetensors.numpy import load_file, save_file\n"
        "path, key = sys.argv[1:]; weights = load_file(path); del weights[key]\n"
        "save_file(weights, path, {'format': 'pt'})"
    )

    def change(folder: Path) -> None:
        subprocess.run([neural_environment.PYTHON, "-c", code, folder / "model.safetensors", key], check=True)

    message = _damaged(child.ask("bertscore", changed("tiny-encoder", change), kind="encoder"))
    assert f"lacks 1 of the weights its settings name: {key}" in message


TRUNCATED: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a truncated checkpoint": ("tiny-regression", lambda folder: _truncate(folder / CHECKPOINT)),
    "something else": ("tiny-regression", lambda folder: (folder / CHECKPOINT).write_bytes(b"<html>not found</html>")),
    "an empty file": ("tiny-regression", lambda folder: (folder / CHECKPOINT).write_bytes(b"")),
    "truncated safetensors": ("tiny-bleurt", lambda folder: _truncate(folder / "model.safetensors")),
    "no checkpoint": ("tiny-regression", lambda folder: (folder / CHECKPOINT).unlink()),
}


@pytest.mark.drawn(5)
@pytest.mark.parametrize("name", TRUNCATED)
def test_what_is_not_a_whole_checkpoint_is_said_to_be_damaged(child: Child, changed: Changed, name: str) -> None:
    model, change = TRUNCATED[name]
    kind = "bleurt" if model == "tiny-bleurt" else "comet"
    message = _damaged(child.ask(kind, changed(model, change), kind=kind))
    assert "cut off" in message


@pytest.mark.drawn(3)
@pytest.mark.parametrize(
    ("name", "kind", "home"),
    [("tiny-regression", "comet", "encoder"), ("tiny-encoder", "encoder", "."), ("tiny-m2m100", "prism", ".")],
)
def test_a_missing_tokenizer_is_named(child: Child, changed: Changed, name: str, kind: str, home: str) -> None:
    def change(folder: Path) -> None:
        for pattern in ("tokenizer.json", "*.model", "vocab.json"):
            for file in (folder / home).glob(pattern):
                file.unlink()

    metric = "bertscore" if kind == "encoder" else kind
    assert "has no tokenizer in" in _damaged(child.ask(metric, changed(name, change), kind=kind))


def test_a_model_of_another_shape_is_damaged(child: Child, changed: Changed) -> None:
    def change(folder: Path) -> None:
        config = folder / "encoder" / "config.json"
        config.write_text(json.dumps(json.loads(config.read_text()) | {"hidden_size": 64}))

    assert "could not be loaded" in _damaged(child.ask("comet", changed("tiny-regression", change)))


def test_another_file_than_the_one_installed_is_noticed_by_its_sum(child: Child, changed: Changed) -> None:
    folder = changed("tiny-regression", lambda folder: _truncate(folder / CHECKPOINT), is_described=False)
    assert "checkpoints/model.ckpt has another content" in _damaged(child.ask("comet", folder))
    folder = changed("tiny-bleurt", lambda folder: (folder / "added.json").write_text("{}"), is_described=False)
    assert "added.json was not there" in _damaged(child.ask("bleurt", folder, kind="bleurt"))


def test_a_model_in_memory_is_loaded_again_when_its_files_change(child: Child, changed: Changed) -> None:
    folder = changed("tiny-regression", lambda _folder: None)
    before = child.ask("comet", folder).scores
    assert child.ask("comet", folder).scores == before
    (folder / "hparams.yaml").write_text("class_identifier: of_another_kind\n")
    assert "hparams.yaml has another content" in _damaged(child.ask("comet", folder))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: (folder / "modeling.py").write_text("print('hello')"), r"brings code of its own (modeling.py)"),
        (lambda folder: _add_auto_map(folder / "config.json"), "asks for code of its own"),
    ],
)
def test_a_model_that_brings_code_is_refused(
    child: Child, changed: Changed, change: Callable[[Path], object], words: str
) -> None:
    assert words in _refused(child.ask("bertscore", changed("tiny-encoder", change), kind="encoder"))


def _add_auto_map(config: Path) -> None:
    config.write_text(json.dumps(json.loads(config.read_text()) | {"auto_map": {"AutoModel": "modeling.Model"}}))


def test_settings_with_objects_are_refused(child: Child, changed: Changed) -> None:
    def change(folder: Path) -> None:
        (folder / "hparams.yaml").write_text("class_identifier: !!python/object/apply:os.getcwd []\n")

    assert "more than plain values" in _refused(child.ask("comet", changed("tiny-regression", change)))


def test_a_folder_that_nobody_installed_is_refused(child: Child, changed: Changed) -> None:
    folder = changed("tiny-regression", lambda folder: (folder / MANIFEST).unlink(), is_described=False)
    assert "is not the folder of an installed model" in _refused(child.ask("comet", folder))


def test_too_large_a_model_is_not_tried(child: Child, changed: Changed) -> None:
    def change(folder: Path) -> None:
        with (folder / "model.safetensors").open("r+b") as weights:
            weights.truncate(5_000_000_000_000)  # takes no room on the disk

    error = child.ask("bertscore", changed("tiny-encoder", change, is_described=False), kind="encoder").error
    assert error["code"] == "memory"
    assert "needs 6,500.0 GB of memory, and" in error["message"]


def test_random_weights_are_for_tests_only(models: Path) -> None:
    with Child({"ASSAY_TINY_MODELS": ""}) as child:
        assert "for tests only" in _refused(child.ask("comet", models / "tiny-regression"))


def test_a_request_that_cannot_be_read_is_answered_and_the_next_one_too(child: Child, models: Path) -> None:
    assert "not a JSON object" in child.send("{").error["message"]
    answer = child.send('{"request": 5, "metric": "bleu", "model": {}, "items": [{"id": 0}]}')
    assert answer.lines[-1]["request"] == 5
    assert "“metric” must be one of" in answer.error["message"]
    assert "Each item must have" in answer.error["message"]
    assert len(child.ask("comet", models / "tiny-regression").scores) == len(SAMPLES)


def test_a_child_that_is_killed_in_the_middle_leaves_nothing_and_another_one_gives_the_same(
    child: Child, models: Path
) -> None:
    folder = models / "tiny-encoder"
    before = sorted(folder.iterdir())
    scores = child.ask("bertscore", folder, kind="encoder").scores
    items = [{"id": at, "mt": f"Nebel {at} " * 200, "refs": ["Nebel"]} for at in range(512)]
    process = child.start()
    if process.stdin and process.stdout:
        process.stdin.write(child.request("bertscore", folder, items, "encoder", None, {}) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["progress"] == 0
        process.kill()
        lines = [json.loads(line) for line in process.stdout if line.endswith("\n")]
        assert not any("done" in line for line in lines)
    child.end()
    assert child.ask("bertscore", folder, kind="encoder").scores == scores
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("environment", [{}, {"ASSAY_NEURAL_IDLE_SECONDS": "0.1"}])
def test_the_child_ends_when_its_parent_is_gone_or_nothing_comes(environment: dict[str, str]) -> None:
    neural_environment.prepare()
    with Child(environment) as child:
        process = child.start()
        if not environment and process.stdin:
            process.stdin.close()
        assert process.wait(timeout=60) == 0
