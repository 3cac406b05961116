"""WMT23 English to German through the commands: corpus BLEU, chrF and other metrics' scores as published."""

import json
from io import StringIO
from pathlib import Path

from django.core.management import call_command

import numpy as np
import pytest

from campaigns.models import TestSet
from metrics.scoring.reading import read_metric_scores
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]


SCORES = "metric-scores/en-de"


@pytest.fixture
def home(db: None) -> Path:
    """The folder of the texts, which are imported."""
    home, expected = real_case("metrics-wmt23-ende") / "wmt23", expected_of("metrics-wmt23-ende")
    systems, outputs = expected["sacrebleu"]["systems"], home / "system-outputs" / "en-de"
    sides = [f"--source={home / 'sources' / 'en-de.txt'}", f"--reference=refA={home / 'references' / 'en-de.refA.txt'}"]
    sides += [f"--system={system}={outputs / f'{system}.txt'}" for system in sorted(systems)]
    languages = ("--source-language=en", "--target-language=de")
    call_command("import_test_set", "--name=WMT23", *languages, *sides, stdout=StringIO(), stderr=StringIO())
    return home


@pytest.mark.usefixtures("home")
def test_corpus_bleu_and_chrf_are_as_expected() -> None:
    expected = expected_of("metrics-wmt23-ende")
    systems = expected["sacrebleu"]["systems"]
    options, out = ("--metric=bleu", "--metric=chrf", "--resamples=10", "--json"), StringIO()
    call_command("score_test_set", "WMT23", *options, stdout=out, stderr=StringIO())
    scores = json.loads(out.getvalue())["scores"]
    assert {entry["signature"] for entry in scores} == set(expected["sacrebleu"]["signatures"])
    for metric in ("bleu", "chrf"):
        scores_of_systems = {entry["system"]: entry["score"] for entry in scores if entry["metric"] == metric}
        published = {system: values[metric] for system, values in systems.items()}
        # AIRC's file begins with a byte order mark: one for the import, a character for the published chrF
        assert abs(scores_of_systems.pop("AIRC") - published.pop("AIRC")) < 1e-4
        assert scores_of_systems == pytest.approx(published, abs=expected["tolerance"]["sacrebleu"])


def test_scores_of_metrics_come_in_as_they_were_published(home: Path) -> None:
    def bring(name: str) -> str:
        file, out = str(home / SCORES / name), StringIO()
        named = ("--test-set=WMT23", "--metric=COMET")
        call_command("import_metric_scores", file, *named, stdout=out, stderr=StringIO())
        return out.getvalue()

    assert "Left out, not in the test set: synthetic_ref." in bring("COMET-refA.seg.score")
    bring("COMET-refA.sys.score")
    comet = read_metric_scores(TestSet.objects.get(name="WMT23"))["COMET"]
    assert comet.segments.shape == (12, 557)
    assert comet.references == ("refA",)
    np.testing.assert_allclose(comet.segments.mean(axis=1), comet.systems, atol=1e-6)
    published = dict(
        line.split("\t") for line in (home / SCORES / "COMET-refA.sys.score").read_text(encoding="utf-8").splitlines()
    )
    assert comet.systems[0] == float(published["AIRC"])
