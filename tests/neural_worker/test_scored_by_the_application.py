"""A test set scored by the application with small models of the real libraries: the numbers that these compute."""

from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from bootstrap.places import NEURAL_VENV
from campaigns.models import Document, Reference, Segment, System, TestSet, Translation
from metrics.models import SegmentStatistic
from metrics.neural.operator_models import FOR_TESTS
from metrics.scoring import score_test_set
from metrics.scoring.neural_counters import let_children_go
from tests.neural_worker.texts import SAMPLES

pytestmark = pytest.mark.django_db


@pytest.fixture
def sampled(settings: Settings, models: Path, monkeypatch: pytest.MonkeyPatch) -> TestSet:
    """The samples as a test set; the environment and the models are the real ones."""
    monkeypatch.setenv(FOR_TESTS, "1")
    settings.MODELS_DIR, settings.NEURAL_ENVIRONMENT = models, NEURAL_VENV
    test_set = TestSet.objects.create(name="Samples", slug="samples", source_language="en", target_language="de")
    document = Document.objects.create(test_set=test_set, name="all", position=1)
    system = System.objects.create(test_set=test_set, name="Heron")
    for number, sample in enumerate(SAMPLES):
        segment = Segment.objects.create(document=document, name=str(number), position=number, source=sample.src)
        Translation.objects.create(segment=segment, system=system, text=sample.mt)
        for name, text in zip("AB", sample.refs, strict=False):
            Reference.objects.create(segment=segment, name=name, text=text)
    return test_set


def test_the_application_stores_what_the_libraries_compute(sampled: TestSet, expected: dict[str, Any]) -> None:
    try:
        scored = score_test_set(sampled, metrics=["comet:tiny-regression", "comet:tiny-xcomet"], resamples=10)
    finally:
        let_children_go()
    assert not any(one.unavailable for one in scored.scores)
    for model in ("tiny-regression", "tiny-xcomet"):
        rows = SegmentStatistic.objects.filter(metric=f"comet:{model}").order_by("translation__segment__position")
        own = [sum(scores) / len(scores) for scores in expected[model]["scores"]]
        assert [row.values[1] for row in rows] == pytest.approx(own, abs=1e-6)
        assert [bool(row.values[0]) for row in rows] == [len(sample.mt) > 1_000 for sample in SAMPLES]
