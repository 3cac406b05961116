"""A published campaign the whole way: a file of judgments, imported, analysed from the database."""

import csv
from pathlib import Path

import pytest

from annotation.importing.load import import_judgments
from metrics.analyses import analyse
from tests.metrics.real_campaigns import crowd_rows, expected_of

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]
PAIR = "lv-en"
COLUMNS = (
    "judgment",
    "annotator",
    "protocol",
    "document",
    "segment",
    "system",
    "kind",
    "measure",
    "value",
    "assignment",
)


def test_the_published_ranking_comes_out_of_the_database(tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for number, row in enumerate(crowd_rows(PAIR)):
            # a HIT may be taken by several annotators, an assignment has one
            place = (row.segment, row.segment, row.system, row.kind, "score", row.score)
            assignment = f"{row.assignment} {row.annotator}"
            writer.writerow([number, row.annotator, "direct_assessment", *place, assignment])
    campaign = import_judgments(path, format="assay-csv", name=PAIR).campaign
    case = expected_of("da-wmt22-crowd")
    expected = case["pairs"][PAIR]

    result = analyse(campaign, options=case["options"])

    assert result["judgments"] == expected["rows"]
    systems = result["analyses"]["ranking"]["systems"]
    for entry, published in zip(systems, expected["systems"], strict=True):
        for name, value in published.items():
            assert entry[name] == (pytest.approx(value, abs=1e-6) if isinstance(value, float) else value)
    controls = {entry["annotator"]: entry["control_p"] for entry in result["analyses"]["annotators"]}
    for published in expected["control_p"]:
        assert controls[published["annotator"]] == pytest.approx(published["control_p"], rel=1e-5)
