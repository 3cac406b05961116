"""Metrics with a model of the operator's: named with it, scored by a process apart, read, compared and never twice."""

import os
import re
import shutil
import signal
from typing import Any

import numpy as np
import pytest
from pytest_django import Settings

from campaigns.models import Document, Reference, Segment, System, TestSet, Translation
from jobs.actions import claim_run, perform_run, queue_run
from jobs.heartbeat import RunEnded
from jobs.models import Run
from jobs.run_kinds import InvalidRun
from metrics.automatic import METRICS, in_order, metric_title
from metrics.models import SegmentStatistic
from metrics.results.codec import from_json, to_json
from metrics.results.values import Missing
from metrics.scoring import ScoredTestSet, ScoringError, metric_for, neural_counters, score_test_set
from metrics.scoring.counting import known_counts
from metrics.scoring.neural_counters import let_children_go
from metrics.scoring.reading import read_metric_scores
from metrics.scoring.run_kind import METRIC_SCORES
from metrics.scoring.texts import TextsOfMetrics
from tests.metrics.neural.fake_worker import share
from tests.metrics.scoring.neural_site import NeuralSite, neural_site
from tests.processes import is_alive
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

__all__ = ["neural_site"]
COMET = "comet:small-comet"


@pytest.fixture
def site(neural_site: NeuralSite) -> NeuralSite:
    neural_site.has_environment()
    neural_site.has_model("small-comet")
    return neural_site


def done(test_set: TestSet, *metrics: str, **arguments: Any) -> Run:
    run = queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": list(metrics), **arguments})
    claimed = claim_run(run.pk)
    assert claimed is not None
    return perform_run(claimed)


def test_a_name_has_its_model_in_it_and_the_model_in_its_title() -> None:
    assert COMET in METRICS
    assert METRICS[COMET].name == COMET
    assert metric_title(COMET) == "COMET (small-comet)"
    assert METRICS["bertscore:roberta-large"].title == "BERTScore (roberta-large)"
    for name in ("comet", "comet:", "comet:../etc", "bleu:model", "comet:a:b"):
        assert name not in METRICS
    assert in_order([COMET, "prism:b", "bleu", "nonsense", "bertscore:a", "hter"]) == [
        "bleu", "hter", "bertscore:a", COMET, "prism:b",
    ]  # fmt: skip


def test_they_are_scored_compared_sliced_and_read(site: NeuralSite, test_set: TestSet) -> None:
    run = done(test_set, "bleu", "comet", resamples=100, by="document")
    assert (run.status, run.error, run.queue) == ("done", "", "neural")
    assert run.arguments["metrics"] == ["bleu", COMET]
    scored = from_json(ScoredTestSet, run.result)
    by_system = {one.system: one for one in scored.scores if one.metric == COMET}
    references = dict(Reference.objects.values_list("segment", "text"))
    for system in (WOMBAT, QUOKKA, HUMAN):
        texts = Translation.objects.filter(system__name=system).values_list("segment", "text")
        expected = np.mean([share(text or "", references[segment]) for segment, text in texts])
        assert by_system[system].score == pytest.approx(expected)
    assert by_system[WOMBAT].interval is not None
    assert by_system[WOMBAT].signature.startswith("nrefs:1|model:small-comet|sha:")
    assert "|refs:mean|precision:float32|libraries:torch-2.13.0+transformers-4.57.6+unbabel-comet-2.2.7|" in (
        by_system[WOMBAT].signature
    )
    assert len([one for one in scored.comparisons if one.metric == COMET]) == 3
    assert scored.slices is not None
    assert {one.metric for part in scored.slices.slices.values() for one in part.scores} == {"bleu", COMET}

    # neither the model nor the libraries are needed to read what was stored
    shutil.rmtree(site.models)
    shutil.rmtree(site.environment)
    for with_segments in (True, False):
        read = read_metric_scores(test_set, with_segments=with_segments)
        assert [metric.name for metric in read.metrics] == ["bleu", COMET]
        assert read[COMET].systems.tolist() == [by_system[name].score for name in read.systems]
        assert read[COMET].references == ("A",)
    assert np.isfinite(read_metric_scores(test_set)[COMET].segments).all()


def test_the_process_gets_source_and_reference_and_neither_secret_nor_permission_to_run_files(
    site: NeuralSite, test_set: TestSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "1")
    monkeypatch.setenv("ASSAY_SECRET_KEY", "secret")
    score_test_set(test_set, metrics=["comet"], resamples=10)
    (request,) = {each["pid"]: each for each in site.diary}.values()
    assert (request["unsafe"], request["secret"], request["offline"]) == (None, None, "1")
    assert int(request["threads"]) >= 1
    item = site.diary[0]["first"]
    segment = Segment.objects.get(translations__text=item["mt"], translations__system__name=HUMAN)
    assert (item["src"], item["refs"]) == (segment.source, list(segment.references.values_list("text", flat=True)))
    assert request["options"] == {"source_language": "en", "target_language": "de", "precision": "float32"}


def test_equal_texts_are_scored_once_and_nothing_is_scored_twice(site: NeuralSite, test_set: TestSet) -> None:
    first = score_test_set(test_set, metrics=["comet"], resamples=10)
    everything = Translation.objects.filter(system__test_set=test_set)
    assert len(site.scored) == len(set(everything.values_list("text", flat=True))) == everything.count() - 1
    let_children_go()
    assert score_test_set(test_set, metrics=["comet"], resamples=10) == first
    assert len(site.scored) == everything.count() - 1

    changed = everything.filter(system__name=WOMBAT).earliest("pk")
    changed.text = "Ganz anders."
    changed.save(update_fields=["text"])
    score_test_set(test_set, metrics=["comet"], resamples=10)
    assert site.scored[everything.count() - 1 :] == ["Ganz anders."]


def test_a_changed_source_is_scored_again(site: NeuralSite, test_set: TestSet) -> None:
    score_test_set(test_set, metrics=["comet"], resamples=10)
    before = len(site.scored)
    Segment.objects.filter(pk=Segment.objects.earliest("pk").pk).update(source="Something else.")
    score_test_set(test_set, metrics=["comet"], resamples=10)
    assert len(site.scored) == before + 3


def test_a_system_that_comes_later_gets_known_scores_of_equal_texts(site: NeuralSite, test_set: TestSet) -> None:
    score_test_set(test_set, metrics=["comet"], resamples=10)
    before = len(site.scored)
    twin = System.objects.create(test_set=test_set, name="twin")
    Translation.objects.bulk_create(
        Translation(system=twin, segment_id=segment, text=text)
        for segment, text in Translation.objects.filter(system__name=QUOKKA).values_list("segment", "text")
    )
    scored = score_test_set(test_set, metrics=["comet"], resamples=10)
    assert len(site.scored) == before
    values = {one.system: one.score for one in scored.scores}
    assert values["twin"] == values[QUOKKA]


def test_other_weights_under_the_same_name_have_another_signature_and_are_scored_again(
    site: NeuralSite, test_set: TestSet
) -> None:
    first = score_test_set(test_set, metrics=["comet"], resamples=10)
    before = len(site.scored)
    shutil.rmtree(site.models / "small-comet")
    site.has_model("small-comet", content="other weights")
    again = score_test_set(test_set, metrics=["comet"], resamples=10)
    assert again.scores[0].signature != first.scores[0].signature
    assert len(site.scored) == 2 * before


def test_one_name_alone_is_the_only_model_or_an_error_that_lists_them(site: NeuralSite, test_set: TestSet) -> None:
    site.has_model("large-comet")
    with pytest.raises(InvalidRun, match=r"several models for comet. Name one: comet:large-comet, comet:small-comet"):
        queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": ["comet"]})
    with pytest.raises(ScoringError, match=r"No model for BLEURT is installed. Run, .* \./assay neural install BLEURT"):
        score_test_set(test_set, metrics=["bleurt"])
    with pytest.raises(ScoringError, match=r"no model nothing for this metric. Installed: comet:large-comet, comet:s"):
        score_test_set(test_set, metrics=["comet:nothing"])
    with pytest.raises(ScoringError, match=r"not installed. Run \./assay neural install wmt22-comet-da"):
        score_test_set(test_set, metrics=["comet:wmt22-comet-da"])
    with pytest.raises(ScoringError, match=r"“comett”. Allowed: bleu, .*comet:large-comet, comet:small-comet"):
        score_test_set(test_set, metrics=["comett"])


def test_two_models_are_two_columns(site: NeuralSite, test_set: TestSet) -> None:
    site.has_model("large-comet", content="other")
    assert done(test_set, COMET, "comet:large-comet", resamples=10).status == "done"
    assert [metric.title for metric in read_metric_scores(test_set, with_segments=False).metrics] == [
        "COMET (large-comet)",
        "COMET (small-comet)",
    ]


@pytest.mark.parametrize("name", ["comet:kiwi", "comet:either", "prism_src:m2m", "yisi_2:encoder"])
def test_those_without_reference_score_a_test_set_that_has_none(site: NeuralSite, test_set: TestSet, name: str) -> None:
    site.has_model("kiwi", needs_reference=False, takes_reference=False)
    site.has_model("either", needs_reference=False)
    site.has_model("m2m", kind="prism")
    site.has_model("encoder", kind="encoder")
    Reference.objects.all().delete()
    with pytest.raises(ScoringError, match="has no reference"):
        score_test_set(test_set, metrics=[COMET, name])
    run = done(test_set, name, resamples=10)
    assert (run.status, run.error) == ("done", "")
    item = site.diary[0]["first"]
    assert item["src"]
    assert item["refs"] == []
    (metric,) = read_metric_scores(test_set).metrics
    assert metric.signature.startswith("nrefs:0|")
    assert metric.title.endswith("(no reference)")
    assert np.isfinite(metric.segments).all()


def test_one_that_takes_a_reference_gets_it_where_there_is_one(site: NeuralSite, test_set: TestSet) -> None:
    site.has_model("either", needs_reference=False)
    run = done(test_set, "comet:either", resamples=10)
    assert site.diary[0]["first"]["refs"]
    assert read_metric_scores(test_set)["comet:either"].title == "COMET (either)"
    assert run.result is not None
    assert run.result["scores"][0]["signature"].startswith("nrefs:1|")


def test_what_learns_from_the_corpus_gets_all_of_it_and_says_its_layer(site: NeuralSite, test_set: TestSet) -> None:
    site.has_model("encoder", kind="encoder")
    scored = score_test_set(test_set, metrics=["yisi_1:encoder", "yisi_2:encoder", "bertscore:encoder"], resamples=10)
    corpora = {each["metric"]: each["corpus"] for each in site.diary}
    assert corpora == {
        "yisi_1": {"references": 6},
        "yisi_2": {"sources": 6, "translations": 6},
        "bertscore": {},
    }
    assert {each["options"]["layer"] for each in site.diary} == {9}
    assert all("|layer:9|" in one.signature for one in scored.scores)
    assert set(scored.scores[0].details) == {"precision", "recall", "f", "segments", "cut"}


def test_texts_that_were_cut_are_counted(site: NeuralSite, test_set: TestSet) -> None:
    long = Translation.objects.filter(system__name=WOMBAT).earliest("pk")
    long.text = "Die Fähre fuhr " * 9
    long.save(update_fields=["text"])
    scored = score_test_set(test_set, metrics=["comet"], resamples=10)
    assert {one.system: one.details["cut"] for one in scored.scores} == {WOMBAT: 1, QUOKKA: 0, HUMAN: 0}


def test_marks_are_stored_with_scores_also_of_equal_texts(site: NeuralSite, test_set: TestSet) -> None:
    site.has_model("marks", marks_spans=True)
    score_test_set(test_set, metrics=["comet:marks"], resamples=10)
    rows = SegmentStatistic.objects.select_related("translation")
    assert rows.count() == 18
    for row in rows:
        first = (row.translation.text or "").split()[0]
        assert row.marks == [{"start": 0, "end": len(first), "severity": "major"}]


# --- what goes wrong --------------------------------------------------------------------------------------------------
def test_a_process_that_dies_once_is_started_again(site: NeuralSite, test_set: TestSet) -> None:
    site.plan(dies_after=4, only_for=[1])
    ends: list[int] = []
    start = neural_counters.NeuralChild

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
def _long(test_set: TestSet, segments: int) -> None:
    document = Document.objects.get(test_set=test_set, name="harbour")
    rows = [Segment(document=document, name=f"n{at}", position=100 + at, source=f"s {at}") for at in range(segments)]
    made = Segment.objects.bulk_create(rows)
    Reference.objects.bulk_create(Reference(segment=each, text=f"r {each.name}") for each in made)
    system = System.objects.get(name=WOMBAT)
    Translation.objects.bulk_create(Translation(segment=each, system=system, text=f"t {each.name}") for each in made)


def test_a_run_that_ends_keeps_its_chunks_ends_the_process_and_is_resumed(
    site: NeuralSite, test_set: TestSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    _long(test_set, 50)
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


def test_the_scores_of_several_systems_are_those_read(site: NeuralSite, test_set: TestSet) -> None:
    """Counts are keyed by metric, signature and texts: another metric's or another model's are not taken."""
    site.has_model("large-comet", content="other")
    score_test_set(test_set, metrics=[COMET], resamples=10)
    other = metric_for(test_set, "comet:large-comet")
    (system, *_rest) = TextsOfMetrics(test_set, ["A"]).of(other)
    assert np.isnan(known_counts(other, system)).all()


def test_arguments_are_checked_again_where_a_model_is_gone(site: NeuralSite) -> None:
    shutil.rmtree(site.models)
    assert METRIC_SCORES.check({"metrics": [COMET]})["metrics"] == [COMET]
    assert METRIC_SCORES.queue_of({"metrics": [COMET]}) == "neural"
    assert METRIC_SCORES.queue_of({"metrics": ["bleu", "bertscore"]}) == "metrics"


def test_the_precision_is_the_operators_and_is_signed(site: NeuralSite, test_set: TestSet, settings: Settings) -> None:
    settings.NEURAL_PRECISION = "bfloat16"
    site.plan(precision="bfloat16")
    scored = score_test_set(test_set, metrics=[COMET], resamples=10)
    assert site.diary[0]["options"]["precision"] == "bfloat16"
    assert "|precision:bfloat16|" in scored.scores[0].signature
    assert to_json(scored)["scores"][0]["score"] is not None
