"""A test set in the database, scored: each translation counted once, each number with its signature."""

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError

import pytest
from pytest_django import Settings

from campaigns.models import Reference, Segment, System, TestSet, Translation
from jobs.actions import perform_run, queue_run
from jobs.models import Run, RunStatus
from jobs.run_kinds import InvalidRun
from metrics.automatic import METRICS, tokenizers
from metrics.models import SystemCounts
from metrics.results.codec import to_json
from metrics.scoring import ScoringError, metric_for, score_test_set
from metrics.scoring.names import SCORING_METRICS
from metrics.scoring.reading import read_metric_scores
from metrics.scoring.texts import SLICES
from tests.metrics.automatic.test_bleu import train_pieces
from tests.metrics.neural.light_model_files import models_folder
from tests.metrics.scoring.stored_counts import how_many_counted
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("score_test_set", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def texts(test_set: TestSet, system: str) -> tuple[list[str], list[str]]:
    segments = Segment.objects.filter(document__test_set=test_set).order_by("document__position", "position")
    hypotheses = [segment.translations.get(system__name=system).text or "" for segment in segments]
    return hypotheses, [segment.references.get().text for segment in segments]


def test_json_has_every_system_by_every_metric_with_its_signature(test_set: TestSet) -> None:
    out, err = run(test_set.name, "--metric", "bleu", "--metric", "ter", "--json")
    result = json.loads(out)
    assert out.count("\n") == 1
    assert result["test_set"] == test_set.name
    assert [(entry["metric"], entry["system"]) for entry in result["scores"]] == [
        (metric, system) for metric in ("bleu", "ter") for system in sorted((WOMBAT, QUOKKA, HUMAN))
    ]
    for entry in result["scores"]:
        expected = METRICS[entry["metric"]]().score(*texts(test_set, entry["system"]))
        assert entry["score"] == expected.value
        assert entry["signature"] == expected.signature
        assert entry["details"] == expected.parts
        assert entry["segments"] == 6
        low, high = entry["interval"]
        assert low <= entry["score"] <= high
    assert "BLEU: sentinel-quokka" in err
    assert "seed:12345" in result["signature"]


def test_an_interval_has_a_signature_of_its_own_and_takes_a_hundred_resamples(test_set: TestSet) -> None:
    scores = {
        few: json.loads(run(test_set.name, "--metric", "bleu", "--resamples", few, "--seed", "7", "--json")[0])[
            "scores"
        ]
        for few in ("99", "100")
    }
    for few, enough in zip(scores["99"], scores["100"], strict=True):
        assert (few["interval"], few["interval_signature"], few["interval_note"]) == (None, None, "few_resamples")
        assert few["score"] == enough["score"]
        assert few["signature"] == enough["signature"]
        assert enough["interval_signature"].startswith(
            "method:bootstrap|unit:segments|resamples:100|level:0.95|seed:7|version:assay-"
        )
        assert enough["interval_note"] is None
    text, _ = run(test_set.name, "--metric", "bleu", "--resamples", "2")
    assert text.count("No interval: at least 100 resamples are needed.") == 3
    assert "interval|method" not in text
    assert "interval|method:bootstrap|unit:segments|resamples:1000|" in run(test_set.name, "--metric", "bleu")[0]


def test_without_json_it_is_a_table_with_the_signatures_below(test_set: TestSet) -> None:
    out, _ = run(test_set.slug, "--metric", "chrf")
    assert QUOKKA in out
    assert "chrf|nrefs:1|case:mixed" in out


@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", SCORING_METRICS)
def test_every_metric_but_hter_scores_a_test_set(test_set: TestSet, name: str, settings: Settings) -> None:
    settings.MODELS_DIR = Path(models_folder())
    entries = score_test_set(test_set, metrics=[name], resamples=10).scores
    human = next(entry for entry in entries if entry.system == HUMAN)
    metric, (hypotheses, references) = metric_for(test_set, name), texts(test_set, HUMAN)
    if metric.compares_with_source:
        sources = Segment.objects.filter(document__test_set=test_set).order_by("document__position", "position")
        references = [segment.source or "" for segment in sources]
    expected = metric.score(hypotheses, references)
    assert human.score == pytest.approx(expected.value, abs=2e-6 if metric.uses_model else 0)


def test_every_two_systems_are_compared_the_better_one_first(test_set: TestSet) -> None:
    comparisons = score_test_set(test_set, metrics=["chrf", "ter"]).comparisons
    assert len(comparisons) == 6
    for entry in comparisons:
        assert entry.difference >= 0 if entry.metric == "chrf" else entry.difference <= 0
        assert 0 <= entry.share <= 1
        assert 0 < entry.p_bootstrap <= 1
        assert 0 < entry.p_randomisation <= 1


def test_what_was_counted_is_not_counted_again(test_set: TestSet, monkeypatch: pytest.MonkeyPatch) -> None:
    first = score_test_set(test_set, metrics=["bleu"])
    assert how_many_counted() == 18
    with monkeypatch.context() as broken:
        broken.setattr(METRICS["bleu"], "segment_statistics", None)
        again = score_test_set(test_set, metrics=["bleu"], seed=2)
    assert [entry.score for entry in again.scores] == [entry.score for entry in first.scores]
    assert [entry.interval for entry in again.scores] != [entry.interval for entry in first.scores]


def test_a_changed_translation_or_reference_is_counted_anew_and_alone(
    test_set: TestSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    score_test_set(test_set, metrics=["wer"])
    counted: list[str] = []
    plain = METRICS["wer"].segment_statistics

    def count(self: object, hypothesis: str, references: list[str]) -> object:
        counted.append(hypothesis)
        return plain(self, hypothesis, references)  # type: ignore[arg-type]

    monkeypatch.setattr(METRICS["wer"], "segment_statistics", count)
    changed = Translation.objects.filter(system__name=QUOKKA)[0]
    Translation.objects.filter(pk=changed.pk).update(text="Neu.")
    score_test_set(test_set, metrics=["wer"])
    assert counted == ["Neu."]
    Reference.objects.filter(segment=changed.segment).update(text="Ganz neu.")
    score_test_set(test_set, metrics=["wer"])
    assert len(counted) == 4, "the three translations of that segment"
    assert how_many_counted() == 18


def test_a_metric_that_learns_from_references_sees_all_of_them(test_set: TestSet) -> None:
    score_test_set(test_set, metrics=["yisi_0"])
    changed = Reference.objects.all()[0]
    Reference.objects.filter(pk=changed.pk).update(text="Ein anderer Satz.")
    entry = score_test_set(test_set, metrics=["yisi_0"]).scores[0]
    assert entry.score == METRICS["yisi_0"]().score(*texts(test_set, entry.system)).value


def test_a_run_cancelled_in_the_middle_keeps_what_it_counted(test_set: TestSet) -> None:
    class EndedError(Exception):
        pass

    def end(share: float, note: str = "", /) -> None:
        if share > 0.3:
            raise EndedError

    with pytest.raises(EndedError):
        score_test_set(test_set, metrics=["bleu"], on_progress=end)
    assert 0 < how_many_counted() < 18
    whole = score_test_set(test_set, metrics=["bleu"])
    SystemCounts.objects.all().delete()
    assert score_test_set(test_set, metrics=["bleu"]) == whole


def test_a_reference_is_not_scored_against_itself(test_set: TestSet) -> None:
    Reference.objects.update(name=HUMAN.removeprefix("sentinel-"))
    System.objects.filter(name=HUMAN).update(name="refhuman")
    assert {entry.system for entry in score_test_set(test_set, metrics=["wer"]).scores} == {WOMBAT, QUOKKA}
    System.objects.filter(name="refhuman").update(name=HUMAN)
    Reference.objects.update(name=HUMAN)
    systems = {entry.system for entry in score_test_set(test_set, metrics=["bleu"]).scores}
    assert systems == {WOMBAT, QUOKKA}
    for segment in Segment.objects.all():
        Reference.objects.create(segment=segment, name="B", text="Etwas anderes.")
    entries = {entry.system: entry for entry in score_test_set(test_set, metrics=["bleu"]).scores}
    assert entries[HUMAN].signature.startswith("nrefs:1|")
    assert entries[WOMBAT].signature.startswith("nrefs:2|")
    only = score_test_set(test_set, metrics=["bleu"], references=["B"])
    assert {entry.signature[:7] for entry in only.scores} == {"nrefs:1"}
    assert only.references == ("B",)


def test_segments_without_reference_or_translation_are_left_out_and_counted(test_set: TestSet) -> None:
    first, second = Segment.objects.all()[:2]
    first.references.all().delete()
    second.translations.filter(system__name=QUOKKA).delete()
    result = score_test_set(test_set, metrics=["bleu"])
    assert {entry.system: entry.segments for entry in result.scores} == {WOMBAT: 5, QUOKKA: 4, HUMAN: 5}
    assert [(pair.first, pair.second) for pair in result.comparisons] == [(HUMAN, WOMBAT)]


def test_parts_of_the_test_set_are_scored_from_the_same_counts(
    test_set: TestSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = score_test_set(test_set, metrics=["chrf"])
    first = Segment.objects.order_by("document__position", "position")[0]
    Segment.objects.filter(pk=first.pk).update(tags=["late", "terminology"], domain="sea")
    with monkeypatch.context() as broken:
        broken.setattr(METRICS["chrf"], "segment_statistics", None)
        sliced = {by: json.loads(run(test_set.name, "--metric=chrf", f"--by={by}", "--json")[0]) for by in SLICES}
    assert all(result["scores"] == to_json(whole.scores) for result in sliced.values())
    slices = {by: result["slices"]["slices"] for by, result in sliced.items()}
    assert {by: sorted(slices[by]) for by in SLICES} == {
        "document": ["harbour", "orchard"],
        "domain": ["news", "sea"],
        "tag": ["late", "terminology"],
    }
    hypotheses, references = texts(test_set, QUOKKA)
    for value, part in (("harbour", slice(0, 3)), ("orchard", slice(3, 6))):
        entry = next(each for each in slices["document"][value]["scores"] if each["system"] == QUOKKA)
        assert entry["score"] == METRICS["chrf"]().score(hypotheses[part], references[part]).value
        assert entry["segments"] == 3
    assert slices["tag"]["late"]["scores"][0]["interval"] is None, "one segment says nothing of the next"
    with pytest.raises(ScoringError, match="Unknown slices “colour”"):
        score_test_set(test_set, by="colour")


def test_all_problems_are_named_at_once(test_set: TestSet) -> None:
    with pytest.raises(ScoringError) as refused:
        score_test_set(test_set, metrics=["bleu", "hter", "magic"], references=["Z"])
    assert "Unknown metric “hter”" in str(refused.value)
    assert "Unknown metric “magic”" in str(refused.value)
    assert "There is no reference “Z”. Known: A." in str(refused.value)
    Reference.objects.all().delete()
    with pytest.raises(CommandError, match="has no reference"):
        run(test_set.name)
    with pytest.raises(CommandError, match="There is no test set “nothing”"):
        run("nothing")


def test_a_wrong_wordnet_is_an_error_before_anything_is_counted(
    make_test_set: Callable[..., TestSet], settings: Settings
) -> None:
    settings.METRIC_RESOURCES = {"wordnet": "/nowhere"}
    with pytest.raises(ScoringError, match="/nowhere is not a WordNet directory"):
        score_test_set(make_test_set(target_language="en"), metrics=["meteor"])


def test_meteor_without_synonyms_is_called_so_in_the_terminal(
    make_test_set: Callable[..., TestSet], settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    out, _ = run(make_test_set(target_language="en").name, "--metric", "meteor", "--metric", "ter", "--resamples", "10")
    assert "meteor (without synonyms)" in out
    assert "|synonyms:none|" in out
    assert "ter (" not in out


def test_the_tokenizer_is_named_by_whoever_scores(make_test_set: Callable[..., TestSet]) -> None:
    test_set = make_test_set(target_language="ja")
    usual = json.loads(run(test_set.name, "--metric", "bleu", "--json")[0])
    chosen = json.loads(run(test_set.name, "--metric", "bleu", "--metric", "ter", "--tokenizer", "char", "--json")[0])
    assert {entry["signature"].split("|")[3] for entry in usual["scores"]} == {"tok:ja-mecab-0.996-IPA"}
    signatures = {entry["metric"]: entry["signature"] for entry in chosen["scores"]}
    assert "|tok:char|" in signatures["bleu"]
    assert "|tok:tercom|" in signatures["ter"]
    assert Run.objects.latest("pk").arguments["tokenizer"] == "char"


def test_pieces_of_words_are_counted_with_the_operators_model_and_read_without_it(
    test_set: TestSet, settings: Settings, tmp_path: Path
) -> None:
    model = train_pieces(tmp_path / "own.model", 160)
    settings.METRIC_RESOURCES = {"wordnet": "", "meteor_variant": "2005", "flores200_model": model}
    result = json.loads(run(test_set.name, "--metric", "bleu", "--tokenizer", "flores200", "--json")[0])
    (signature,) = {entry["signature"] for entry in result["scores"]}
    assert re.search(r"\|tok:flores200-[0-9a-f]{8}\|", signature)
    settings.METRIC_RESOURCES = {"wordnet": "", "meteor_variant": "2005"}
    read = read_metric_scores(test_set)["bleu"]
    assert read.signature == signature
    assert read.systems.tolist() == [entry["score"] for entry in result["scores"]]
    settings.METRIC_RESOURCES |= {"flores200_model": str(tmp_path / "gone.model")}
    with pytest.raises(CommandError, match=r"gone\.model cannot be read .*Those that can be used: 13a"):
        run(test_set.name, "--metric", "bleu", "--tokenizer", "flores200")


@pytest.mark.parametrize(
    ("tokenizer", "metrics", "message"),
    [
        ("moses", ["bleu"], "There is no tokenizer 'moses'. Known: 13a, intl, zh, char, none, ja-mecab, ko-mecab, flo"),
        (
            "ja-mecab",
            ["bleu"],
            "The tokenizer ja-mecab is not installed here: ./assay install tokenizers. Those",
        ),
        (
            "flores200",
            None,
            "names the file in ASSAY_FLORES200_MODEL. Those that can be used: 13a, intl, zh, char, none, ",
        ),
        ("char", ["ter"], "Only BLEU takes a tokenizer."),
        (7, ["bleu"], "The tokenizer must be a name."),
    ],
)
def test_a_tokenizer_that_cannot_be_used_is_refused_before_anything_waits(
    test_set: TestSet, monkeypatch: pytest.MonkeyPatch, tokenizer: Any, metrics: list[str] | None, message: str
) -> None:
    monkeypatch.setattr(tokenizers, "is_installed", lambda name: name != "ja-mecab")
    with pytest.raises(InvalidRun) as refused:
        queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": metrics, "tokenizer": tokenizer})
    assert message in str(refused.value)
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--metric", "blue"], "Unknown metric “blue”. Allowed: bleu, "),
        (["--reference", "B"], "“B”. Known: A"),
        (["--by", "colour"], "“colour”. Allowed: document"),
        (["--resamples", "0"], "resamples from 1 to 10000"),
        (["--resamples", "10001"], "resamples from 1 to 10000"),
        (["--seed", "-1"], "seed from 0"),
    ],
)
def test_what_cannot_be_scored_is_refused_before_a_run_is_stored(
    test_set: TestSet, arguments: list[str], named: str
) -> None:
    for queued in ([], ["--background"]):
        with pytest.raises(CommandError, match=named) as refused:
            run(test_set.name, *arguments, *queued)
        assert refused.value.returncode == 2
    assert not Run.objects.exists()


def test_a_run_waits_in_the_queue_of_metrics(test_set: TestSet) -> None:
    out, _ = run(test_set.name, "--background", "--json", "--metric", "bleu")
    waiting = Run.objects.get()
    assert json.loads(out) == {"run": waiting.pk}
    assert (waiting.queue, waiting.status) == ("metrics", RunStatus.QUEUED)
    with pytest.raises(InvalidRun, match="Allowed: metrics"):
        queue_run(kind="metric_scores", test_set=test_set, arguments={"colour": "red"})
    with pytest.raises(InvalidRun, match="resamples from 1"):
        queue_run(kind="metric_scores", test_set=test_set, arguments={"resamples": 0})
    with pytest.raises(InvalidRun, match="a list of names"):
        queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": "bleu"})


def test_a_queued_run_is_performed_like_any_other(test_set: TestSet) -> None:
    from jobs.actions import claim_run

    waiting = queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": ["bleu"]})
    claimed = claim_run(waiting.pk)
    assert claimed is not None
    done = perform_run(claimed)
    assert done.status == RunStatus.DONE
    assert done.result == to_json(score_test_set(test_set, metrics=["bleu"]))
    assert done.signature == done.result["signature"]
