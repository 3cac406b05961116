"""An installation with an environment of the neural libraries, of which nothing is real but the conversation."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from campaigns.models import Document, Reference, Segment, System, TestSet, Translation
from jobs.actions import claim_run, perform_run, queue_run
from jobs.models import Run
from metrics.neural.operator_models import OperatorModel, sums_of, write_manifest
from metrics.scoring.neural_counters import let_children_go
from tests.metrics.neural import fake_worker
from tests.sample_test_set import WOMBAT

COMET = "comet:small-comet"
LIBRARIES = {"torch": "2.13.0+cpu", "transformers": "4.57.6", "unbabel-comet": "2.2.7", "bert-score": "0.3.13"}


@dataclass(frozen=True)
class NeuralSite:
    home: Path

    @property
    def models(self) -> Path:
        return self.home / "models"

    @property
    def environment(self) -> Path:
        return self.home / "environment"

    def has_environment(self, libraries: dict[str, str] | None = None) -> None:
        python = self.environment / "bin" / "python"
        python.parent.mkdir(parents=True, exist_ok=True)
        python.write_text(f'#!/bin/sh\nFAKE_HOME="{self.home}" exec {sys.executable} {fake_worker.__file__}\n')
        python.chmod(0o755)
        described = {"python": "3.11.7", "libraries": libraries or LIBRARIES, "requirements": ""}
        (self.environment / "assay-environment.json").write_text(json.dumps(described))

    def has_model(self, name: str, kind: str = "comet", content: str = "weights", **manifest: Any) -> OperatorModel:
        folder = self.models / name
        folder.mkdir(parents=True)
        (folder / "weights.bin").write_text(content)
        if kind == "encoder":
            (folder / "config.json").write_text('{"num_hidden_layers": 12}')
        facts = {"title": name, "source": "a test", "revision": "1", "licence": "Apache-2.0"} | manifest
        model = OperatorModel(name=name, folder=folder, kind=kind, files=sums_of(folder), **facts)
        write_manifest(model)
        return model

    def plan(self, **behaviour: Any) -> None:
        (self.home / "plan.json").write_text(json.dumps(behaviour))

    @property
    def diary(self) -> list[dict[str, Any]]:
        path = self.home / "diary.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []

    @property
    def scored(self) -> list[str]:
        """The translations, as often as each was asked for."""
        return [text for request in self.diary for text in request["asked"]]


@pytest.fixture
def neural_site(settings: Settings, tmp_path: Path) -> Iterator[NeuralSite]:
    """Nothing is installed yet."""
    site = NeuralSite(tmp_path)
    site.models.mkdir()
    settings.MODELS_DIR, settings.NEURAL_ENVIRONMENT = site.models, site.environment
    settings.REDIS_URL = ""  # with a broker the worker may be another machine, whose environment nobody sees here
    yield site
    let_children_go()


@pytest.fixture
def site(neural_site: NeuralSite) -> NeuralSite:
    """With the libraries and one model."""
    neural_site.has_environment()
    neural_site.has_model("small-comet")
    return neural_site


def done(test_set: TestSet, *metrics: str, **arguments: Any) -> Run:
    """A run as a worker performs it."""
    run = queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": list(metrics), **arguments})
    claimed = claim_run(run.pk)
    assert claimed is not None
    return perform_run(claimed)


def add_segments(test_set: TestSet, number: int) -> None:
    """So many more that one system translated: "t n0", "t n1", …"""
    document = Document.objects.get(test_set=test_set, name="harbour")
    rows = [Segment(document=document, name=f"n{at}", position=100 + at, source=f"s {at}") for at in range(number)]
    made = Segment.objects.bulk_create(rows)
    Reference.objects.bulk_create(Reference(segment=each, text=f"r {each.name}") for each in made)
    system = System.objects.get(test_set=test_set, name=WOMBAT)
    Translation.objects.bulk_create(Translation(segment=each, system=system, text=f"t {each.name}") for each in made)
