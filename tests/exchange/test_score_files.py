"""Scores computed elsewhere: compared with the test set line by line, stored whole or not at all."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import CommandError

import numpy as np
import pytest

from campaigns.models import Document, Reference, Segment, System, TestSet, Translation
from exchange.formats.metric_scores import ScoreFile, guess_metric, guess_references, level_of
from exchange.reading import ImportFileError
from exchange.score_files import import_scores
from metrics.actions.imported_scores import forget_scores
from metrics.models import ImportedScores, SegmentScore, SystemScore
from metrics.scoring.reading import read_metric_scores
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

Write = Callable[..., Path]
ORDER = (WOMBAT, QUOKKA, HUMAN)  # of a file; the database's is another


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, *lines: str, ending: str = "\n") -> Path:
        path = tmp_path / name
        path.write_text("".join(line + ending for line in lines), encoding="utf-8", newline="")
        return path

    return write


def run(path: Path, test_set: TestSet, metric: str = "Sage", *options: str) -> str:
    out = StringIO()
    command = ("import_metric_scores", str(path), f"--test-set={test_set.name}", f"--metric={metric}")
    call_command(*command, *options, stdout=out, stderr=StringIO())
    return out.getvalue()


def refused(path: Path, test_set: TestSet, metric: str = "Sage", *options: str) -> str:
    with pytest.raises(CommandError) as refusal:
        run(path, test_set, metric, *options)
    assert not ImportedScores.objects.exists()
    assert not SegmentScore.objects.exists()
    return str(refusal.value)


def in_order(*systems: str) -> list[str]:
    return [f"{system}\t{at + row / 10}" for at, system in enumerate(systems) for row in range(6)]


def test_a_file_of_segments_in_order_is_stored_where_it_belongs(test_set: TestSet, write: Write) -> None:
    lines = in_order(*ORDER)
    lines[7] = f"{QUOKKA}\tNone"
    out = run(write("Sage-refA.seg.score", *lines), test_set, "Sage", "--json")
    outcome = json.loads(out)
    assert (outcome["level"], outcome["scores"], outcome["created"]) == ("segment", 17, True)
    assert outcome["references"] == ["A"]
    assert outcome["systems"][0] == {"system": WOMBAT, "scores": 6, "mean": pytest.approx(0.25)}
    sage = read_metric_scores(test_set)["Sage"]
    assert sage.segments[2] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert np.isnan(sage.segments[1]).tolist() == [False, True, False, False, False, False]
    assert (sage.file_name, sage.references, sage.sign) == ("Sage-refA.seg.score", ("A",), 1)
    assert sage.stored_at is not None


def test_a_file_of_systems_is_stored_beside_them(test_set: TestSet, write: Write) -> None:
    run(write("Sage.seg.score", *in_order(*ORDER)), test_set)
    out = run(write("Sage.sys.score", f"{WOMBAT}\t-0.5", f"{QUOKKA}\t1e-3"), test_set)
    assert "Without scores: sentinel-human." in out
    sage = read_metric_scores(test_set)["Sage"]
    assert sage.systems[[1, 2]].tolist() == [0.001, -0.5]
    assert np.isnan(sage.systems[0])
    assert not np.isnan(sage.segments).any()
    assert SystemScore.objects.count() == 2


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_a_table_names_its_places_in_any_order(test_set: TestSet, write: Write, separator: str) -> None:
    rows = [("score", "note", "segment", "document", "system")]
    rows += [(f"{at}", "x", str(at % 3 + 1), ("harbour", "orchard")[at // 3], WOMBAT) for at in (5, 0, 3, 1)]
    path = write("scores.csv", *(separator.join(row) for row in rows), ending="\r\n")
    out = run(path, test_set, "Sage", "--lower-is-better", "--no-reference")
    assert "segment level, from" in out
    assert "Scores: 4, systems: 1" in out
    sage = read_metric_scores(test_set)["Sage"]
    assert sage.segments[2, [0, 1, 3, 5]].tolist() == [0, 1, 3, 5]
    assert (sage.sign, sage.references) == (-1, ())


def test_every_mismatch_is_named_with_its_line_and_nothing_is_stored(test_set: TestSet, write: Write) -> None:
    Translation.objects.filter(system__name=HUMAN, segment__document__name="orchard").delete()
    header = "system\tdocument\tsegment\tscore"
    rows = [
        f"{WOMBAT}\tharbour\t1\t0.5",
        f"{WOMBAT}\tharbour\t1\t0.6",
        f"{WOMBAT}\tpier\t1\t0.5",
        f"{WOMBAT}\tharbour\t9\t0.5",
        f"{WOMBAT}\tharbour\t2\t0,5",
        f"{WOMBAT}\tharbour\t2\tinf",
        f"{HUMAN}\torchard\t1\t0.5",
        "heron\tharbour\t1\t0.5",
        "heron\tharbour\t2\t0.5",
        f"{WOMBAT}\tharbour\t3",
        "\tharbour\t3\t\x01",
        f"{WOMBAT}\tharbour\t3\t0.7",
    ]
    path = write("scores.tsv", header, *rows)
    message = refused(path, test_set)
    for line, words in {
        3: "has a score already, in line 2",
        4: "no document of this name. (pier)",
        5: "no segment of this name. (9)",
        6: "not a number",
        7: "not a number",
        8: "has no translation of this segment",
        9: "no system of this name (2 lines)",
        11: "cells, but the header has 4",
        12: "This cell is empty",
    }.items():
        assert any(f"line {line}" in each and words in each for each in message.splitlines()), (line, message)
    assert "--skip-bad-rows stores the other scores: 2" in message
    out = run(path, test_set, "Sage", "--skip-bad-rows")
    assert "Scores: 2, systems: 1" in out
    assert "10 lines were left out" in out


def test_what_nobody_translated_with_is_left_out_and_named(test_set: TestSet, write: Write) -> None:
    """As in published files. If one system is missing and another unknown, both may be one with two names."""
    names = [system.name for system in test_set.systems.filter(is_human=False)]
    path = write("Rue.seg.score", *in_order(*names[1:], "synthetic_ref"))
    assert "The test set has no system of this name (6 lines)." in refused(path, test_set, "Rue")
    path = write("Sage.seg.score", *in_order(*names, "synthetic_ref"))
    assert "Left out, not in the test set: synthetic_ref." in run(path, test_set, "Sage")


def test_a_system_of_another_length_is_named_and_can_be_left_out(test_set: TestSet, write: Write) -> None:
    lines = [*in_order(WOMBAT), *in_order(QUOKKA)[:5]]
    path = write("Sage.seg.score", *lines)
    message = refused(path, test_set)
    assert f"line 11, system: Lines of “{QUOKKA}”: 5, segments of the test set: 6." in message
    assert "Scores: 6, systems: 1" in run(path, test_set, "Sage", "--skip-bad-rows")


@pytest.mark.parametrize(
    ("name", "lines", "options", "words"),
    [
        ("Sage.tsv", [f"{WOMBAT}\t1"], [], "Cannot tell whether these are system or segment scores"),
        ("Sage.doc.score", [f"{WOMBAT}\t1"], [], "Cannot tell whether"),
        ("Sage.sys.score", [f"{WOMBAT}\t1", f"{WOMBAT}\t2"], [], "line 2, system: This system has a score already"),
        ("Sage.sys.score", [f"{WOMBAT}\tNone"], [], "The file has no scores"),
        ("Sage.sys.score", [], [], "The file is empty"),
        ("Sage.tsv", ["system\tscore\tscore", "a\t1\t2"], [], "occurs twice"),
        ("Sage.tsv", ["system\tvalue", "a\t1"], [], "line 1: The header has no column score"),
        ("Sage.tsv", ["system\tdocument\tscore", "a\tb\t2"], [], "line 1: The header has no column segment"),
        ("Sage.tsv", ["system\tsegment\tscore", f"{WOMBAT}\t1\t2"], [], "Add a column “document”"),
        ("Sage.tsv", ["system\tsegment\tscore", f"{WOMBAT}\t1\t2"], ["--level=system"], "These are segment scores"),
        ("Sage.sys.score", [f"{WOMBAT} 1 2"], [], "line 1: A line must be a system, a tab and a score"),
        ("Sage.sys.score", [f"{WOMBAT}\t1"], ["--reference=Z"], "Unknown reference “Z”. Known: A."),
    ],
)
def test_the_reason_why_a_file_cannot_be_used_is_reported(
    test_set: TestSet, write: Write, name: str, lines: list[str], options: list[str], words: str
) -> None:
    assert words in refused(write(name, *lines), test_set, "Sage", *options)


def test_an_archive_and_a_missing_file_are_reported_differently(test_set: TestSet, tmp_path: Path) -> None:
    (tmp_path / "a.seg.score").write_bytes(b"\x1f\x8bzzzz")
    assert "compressed with gzip" in refused(tmp_path / "a.seg.score", test_set)
    assert "cannot be read: No such file" in refused(tmp_path / "b.seg.score", test_set)
    (tmp_path / "c.sys.score").write_bytes(f"{WOMBAT}\xff\t1\n".encode("latin-1"))
    assert "Not UTF-8" in refused(tmp_path / "c.sys.score", test_set)


@pytest.mark.parametrize(
    ("name", "words"), [("bleu", "computes itself"), (" ", "has no name"), ("x" * 101, "at most 100")]
)
def test_the_name_of_a_metric_is_checked(test_set: TestSet, write: Write, name: str, words: str) -> None:
    assert words in refused(write("a.sys.score", f"{WOMBAT}\t1"), test_set, name)


def test_names_of_segments_alone_do_where_they_are_alone(test_set: TestSet, write: Write) -> None:
    Document.objects.get(name="orchard").delete()
    path = write("Sage.tsv", "system,segment,score", f"{WOMBAT},2,0.5")
    assert "Scores: 1, systems: 1" in run(path, test_set)


def test_the_same_again_changes_nothing_other_scores_ask_first(test_set: TestSet, write: Write) -> None:
    first = write("Sage.sys.score", f"{WOMBAT}\t1")
    run(first, test_set)
    stored = ImportedScores.objects.get()
    assert "already imported. Nothing was changed" in run(first, test_set)
    other = write("Other.sys.score", f"{WOMBAT}\t2", f"{QUOKKA}\t3")
    with pytest.raises(CommandError, match=r"has scores of this level already, from Sage.sys.score"):
        run(other, test_set)
    assert list(SystemScore.objects.values_list("value", flat=True)) == [1]
    assert "replace earlier scores" in run(other, test_set, "Sage", "--replace")
    assert sorted(SystemScore.objects.values_list("value", flat=True)) == [2, 3]
    assert ImportedScores.objects.get().pk != stored.pk
    run(first, test_set, "Sage 2")
    assert ImportedScores.objects.count() == 2


def test_both_levels_of_a_metric_go_the_same_way(test_set: TestSet, write: Write) -> None:
    run(write("Sage.sys.score", f"{WOMBAT}\t1"), test_set, "Sage", "--lower-is-better")
    with pytest.raises(CommandError, match=r"In Sage\.sys\.score, lower scores of “Sage” are better"):
        run(write("Sage.seg.score", *in_order(*ORDER)), test_set)


def test_an_import_that_breaks_off_leaves_nothing_to_see(
    test_set: TestSet, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ScoreFile(write("Sage.seg.score", *in_order(*ORDER)), "Sage")
    with monkeypatch.context() as broken:
        broken.setattr("metrics.actions.imported_scores._put_in_place", lambda _scores: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            import_scores(file, test_set=test_set)
    assert SegmentScore.objects.count() == 18
    assert read_metric_scores(test_set).metrics == ()
    import_scores(file, test_set=test_set)
    assert SegmentScore.objects.count() == 18
    assert len(read_metric_scores(test_set).metrics) == 1


def test_scores_can_be_taken_away_again(test_set: TestSet, write: Write) -> None:
    forget_scores(import_scores(ScoreFile(write("a.seg.score", *in_order(WOMBAT)), "Sage"), test_set=test_set).scores)
    assert not ImportedScores.objects.exists()
    assert not SegmentScore.objects.exists()


def test_scores_are_of_one_test_set_alone(
    test_set: TestSet, make_test_set: Callable[..., TestSet], write: Write
) -> None:
    other = make_test_set("Other", slug="other")
    run(write("Sage.sys.score", f"{WOMBAT}\t1"), other)
    assert read_metric_scores(test_set).metrics == ()
    assert System.objects.get(test_set=other, name=WOMBAT).imported_scores.count() == 1
    assert not Segment.objects.filter(document__test_set=test_set, translations__segment_scores__isnull=False).exists()
    with pytest.raises(CommandError, match="There is no test set “nothing”"):
        call_command("import_metric_scores", "x", "--test-set=nothing", "--metric=Sage")


def test_names_of_files_are_read(test_set: TestSet) -> None:
    assert [level_of(name) for name in ("a.seg.score", "b.sys.score", "c.systems.csv", "d.score", "seg.tsv")] == [
        "segment",
        "system",
        "system",
        None,
        "segment",
    ]
    assert guess_metric("COMET-refA.seg.score") == "COMET-refA"
    assert guess_metric("MetricX-23.v2.sys.score") == "MetricX-23.v2"
    assert guess_references("COMET-refA.seg.score", ("A", "B")) == ("A",)
    assert guess_references("COMET-refB.sys.score", ("A", "refB")) == ("refB",)
    assert guess_references("GEMBA-MQM-src.seg.score", ("A",)) == ()
    assert Reference.objects.filter(name="A").exists()


def test_an_error_lists_everything(test_set: TestSet, write: Write) -> None:
    with pytest.raises(ImportFileError) as refusal:
        import_scores(ScoreFile(write("a.sys.score", "heron\t1", "rook\tx"), "bleu"), test_set=test_set)
    assert len(str(refusal.value).splitlines()) == 3
