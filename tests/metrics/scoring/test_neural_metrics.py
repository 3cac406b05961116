"""Metrics with a model of the operator's: named with it, scored by a process apart, read, compared and never twice."""

import shutil

import numpy as np
import pytest
from pytest_django import Settings

from campaigns.models import Reference, Segment, System, TestSet, Translation
from jobs.actions import queue_run
from jobs.run_kinds import InvalidRun
from metrics.automatic import METRICS, in_order, metric_title
from metrics.models import SegmentStatistic
from metrics.results.codec import from_json, to_json
from metrics.scoring import ScoredTestSet, ScoringError, metric_for, score_test_set
from metrics.scoring.counting import known_counts
from metrics.scoring.neural_counters import let_children_go
from metrics.scoring.reading import read_metric_scores
from metrics.scoring.run_kind import METRIC_SCORES
from metrics.scoring.texts import TextsOfMetrics
from tests.metrics.neural.fake_worker import share
from tests.metrics.scoring.neural_site import COMET, NeuralSite, done, neural_site, site
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

__all__ = ["neural_site", "site"]


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


def test_an_empty_output_is_scored_by_the_model_and_is_no_gap(site: NeuralSite, test_set: TestSet) -> None:
    Translation.objects.filter(system__name=WOMBAT).update(text="")
    scored = score_test_set(test_set, metrics=["comet"], resamples=10)
    by_system = {one.system: one for one in scored.scores}
    assert (by_system[WOMBAT].segments, by_system[WOMBAT].score) == (6, 0)
    assert "" in site.scored


def test_marks_are_stored_with_scores_also_of_equal_texts(site: NeuralSite, test_set: TestSet) -> None:
    site.has_model("marks", marks_spans=True)
    score_test_set(test_set, metrics=["comet:marks"], resamples=10)
    rows = SegmentStatistic.objects.select_related("translation")
    assert rows.count() == 18
    for row in rows:
        first = (row.translation.text or "").split()[0]
        assert row.marks == [{"start": 0, "end": len(first), "severity": "major"}]


def test_the_scores_of_several_systems_are_those_read(site: NeuralSite, test_set: TestSet) -> None:
    """Counts are keyed by metric, signature and texts: another metric's or another model's are not taken."""
    site.has_model("large-comet", content="other")
    score_test_set(test_set, metrics=[COMET], resamples=10)
    other = metric_for(test_set, "comet:large-comet")
    systems = TextsOfMetrics(test_set, ["A"]).of(other)
    assert all(np.isnan(rows).all() for rows in known_counts(other, systems))


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
