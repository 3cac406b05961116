"""Archives of the demo with its results, written in November 2026: every later version rebuilds them."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Adjudication, ErrorSpan, Exclusion, Judgment
from campaigns.models import Account
from exchange.archive.rebuilding import import_archive
from exchange.archive.tables import TABLES
from jobs.models import Run
from jobs.queries import whole_result
from tests.metrics.analyses.as_json import analyse

pytestmark = pytest.mark.django_db
ARCHIVES = Path(__file__).resolve().parent.parent.parent / "data" / "archives"


def rows_of(archive: zipfile.ZipFile, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read(f"rows/{name}.jsonl").splitlines()]


NOT_NUMBERS = ("segment_id", "reasons")
ADDED_SINCE = (
    "documents_judged", "detectable", "difference", "difference_interval", "drift", "middle",
    "others_difference_interval", "scored_segments", "metric_pairs",
    "edits_and_pace", "late", "campaign_table", "places", "decided_by", "formula", "df", "ceiling", "components",
    "difference_by", "calibrated",
    "seconds_median",  # of first answers, without idle time
)  # fmt: skip
NOTES_ADDED_SINCE = ("annotators_apart",)


def numbers_in(value: Any) -> Any:
    """A result without database keys, reasons (whose words a later version may change), and what was added since."""
    if isinstance(value, dict):
        return {name: numbers_in(each) for name, each in value.items() if name not in NOT_NUMBERS + ADDED_SINCE}
    if isinstance(value, list | tuple):
        return [numbers_in(each) for each in value if each not in NOTES_ADDED_SINCE]
    return value


@pytest.mark.parametrize("protocol", ["mqm", "post_editing"])
def test_an_archive_written_before_is_rebuilt_whole_and_gives_the_same_numbers(
    protocol: str, emptied: Callable[[], None]
) -> None:
    emptied()
    path = ARCHIVES / f"{protocol}.assay.zip"
    with zipfile.ZipFile(path) as archive:
        counts = json.loads(archive.read("manifest.json"))["rows"]
        answers = [row["answer"] for row in rows_of(archive, "judgment")]
        [analysis] = [row for row in rows_of(archive, "run") if row["kind"] == "analysis"]
        parts = {row["name"]: row["result"] for row in rows_of(archive, "runpart")}
    campaign = import_archive(path, name="Rebuilt")
    new_tables = {table.name: 0 for table in TABLES if table.name not in counts}
    assert {table.name: table.rows_of(campaign).count() for table in TABLES} | {
        "annotator": Account.objects.count()
    } == counts | new_tables
    assert list(Judgment.objects.order_by("pk").values_list("answer", flat=True)) == answers
    stored = whole_result(Run.objects.get(campaign=campaign, kind="analysis"))
    assert {name: stored["analyses"][name] for name in ("ranking", "agreement", "annotators")} == {
        name: parts[name] for name in ("ranking", "agreement", "annotators")
    }
    computed = analyse(campaign, **analysis["arguments"])["analyses"]
    computed = {name: part for name, part in computed.items() if name in stored["analyses"]}  # others came later
    assert numbers_in(computed) == numbers_in(stored["analyses"])


def test_the_archive_of_marked_errors_has_these_numbers(emptied: Callable[[], None]) -> None:
    emptied()
    campaign = import_archive(ARCHIVES / "mqm.assay.zip", name="Rebuilt")
    assert (Judgment.objects.count(), ErrorSpan.objects.count(), Exclusion.objects.count()) == (15, 19, 1)
    assert Adjudication.objects.filter(campaign=campaign, undone_at=None).count() == 1
    assert campaign.test_set.name == "Night market"
