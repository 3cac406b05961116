"""A campaign of corrections, analysed: HTER ranks, times are shown, and the export has the same numbers."""

import csv
import io
from pathlib import Path

import pytest

from annotation.models import Assignment, Judgment, Score
from campaigns.models import Campaign, Segment, TestSet
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments
from metrics.models import DerivedScore
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.metrics.post_edited import SECONDS, correct, make_post_editing, shown_to, without_last_word
from tests.planned_campaign import take
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT


@pytest.fixture
def assignment(test_set: TestSet, cast: Cast) -> Assignment:
    """The human's translations are left alone, the others' lose their last word."""
    assignment = take(make_post_editing(test_set, cast), cast.annotator)
    for item, text in shown_to(assignment):
        system = item.slots.get().system.name
        correct(item, text if system == HUMAN else without_last_word(text))
    return assignment


@pytest.fixture
def judged(assignment: Assignment) -> Campaign:
    return assignment.campaign


def hter_by_hand(campaign: Campaign, system: str) -> tuple[list[int], list[int]]:
    """Edits and words left, segment by segment: a word was dropped from every translation that no human wrote."""
    texts = [
        segment.translations.get(system__name=system).text or ""
        for segment in Segment.objects.filter(document__test_set=campaign.test_set)
    ]
    edits = [0 if system == HUMAN else 1 for _text in texts]
    return edits, [len(text.split()) - edit for text, edit in zip(texts, edits, strict=True)]


def test_systems_are_ranked_by_hter_the_least_changed_first(judged: Campaign) -> None:
    ranking = analyse(judged)["analyses"]["ranking"]
    by_hter = [entry for entry in ranking["systems"] if entry["measure"] == "hter"]
    assert [entry["measure"] for entry in ranking["systems"]] == ["hter"] * 3 + ["keystrokes"] * 3
    assert by_hter[0]["system"] == HUMAN
    assert by_hter[0]["mean"] == 0
    assert [entry["mean"] for entry in by_hter] == sorted(entry["mean"] for entry in by_hter)
    low, high = by_hter[1]["interval"]
    assert 0 < low <= by_hter[1]["mean"] <= high


def test_the_analysis_tells_mean_corpus_and_pace(judged: Campaign) -> None:
    entries = {entry["system"]: entry for entry in analyse(judged)["analyses"]["post_editing"]["systems"]}
    assert set(entries) == {WOMBAT, QUOKKA, HUMAN}
    source_words = sum(len((segment.source or "").split()) for segment in Segment.objects.all())
    for system, entry in entries.items():
        edits, words = hter_by_hand(judged, system)
        assert entry["hter"] == pytest.approx(sum(e / w for e, w in zip(edits, words, strict=True)) / 6)
        assert entry["hter_corpus"] == pytest.approx(sum(edits) / sum(words))
        assert entry["seconds"] == 6 * SECONDS, "working time, not all the time"
        assert entry["source_words"] == source_words
        assert entry["words_per_hour"] == pytest.approx(3600 * source_words / (6 * SECONDS))
        assert entry["unchanged"] == (1 if system == HUMAN else 0)
        assert entry["judgments"] == 6


def test_without_working_time_pauses_are_left_out(judged: Campaign) -> None:
    Judgment.objects.update(active_ms=None, elapsed_ms=60_000)
    first = Judgment.objects.order_by("pk")[0]
    Judgment.objects.filter(pk=first.pk).update(elapsed_ms=601_000)
    entries = analyse(judged)["analyses"]["post_editing"]["systems"]
    assert sorted(entry["seconds"] for entry in entries)[0] == 5 * 60
    assert max(entry["seconds_dropped"] for entry in entries) == pytest.approx(1 / 6)


def test_the_signature_names_the_formula(judged: Campaign) -> None:
    signature = analyse(judged)["signature"]
    assert "|hter:nrefs:1,case:lc,tok:tercom" in signature
    assert "reference:post-edit" in signature


def test_a_revision_counts_in_place_of_what_it_revised(judged: Campaign, assignment: Assignment) -> None:
    analyse(judged)
    for item, text in shown_to(assignment):
        correct(item, text, base_revision=1)
    entries = analyse(judged)["analyses"]["post_editing"]["systems"]
    assert [entry["hter"] for entry in entries] == [0, 0, 0]
    assert sum(entry["judgments"] for entry in entries) == 18


def rows_of(campaign: Campaign) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(export_rows(campaign, "csv")).decode(), newline="")))


def test_the_export_carries_hter_whether_it_was_analysed_or_not(judged: Campaign) -> None:
    before = rows_of(judged)
    assert [row["measure"] for row in before] == ["keystrokes", "hter"] * 18
    assert not DerivedScore.objects.exists(), "an export stores nothing"
    analyse(judged)
    assert rows_of(judged) == before
    DerivedScore.objects.update(signature="an older formula", value=17)
    assert rows_of(judged) == before


def test_hter_in_a_file_is_computed_anew_where_its_texts_are_there(judged: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    rows = rows_of(judged)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(row | {"value": "17"} if row["measure"] == "hter" else row for row in rows)
    imported = import_judgments(path, format="assay-csv", name="Travelled").campaign
    assert not Score.objects.filter(measure="hter").exists()
    again, first = (analyse(each)["analyses"]["post_editing"]["systems"] for each in (imported, judged))
    for name in ("hter", "hter_corpus"):
        assert [entry[name] for entry in again] == pytest.approx([entry[name] for entry in first])


def test_hter_without_its_texts_is_taken_as_it_came(judged: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    path.write_text(
        "judgment,annotator,protocol,document,segment,system,kind,measure,value\n"
        "1,anna,post_editing,harbour,1,a,regular,hter,0.25\n"
        "2,anna,post_editing,harbour,1,b,regular,hter,0.5\n",
        encoding="utf-8",
    )
    imported = import_judgments(path, format="assay-csv", name="Numbers alone").campaign
    result = analyse(imported)["analyses"]
    assert [(entry["system"], entry["mean"]) for entry in result["ranking"]["systems"]] == [("a", 0.25), ("b", 0.5)]
    assert [(entry["hter"], entry["hter_corpus"]) for entry in result["post_editing"]["systems"]] == [
        (0.25, None),
        (0.5, None),
    ]
