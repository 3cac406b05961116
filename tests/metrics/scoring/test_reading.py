"""Scores of a test set as arrays, whoever computed them: one order of systems and segments, NaN where there is none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_django import Settings

from campaigns.models import Reference, Segment, System, TestSet, Translation
from jobs.actions import perform_now
from jobs.models import Run
from metrics.automatic import METRICS, tokenizers
from metrics.models import ImportedScores, ScoreLevel, SegmentScore, SystemScore
from metrics.scoring import score_test_set
from metrics.scoring.reading import read_metric_scores, shown_runs
from metrics.scoring.wordnet_folder import from_folder, install
from tests.metrics.scoring.wordnet_files import write_release
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

ROWS = (HUMAN, QUOKKA, WOMBAT)


def scored(test_set: TestSet, *metrics: str, **arguments: Any) -> None:
    perform_now(
        kind="metric_scores", test_set=test_set, arguments={"metrics": list(metrics), "resamples": 10, **arguments}
    )


def brought(test_set: TestSet, level: ScoreLevel, values: dict[Any, float], **fields: Any) -> ImportedScores:
    fields = {"metric": "Sage", "file_name": "Sage.score", "content_hash": "0" * 64, "is_whole": True, **fields}
    scores = ImportedScores.objects.create(test_set=test_set, level=level, **fields)
    if level == ScoreLevel.SYSTEM:
        SystemScore.objects.bulk_create(SystemScore(scores=scores, system=key, value=v) for key, v in values.items())
    else:
        rows = [SegmentScore(scores=scores, translation=key, value=value) for key, value in values.items()]
        SegmentScore.objects.bulk_create(rows)
    return scores


def test_counted_scores_are_those_of_the_metric_in_one_order(test_set: TestSet) -> None:
    scored(test_set, "ter", "bleu")
    scores = read_metric_scores(test_set)
    assert scores.systems == ROWS
    assert scores.is_human == (True, False, False)
    assert scores.documents == ("harbour",) * 3 + ("orchard",) * 3
    assert scores.segment_names == ("1", "2", "3") * 2
    assert [metric.name for metric in scores.metrics] == ["bleu", "ter"]
    for metric in scores.metrics:
        for row, name in enumerate(ROWS):
            hypotheses = [
                Translation.objects.get(segment=segment, system__name=name).text or "" for segment in scores.segment_ids
            ]
            references = [Reference.objects.get(segment=segment).text for segment in scores.segment_ids]
            expected = METRICS[metric.name]().score(hypotheses, references)
            assert metric.systems[row] == expected.value
            np.testing.assert_array_equal(metric.segments[row], expected.segments)
            assert metric.signatures[row] == metric.signature == expected.signature
            assert metric.segment_signature == expected.segment_signature
            assert metric.entries[name].details == expected.parts
    assert [metric.sign for metric in scores.metrics] == [1, -1]
    assert scores["ter"].references == ("A",)


def test_scores_stay_what_they_were_when_wordnet_comes_later(
    make_test_set: Callable[..., TestSet], settings: Settings, tmp_path: Path
) -> None:
    """Read as they are signed, with their segments; not lost, and not taken for scores with synonyms."""
    settings.DATA_DIR = tmp_path
    settings.METRIC_RESOURCES = {"wordnet": "", "meteor_variant": "1.5"}
    test_set = make_test_set(target_language="en")
    scored(test_set, "meteor")
    before = read_metric_scores(test_set)["meteor"]
    assert "|variant:1.5|modules:exact+stem|stems:english-" in before.signature
    with from_folder(write_release(tmp_path / "own")) as brought:
        install(brought)
    settings.METRIC_RESOURCES = {"wordnet": "", "meteor_variant": "2005"}
    after = read_metric_scores(test_set)["meteor"]
    assert (after.signature, after.systems.tolist()) == (before.signature, before.systems.tolist())
    np.testing.assert_array_equal(after.segments, before.segments)
    scored(test_set, "meteor")
    assert "|synonyms:wordnet-3.0-" in read_metric_scores(test_set)["meteor"].signature


def test_scores_stay_what_they_were_when_tokenizers_come_and_go(
    make_test_set: Callable[..., TestSet], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the newest run, whatever is usual or installed when somebody reads them."""
    test_set = make_test_set(target_language="ja")
    with monkeypatch.context() as patched:
        patched.setattr(tokenizers, "is_installed", tokenizers.is_plain)
        scored(test_set, "bleu")
        before = read_metric_scores(test_set)["bleu"]
        assert "|tok:char|" in before.signature
    after = read_metric_scores(test_set)["bleu"]
    assert (after.signature, after.segment_signature) == (before.signature, before.segment_signature)
    np.testing.assert_array_equal(after.segments, before.segments)
    scored(test_set, "bleu")
    in_words = read_metric_scores(test_set)["bleu"]
    assert "|tok:ja-mecab-0.996-IPA|" in in_words.signature
    monkeypatch.setattr(tokenizers, "is_installed", tokenizers.is_plain)
    without = read_metric_scores(test_set)["bleu"]
    assert (without.signature, without.systems.tolist()) == (in_words.signature, in_words.systems.tolist())
    np.testing.assert_array_equal(without.segments, in_words.segments)


def test_without_segments_it_is_what_the_newest_runs_found_in_few_queries(
    test_set: TestSet, django_assert_max_num_queries: Any
) -> None:
    scored(test_set, "bleu", "ter")
    scored(test_set, "ter", seed=2)
    with django_assert_max_num_queries(6):
        scores = read_metric_scores(test_set, with_segments=False)
    whole = read_metric_scores(test_set)
    for name in ("bleu", "ter"):
        np.testing.assert_array_equal(scores[name].systems, whole[name].systems)
        assert scores[name].signatures == whole[name].signatures
        assert np.isnan(scores[name].segments).all()
    runs = shown_runs(test_set)
    assert list(runs) == ["bleu", "ter"]
    assert runs["ter"].arguments["seed"] == 2
    assert runs["bleu"].pk < runs["ter"].pk


def test_a_quick_look_replaces_no_interval_that_rests_on_more(test_set: TestSet) -> None:
    scored(test_set, "bleu", resamples=200)
    before = read_metric_scores(test_set, with_segments=False)["bleu"].entries
    for few in (2, 150):
        scored(test_set, "bleu", "ter", resamples=few)
    whole, shown = (read_metric_scores(test_set, with_segments=segments) for segments in (True, False))
    assert shown["bleu"].entries == before == whole["bleu"].entries
    assert all("|resamples:200|" in (entry.interval_signature or "") for entry in before.values())
    assert all("|resamples:150|" in (entry.interval_signature or "") for entry in shown["ter"].entries.values())
    scored(test_set, "bleu", resamples=200, seed=7)
    newer = read_metric_scores(test_set, with_segments=False)["bleu"].entries
    assert all("|seed:7|" in (entry.interval_signature or "") for entry in newer.values())


def test_an_interval_of_other_texts_is_not_shown_however_many_resamples_it_rests_on(test_set: TestSet) -> None:
    scored(test_set, "bleu", resamples=200)
    Translation.objects.filter(system__name=QUOKKA, segment__name="1").update(text="Neu.")
    scored(test_set, "bleu", resamples=100)
    scores = read_metric_scores(test_set, with_segments=False)["bleu"]
    assert scores.entries[QUOKKA].score == read_metric_scores(test_set)["bleu"].systems[ROWS.index(QUOKKA)]
    assert "|resamples:100|" in (scores.entries[QUOKKA].interval_signature or "")


def test_runs_from_before_intervals_were_signed_are_read_alike(test_set: TestSet) -> None:
    for resamples in (2, 100):
        scored(test_set, "bleu", resamples=resamples)
        run = Run.objects.latest("pk")
        assert run.result is not None
        for entry in run.result["scores"]:
            del entry["interval_signature"], entry["interval_note"]
            entry["interval"] = [0.0, 1.0]
        run.save()
        (entry,) = (read_metric_scores(test_set, with_segments=False)["bleu"].entries[name] for name in (QUOKKA,))
        if resamples == 2:
            assert (entry.interval, entry.interval_note) == (None, "few_resamples")
        else:
            assert (entry.interval, entry.interval_note) == ((0.0, 1.0), "misses_score")
            assert "|resamples:100|level:0.95|seed:12345|" in (entry.interval_signature or "")


def test_what_no_longer_fits_the_texts_is_missing_until_it_is_counted(test_set: TestSet) -> None:
    scored(test_set, "wer")
    changed = Translation.objects.filter(system__name=QUOKKA).order_by("segment__document__position")[0]
    Translation.objects.filter(pk=changed.pk).update(text="Neu.")
    scores = read_metric_scores(test_set)["wer"]
    assert np.isnan(scores.segments).sum() == 1
    assert np.isnan(scores.segments[1, 0])
    assert np.isnan(scores.systems[1])
    assert scores.signatures[1] == ""
    score_test_set(test_set, metrics=["wer"], resamples=10)
    assert not np.isnan(read_metric_scores(test_set)["wer"].systems).any()


def test_a_system_without_scores_and_a_segment_without_reference_are_missing(test_set: TestSet) -> None:
    Segment.objects.order_by("document__position", "position")[4].references.all().delete()
    System.objects.create(test_set=test_set, name="a-silent-system")
    scored(test_set, "chrf")
    scores = read_metric_scores(test_set)
    assert scores.systems == ("a-silent-system", *ROWS)
    chrf = scores["chrf"]
    assert np.isnan(chrf.systems).tolist() == [True, False, False, False]
    assert np.isnan(chrf.segments[0]).all()
    assert np.isnan(chrf.segments[1:]).sum(axis=0).tolist() == [0, 0, 0, 0, 3, 0]


def test_scores_from_elsewhere_stand_beside_them(test_set: TestSet) -> None:
    scored(test_set, "bleu")
    translations = list(
        Translation.objects.order_by("system__name", "segment__document__position", "segment__position")
    )
    brought(test_set, ScoreLevel.SEGMENT, {one: float(at) for at, one in enumerate(translations[:12])})
    scores = read_metric_scores(test_set)
    assert [metric.name for metric in scores.metrics] == ["bleu", "Sage"]
    sage = scores["Sage"]
    assert sage.is_imported
    assert sage.segments[:2].ravel().tolist() == list(range(12))
    assert np.isnan(sage.segments[2]).all()
    assert sage.systems_are_means
    assert sage.systems[:2].tolist() == [2.5, 8.5]
    assert sage.signatures[2] == ""
    quokka = System.objects.get(name=QUOKKA)
    details = {"higher_is_better": False, "references": ["A"], "file_name": "Sage.sys.score"}
    brought(test_set, ScoreLevel.SYSTEM, {quokka: -3.0}, **details)
    sage = read_metric_scores(test_set, metrics=["Sage"], with_segments=False)["Sage"]
    assert sage.systems[1] == -3.0
    assert np.isnan(sage.systems[[0, 2]]).all()
    assert (sage.sign, sage.references, sage.file_name) == (-1, ("A",), "Sage.sys.score")
    assert not sage.systems_are_means
    assert sage.signature == "imported|file:Sage.sys.score|sha256:000000000000"


def test_scores_still_being_stored_are_nobodys(test_set: TestSet) -> None:
    brought(test_set, ScoreLevel.SYSTEM, {System.objects.get(name=WOMBAT): 1.0}, is_whole=False)
    assert read_metric_scores(test_set).metrics == ()
    with pytest.raises(KeyError):
        read_metric_scores(test_set)["Sage"]
