"""The documented steps to assay-csv, run on invented files as a reader of the docs runs them."""

import csv
import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from annotation.models import Judgment, Slot
from campaigns.models import Segment, Translation
from exchange.judgment_files import import_judgments

SCRIPT = Path(__file__).resolve().parents[3] / "docs" / "to_assay_csv.py"
CROWD = """HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time
"H1"\tanna\tlv\ten\tad\t1\t"Heron.1"\t7\tSYSTEM\tquay.2_1\t{}\t9
H1 anna lv en ad 1 Heron.1 8 BAD_REF quay.2_1 {} 9
H1 ben cs en ad 1 Heron.1 8 SYSTEM quay.2_1 {} 9
"""
FIGURES = '[1] "anna"\n[1] 50\n[1] 20\n[1] "ben"\n[1] 40\n[1] 10\n'
RANKS = """srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID
tur,eng,6,6,anna,newstest2016.Heron.1.tr-en+newstest2016.Owl.2.tr-en,1,newstest2016.Rook.3.tr-en,2,40
"""


def run(tmp_path: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SCRIPT, *arguments, "--output", tmp_path / "judgments.csv"]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def rows_of(tmp_path: Path) -> list[dict[str, str]]:
    with (tmp_path / "judgments.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_scores_of_the_crowd_are_recovered_from_z(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "ad.csv.gz", "wt", encoding="utf-8") as stream:
        stream.write(CROWD.format(0.5, -1.45, 0))
    (tmp_path / "figures.txt").write_text(FIGURES)
    done = run(tmp_path, "crowd", tmp_path / "ad.csv.gz", "--pair", "lv-en", "--figures", tmp_path / "figures.txt")
    assert done.returncode == 0, done.stderr
    first, second = rows_of(tmp_path)
    assert (first["annotator"], first["system"], first["document"], first["segment"]) == (
        "anna",
        "Heron.1",
        "quay",
        "quay.2_1",
    )
    assert (first["kind"], first["value"], first["assignment"]) == ("regular", "60", "H1 anna")
    assert (second["kind"], second["value"]) == ("degraded", "21")


def test_figures_of_another_campaign_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ad.csv").write_text(CROWD.format(0.512, 0, 0))
    (tmp_path / "figures.txt").write_text(FIGURES)
    done = run(tmp_path, "crowd", tmp_path / "ad.csv", "--pair", "lv-en", "--figures", tmp_path / "figures.txt")
    assert done.returncode != 0
    assert "line 2: 60.24 is no whole score" in done.stderr


def test_a_pair_without_judgments_is_reported(tmp_path: Path) -> None:
    (tmp_path / "ad.csv").write_text(CROWD.format(1, 2, 3))
    done = run(tmp_path, "crowd", tmp_path / "ad.csv", "--pair", "zu-xh")
    assert "There is no such judgment in the file." in done.stderr


@pytest.mark.django_db
def test_rankings_put_systems_with_the_same_output_into_one_slot(tmp_path: Path) -> None:
    (tmp_path / "ranks.csv").write_text(RANKS)
    assert run(tmp_path, "ranking", tmp_path / "ranks.csv").returncode == 0
    import_judgments(tmp_path / "judgments.csv", format="assay-csv", name="Ranks")
    assert Judgment.objects.get().answer["slots"] == {"A": {"rank": 1}, "B": {"rank": 2}}
    assert sorted(Slot.objects.values_list("label", "system__name", "credits__system__name")) == [
        ("A", "Heron", "Owl"),
        ("B", "Rook", None),
    ]


@pytest.mark.django_db
def test_post_edits_keep_all_three_texts(tmp_path: Path) -> None:
    for name, text in (("a", "=One.\nTwo.\n"), ("b", "Ein.\n''\n"), ("c", "-Eins.\n\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ("--source", tmp_path / "a", "--translation", tmp_path / "b", "--post-edit", tmp_path / "c")
    done = run(tmp_path, "post-edits", *files, "--system", "Heron")
    assert done.returncode == 0, done.stderr
    import_judgments(tmp_path / "judgments.csv", format="assay-csv", name="Edits")
    assert list(Segment.objects.values_list("source", flat=True)) == ["=One.", "Two."]
    assert list(Translation.objects.order_by("segment").values_list("text", flat=True)) == ["Ein.", "''"]
    assert [each.answer["slots"]["A"]["text"] for each in Judgment.objects.order_by("pk")] == ["-Eins.", ""]
