"""Metrics with a model: refused where it is missing, otherwise scored, compared, sliced and read as any other."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from pytest_django import Settings

from campaigns.models import Reference, TestSet, Translation
from jobs.actions import queue_run
from jobs.models import Run
from jobs.run_kinds import InvalidRun
from metrics.automatic import METRICS
from metrics.models import SegmentStatistic
from metrics.neural.encoded import text_encoder
from metrics.neural.light_model import LIGHT
from metrics.results.codec import from_json, to_json
from metrics.results.values import Missing
from metrics.scoring import ScoredTestSet, ScoringError, counters, score_test_set
from metrics.scoring.counters import ModelCounters
from metrics.scoring.light_models import CHANGED, NOT_INSTALLED, READY, models, why_unavailable
from metrics.scoring.reading import read_metric_scores
from metrics.scoring.run_kind import METRIC_SCORES
from tests.metrics.neural.light_model_files import models_folder
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

NAMES = ("bertscore", "yisi_1", "yisi_2")
EVERYBODY = {WOMBAT, QUOKKA, HUMAN}


@pytest.fixture
def model(settings: Settings) -> None:
    settings.MODELS_DIR = Path(models_folder())


@pytest.fixture
def no_model(settings: Settings, tmp_path: Path) -> Path:
    settings.MODELS_DIR = tmp_path
    return tmp_path


def _finished(test_set: TestSet, scored: ScoredTestSet, *metrics: str) -> None:
    arguments = METRIC_SCORES.check({"metrics": list(metrics)})
    Run.objects.create(
        kind="metric_scores", test_set=test_set, status="done", arguments=arguments, result=to_json(scored)
    )


def test_without_the_model_nothing_is_counted_and_the_error_says_what_to_do(test_set: TestSet, no_model: Path) -> None:
    with pytest.raises(ScoringError, match=r"BERTScore cannot be computed: .* is not installed. Run ./assay neural"):
        score_test_set(test_set, metrics=["ter", "bertscore"])
    with pytest.raises(InvalidRun, match="YiSi-1 cannot be computed"):
        queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": ["yisi_1"]})
    assert not SegmentStatistic.objects.exists()
    assert not Run.objects.exists()
    assert [state.state for state in models()] == [NOT_INSTALLED]
    assert why_unavailable("ter") == ""


def test_a_truncated_model_is_called_damaged(test_set: TestSet, no_model: Path) -> None:
    path = LIGHT.path(no_model)
    path.parent.mkdir()
    path.write_bytes(b"E5S1")
    with pytest.raises(ScoringError, match="is damaged"):
        score_test_set(test_set, metrics=["bertscore"])
    assert [state.state for state in models()] == [CHANGED]


def test_a_changed_model_of_the_right_size_is_refused_before_counting(test_set: TestSet, no_model: Path) -> None:
    path = LIGHT.path(no_model)
    path.parent.mkdir()
    shutil.copyfile(LIGHT.path(models_folder()), path)
    with path.open("r+b") as file:
        file.seek(5_000_000)
        file.write(b"changed")
    with pytest.raises(ScoringError, match="SHA-256"):
        score_test_set(test_set, metrics=["bertscore"])
    assert not SegmentStatistic.objects.exists()


def test_they_are_scored_compared_sliced_and_read(
    test_set: TestSet, model: None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    notes: list[str] = []

    def listen(_share: float, note: str = "") -> None:
        notes.append(note)

    scored = score_test_set(test_set, metrics=NAMES, by="document", resamples=100, on_progress=listen)
    assert [state.state for state in models()] == [READY]
    assert {(one.metric, one.system) for one in scored.scores} == {
        (name, system) for name in NAMES for system in EVERYBODY
    }
    assert len([one for one in scored.comparisons if one.metric == "bertscore"]) == 3
    assert scored.slices is not None
    assert set(scored.slices.slices) == {"harbour", "orchard"}
    assert f"YiSi-2 (no reference): {HUMAN}" in notes
    by_system = {one.system: one for one in scored.scores if one.metric == "bertscore"}
    assert by_system[HUMAN].score == 1  # it is the reference's text
    near, far = by_system[WOMBAT].score, by_system[QUOKKA].score
    assert not isinstance(near, Missing)
    assert not isinstance(far, Missing)
    assert near > far
    assert by_system[WOMBAT].interval is not None
    assert from_json(ScoredTestSet, to_json(scored)) == scored

    # what a version stored that did not count cut texts yet is counted again
    older = SegmentStatistic.objects.filter(translation__system__name=QUOKKA, metric="bertscore")
    older.update(values=[0.1, 0.2, 0.3, 1.0])
    scored = _equal_but_for_rounding(scored, score_test_set(test_set, metrics=NAMES, by="document", resamples=100))

    # nothing is counted twice, nor needs the model to be read
    monkeypatch.setattr(counters, "_start", lambda _threads: pytest.fail("a process was started"))
    assert score_test_set(test_set, metrics=NAMES, by="document", resamples=100) == scored
    _finished(test_set, scored, *NAMES)
    monkeypatch.setattr("metrics.automatic.encoded_metric.libraries_in_use", lambda: "numpy-9+scipy-9")
    settings.MODELS_DIR = Path("/nowhere")
    read = read_metric_scores(test_set)
    assert [metric.title for metric in read.metrics] == ["BERTScore", "YiSi-1", "YiSi-2 (no reference)"]
    assert [metric.references for metric in read.metrics] == [("A",), ("A",), ()]
    for metric in read.metrics:
        assert np.isfinite(metric.segments).all()
        assert dict(zip(read.systems, metric.systems.tolist(), strict=True)) == pytest.approx(
            {one.system: one.score for one in scored.scores if one.metric == metric.name}
        )
    assert [metric.systems.tolist() for metric in read_metric_scores(test_set, with_segments=False).metrics] == [
        metric.systems.tolist() for metric in read.metrics
    ]


def test_one_without_reference_scores_a_test_set_that_has_none(test_set: TestSet, model: None) -> None:
    Reference.objects.all().delete()
    with pytest.raises(ScoringError, match="has no reference"):
        score_test_set(test_set, metrics=["yisi_2", "bertscore"])
    scored = score_test_set(test_set, metrics=["yisi_2"], resamples=10)
    assert {one.system for one in scored.scores} == EVERYBODY
    assert scored.references == ()
    assert all(one.signature.startswith("nrefs:0|") for one in scored.scores)
    assert len(scored.comparisons) == 3
    _finished(test_set, scored, "yisi_2")
    assert np.isfinite(read_metric_scores(test_set)["yisi_2"].segments).all()


def test_what_learns_from_translations_is_counted_again_when_one_changes(test_set: TestSet, model: None) -> None:
    score_test_set(test_set, metrics=["yisi_2", "bertscore"], resamples=10)
    before = dict(SegmentStatistic.objects.values_list("pk", "texts"))
    changed = Translation.objects.filter(system__name=WOMBAT).earliest("pk")
    changed.text = "Ganz anders."
    changed.save(update_fields=["text"])
    score_test_set(test_set, metrics=["yisi_2", "bertscore"], resamples=10)
    rows = SegmentStatistic.objects.values_list("pk", "metric", "translation__system__name", "texts")
    news = [(metric, system) for pk, metric, system, texts in rows if texts != before[pk]]
    assert sorted(news) == [("bertscore", WOMBAT), *[("yisi_2", WOMBAT)] * 6]


def test_a_process_that_ends_is_an_error_in_words(
    test_set: TestSet, model: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = counters._start

    def start_and_kill(threads: int) -> object:
        process = start(threads)
        process.kill()
        return process

    monkeypatch.setattr(counters, "_start", start_and_kill)
    with pytest.raises(ScoringError, match=r"BERTScore could not be computed: .* needs 604 MB"):
        score_test_set(test_set, metrics=["bertscore"])


def test_threads_are_bounded(settings: Settings) -> None:
    for cores, threads in ((1, 1), (2, 1), (4, 2), (64, 4)):
        settings.METRIC_PROCESSES = cores
        with ModelCounters() as of_models:
            assert of_models.threads == threads


def test_metrics_share_what_was_encoded() -> None:
    texts = (
        ["The ferry left an hour late.", "Nobody on the quay knew why."],
        ["The ferry was late.", "Nobody knew why."],
    )
    encoder = text_encoder(LIGHT.name, models_folder(), LIGHT.layer)
    before = encoder.encoded
    for name in NAMES:
        METRICS[name]().equipped({"models": models_folder()}).score(*texts)
    assert encoder.encoded - before <= 4


def _equal_but_for_rounding(before: ScoredTestSet, after: ScoredTestSet) -> ScoredTestSet:
    """Texts multiplied beside others may differ in the last digit, on some processors."""
    then, now = ({(one.metric, one.system): one.score for one in each.scores} for each in (before, after))
    assert now == pytest.approx(then, abs=1e-6)
    return after
