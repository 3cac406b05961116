"""What can go wrong with an operator's model: a reason in words, nothing stored by halves, nothing left behind."""

import os
import re
import signal
from typing import Any

import pytest

from campaigns.models import TestSet, Translation
from jobs.actions import queue_run
from jobs.heartbeat import RunEnded
from jobs.models import Run
from jobs.run_kinds import InvalidRun
from metrics.models import SegmentStatistic
from metrics.results.codec import from_json
from metrics.results.values import Missing
from metrics.scoring import ScoredTestSet, ScoringError, neural_counters, score_test_set
from metrics.scoring.neural_child import NeuralChild
from metrics.scoring.reading import read_metric_scores
from tests.metrics.scoring.neural_site import COMET, NeuralSite, add_segments, done, neural_site, site
from tests.processes import is_alive
from tests.sample_test_set import WOMBAT

__all__ = ["neural_site", "site"]


# --- what goes wrong --------------------------------------------------------------------------------------------------
def test_a_process_that_dies_once_is_started_again(site: NeuralSite, test_set: TestSet) -> None:
    site.plan(dies_after=4, only_for=[1])
    ends: list[int] = []
    start = NeuralChild

    class Healed(start):  # type: ignore[misc, valid-type]
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            ends.append(self.pid)
            if len(ends) == 2:
                site.plan()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(neural_counters, "NeuralChild", Healed)
        scored = score_test_set(test_set, metrics=["comet"], resamples=10)
    assert len(ends) == 2
    assert not any(one.unavailable for one in scored.scores)


def test_a_process_that_dies_again_is_a_reason_and_takes_no_other_metric_with_it(
    site: NeuralSite, test_set: TestSet
) -> None:
    site.plan(dies_after=4)
    run = done(test_set, "ter", "comet", resamples=10)
    assert run.status == "done"
    assert run.result is not None
    scores = {(one["metric"], one["system"]): one for one in run.result["scores"]}
    assert scores["ter", WOMBAT]["score"] is not None
    bad = scores[COMET, WOMBAT]
    assert (bad["score"], bad["segments"], bad["interval"]) == (None, 0, None)
    assert re.search(r"ended while it worked \(SIGKILL\)\. Often memory was too small", bad["unavailable"])
    assert from_json(ScoredTestSet, run.result).scores[-1].score == Missing("not enough memory")
    assert not SegmentStatistic.objects.filter(metric=COMET).exists(), "nothing is stored by halves"


def test_a_run_without_any_score_fails_with_the_reason(site: NeuralSite, test_set: TestSet) -> None:
    site.plan(error={"code": "refused", "message": "The checkpoint would run code."})
    run = done(test_set, "comet", resamples=10)
    assert (run.status, run.error) == (
        "failed", "COMET (small-comet) could not be computed: The checkpoint would run code.",
    )  # fmt: skip


def test_scores_stay_shown_when_the_model_is_not_available_any_more(site: NeuralSite, test_set: TestSet) -> None:
    done(test_set, "comet", "ter", resamples=10)
    before = read_metric_scores(test_set, with_segments=False)[COMET].systems.tolist()
    Translation.objects.filter(system__name=WOMBAT).update(text="Neu.")
    site.plan(error={"code": "memory", "message": "Too little memory."})
    done(test_set, "comet", "ter", resamples=10)
    assert read_metric_scores(test_set, with_segments=False)[COMET].systems.tolist() == before


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ({"error": {"code": "memory", "message": "It needs 9 GB."}}, "It needs 9 GB."),
        ({"error": "nonsense"}, "failed without saying why"),
        ({"answer": {"score": None}}, "is not a number"),
        ({"answer": {"score": float("nan")}}, "is not a number"),
        ({"answer": {"id": 77}}, "item 77, which was not asked"),
        ({"answer": {"id": 0}}, "answered 1 of"),
        ({"answer": {"spans": [{"start": 2, "end": 999, "severity": "major"}]}}, "not part of the text"),
        ({"line": "Loading weights ..."}, "something that is not a message"),
        ({"precision": "bfloat16"}, "it computed in bfloat16"),
    ],
)
def test_an_answer_that_cannot_be_right_is_a_reason_and_stores_nothing(
    site: NeuralSite, test_set: TestSet, behaviour: dict[str, Any], reason: str
) -> None:
    site.plan(**behaviour)
    with pytest.raises(ScoringError, match=re.escape(reason)):
        score_test_set(test_set, metrics=["comet"], resamples=10)
    assert not SegmentStatistic.objects.exists()


def test_too_little_memory_is_said_with_both_numbers_and_nothing_is_started(
    site: NeuralSite, test_set: TestSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.has_model("huge", content="w" * 10_000_000)
    monkeypatch.setattr(neural_counters, "free_megabytes", lambda: 7)
    with pytest.raises(ScoringError, match=r"huge needs 13 MB of free memory; there are 7 MB"):
        score_test_set(test_set, metrics=["comet:huge"])
    assert site.diary == []


def test_files_that_changed_since_they_were_installed_are_refused(site: NeuralSite, test_set: TestSet) -> None:
    (site.models / "small-comet" / "weights.bin").write_text("Weights")
    with pytest.raises(ScoringError, match="another content than when the model was installed"):
        score_test_set(test_set, metrics=["comet"])
    assert site.diary == []


def test_a_missing_environment_and_a_wrong_language_are_said_before_a_run_is_queued(
    neural_site: NeuralSite, test_set: TestSet
) -> None:
    neural_site.has_model("small-comet", languages=("en", "fr"))
    with pytest.raises(InvalidRun, match=r"libraries is not installed. Run \./assay neural install environment"):
        queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": ["comet"]})
    neural_site.has_environment()
    with pytest.raises(InvalidRun, match="small-comet was not trained on German"):
        queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": ["comet"]})
    assert not Run.objects.exists()


# --- cancelled, killed, resumed ---------------------------------------------------------------------------------------
def test_a_run_that_ends_keeps_its_chunks_ends_the_process_and_is_resumed(
    site: NeuralSite, test_set: TestSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_segments(test_set, 50)
    monkeypatch.setattr("metrics.scoring.counting._ASKED_AT_ONCE", 10)

    def stop_at(share: float, _note: str = "", /) -> None:
        if share > 0.5:
            raise RunEnded

    with pytest.raises(RunEnded):
        score_test_set(test_set, metrics=["comet"], resamples=10, on_progress=stop_at)
    stored = SegmentStatistic.objects.count()
    assert 0 < stored < 68
    assert not is_alive(site.diary[0]["pid"])
    score_test_set(test_set, metrics=["comet"], resamples=10)
    assert SegmentStatistic.objects.count() == 68
    assert len(site.scored) - len(set(site.scored)) <= 10, "one chunk at most is scored twice"


def test_what_was_scored_before_the_process_was_killed_again_and_again_is_not_scored_again(
    site: NeuralSite, test_set: TestSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_segments(test_set, 50)
    monkeypatch.setattr("metrics.scoring.counting._ASKED_AT_ONCE", 10)
    site.plan(dies_at="t n33")
    run = done(test_set, "ter", "comet", resamples=10)
    assert run.status == "done"
    assert run.result is not None
    (reason, *_same) = {each["unavailable"] for each in run.result["scores"] if each["metric"] == COMET}
    assert "(SIGKILL). Often memory was too small" in reason
    rows = SegmentStatistic.objects.filter(metric=COMET)
    stored = set(rows.values_list("translation__text", flat=True))
    assert 0 < len(stored) < 67
    assert "t n33" not in stored
    assert all(len(values) == 3 and values[-1] == 1 for values in rows.values_list("values", flat=True))
    before = len(site.scored)
    site.plan()
    assert not any(one.unavailable for one in score_test_set(test_set, metrics=["comet"], resamples=10).scores)
    assert rows.count() == 68
    assert not stored.intersection(site.scored[before:])


def test_it_is_cancelled_while_the_model_is_silent(site: NeuralSite, test_set: TestSet) -> None:
    site.plan(waits=True)
    notes: list[str] = []

    def stop(_share: float, note: str = "", /) -> None:
        notes.append(note)
        if site.diary and len(notes) > 4:
            raise RunEnded

    with pytest.raises(RunEnded):
        score_test_set(test_set, metrics=["comet"], resamples=10, on_progress=stop)
    assert not is_alive(site.diary[0]["pid"])
    assert "COMET (small-comet): 0 of 18 segments" in notes


def test_the_process_waits_for_the_next_run_and_ends_where_the_libraries_change(
    site: NeuralSite, test_set: TestSet
) -> None:
    site.has_model("large-comet", content="other")
    score_test_set(test_set, metrics=[COMET], resamples=10)
    score_test_set(test_set, metrics=["comet:large-comet"], resamples=10)
    assert len({each["pid"] for each in site.diary}) == 1
    site.has_environment({"torch": "2.14.0"})
    score_test_set(test_set, metrics=[COMET], resamples=10)
    first, *_others, last = [each["pid"] for each in site.diary]
    assert first != last
    assert not is_alive(first)


def test_one_that_died_while_it_waited_is_replaced(site: NeuralSite, test_set: TestSet) -> None:
    score_test_set(test_set, metrics=[COMET], resamples=10)
    os.kill(site.diary[0]["pid"], signal.SIGKILL)
    Translation.objects.filter(system__name=WOMBAT).update(text="Neu.")
    assert not any(one.unavailable for one in score_test_set(test_set, metrics=[COMET], resamples=10).scores)
