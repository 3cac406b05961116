"""Comprehension as a table: right answers and question counts, the text's annotator, and the entered answers."""

import csv
import io
import json
from pathlib import Path

from annotation.models import Judgment, Score
from campaigns.models import Campaign, TestSet
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments
from tests.cast import Cast, make_person
from tests.exchange.conftest import EMPTIED
from tests.frontend.api.api_annotator import by_session
from tests.metrics.analyses.as_json import analyse
from tests.planned_campaign import add_annotator, make_planned_campaign
from tests.sample_questions import RIGHT_CHOICE, WRONG_CHOICE, answers, ask_questions
from tests.sample_test_set import SYSTEMS


def judged(test_set: TestSet, cast: Cast) -> Campaign:
    """Everything is read; the third reader gets one answer right, the others both."""
    ask_questions(test_set)
    campaign = make_planned_campaign(test_set, cast, protocol="gisting", options={"read_source": True})
    for number in range(4):
        account = make_person(f"reader{number}", "Reader")
        add_annotator(campaign, account)
        reader = by_session(account)
        taken = reader.take()
        for item in reader.items(taken)["items"]:
            why = WRONG_CHOICE if number == 2 else RIGHT_CHOICE
            assert reader.submit(taken, item["id"], answer=answers(why, " Sentinel pears ")).status_code == 201
    return campaign


def exported(campaign: Campaign) -> bytes:
    return b"".join(export_rows(campaign, "csv"))


def test_right_answers_and_question_counts_are_rows_of_documents(test_set: TestSet, cast: Cast) -> None:
    rows = list(csv.DictReader(io.StringIO(exported(judged(test_set, cast)).decode())))
    assert {row["segment"] for row in rows} == {""}
    assert {row["system"] for row in rows} == {*SYSTEMS, "source"}
    assert len(rows) == 2 * 4 * 2
    sums = {
        measure: sum(float(row["value"]) for row in rows if row["measure"] == measure)
        for measure in ("correct", "asked")
    }
    assert sums == {"correct": 14, "asked": 16}
    assert json.loads(rows[0]["answer"])["slots"]["A"]["answers"]["what"] == " Sentinel pears "


def test_a_round_trip_keeps_judgments_and_numbers(test_set: TestSet, cast: Cast, tmp_path: Path) -> None:
    campaign = judged(test_set, cast)
    before = exported(campaign)
    path = tmp_path / "judgments.csv"
    path.write_bytes(before)
    for model in EMPTIED:
        model._default_manager.all().delete()
    imported = import_judgments(path, format="assay-csv", name=campaign.name).campaign
    assert exported(imported) == before
    assert (imported.protocol, Judgment.objects.count(), Score.objects.count()) == ("gisting", 8, 16)


def test_document_analyses_are_listed_by_text(test_set: TestSet, cast: Cast) -> None:
    systems = analyse(judged(test_set, cast))["analyses"]["ranking"]["documents"]["systems"]
    means = {entry["system"]: entry["mean"] for entry in systems if entry["measure"] == "correct"}
    assert set(means) == {*SYSTEMS, "source"}
    assert sorted(means.values()) == sorted([1.5, 1.5, 2.0, 2.0])
