"""Scores of automatic metrics as files: every metric, computed or imported, of systems and of segments."""

import csv
import io
from pathlib import Path

import pytest

from campaigns.models import Campaign, System
from exchange.exports import export_rows
from exchange.formats.metric_scores import SEGMENTS, SYSTEMS, ScoreFile
from exchange.score_files import import_scores
from jobs.actions import perform_now
from metrics.automatic import METRICS
from metrics.scoring.reading import read_metric_scores
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

PAGE = Path(__file__).parents[3] / "docs" / "formats.md"


def rows_of(campaign: Campaign, format: str) -> list[dict[str, str]]:
    text = b"".join(export_rows(campaign, format)).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture
def scored(campaign: Campaign, tmp_path: Path) -> Campaign:
    arguments = {"metrics": ["bleu", "ter"], "resamples": 100}
    perform_now(kind="metric_scores", test_set=campaign.test_set, arguments=arguments)
    System.objects.filter(name=QUOKKA).update(name="=quokka")
    path = tmp_path / "=Sage.seg.score"
    path.write_text("".join(f"=quokka\t{at / 4}\n" for at in range(6)))
    import_scores(ScoreFile(path, "Sage", higher_is_better=False), test_set=campaign.test_set)
    return campaign


def test_systems_have_a_row_for_each_metric(scored: Campaign) -> None:
    rows = rows_of(scored, "metric-systems-csv")
    assert list(rows[0]) == list(SYSTEMS)
    assert [(row["metric"], row["system"]) for row in rows] == [
        *((metric, system) for metric in ("bleu", "ter") for system in ("'=quokka", HUMAN, WOMBAT)),
        ("Sage", "'=quokka"),
    ]
    table = read_metric_scores(scored.test_set)
    first, last = rows[1], rows[-1]
    assert float(first["score"]) == table["bleu"].systems[1]
    assert float(first["low"]) <= float(first["score"]) <= float(first["high"])
    assert (first["segments"], first["better"], first["origin"]) == ("6", "higher", "counted")
    assert first["signature"] == METRICS["bleu"]().signature(1)
    assert "|resamples:100|" in first["interval_signature"]
    assert (first["interval_note"], last["interval_signature"], last["interval_note"]) == ("", "", "")
    assert (last["score"], last["low"], last["better"], last["origin"]) == ("0.625", "", "lower", "'=Sage.seg.score")


def test_segments_have_a_row_for_each_system_and_metric(scored: Campaign) -> None:
    rows = rows_of(scored, "metric-segments-csv")
    assert list(rows[0]) == list(SEGMENTS)
    assert len(rows) == 2 * 18 + 6
    table = read_metric_scores(scored.test_set)
    human = [row for row in rows if (row["metric"], row["system"]) == ("ter", HUMAN)]
    assert [(row["document"], row["segment"]) for row in human][2:4] == [("harbour", "3"), ("orchard", "1")]
    assert [float(row["score"]) for row in human] == table["ter"].segments[1].tolist()
    assert {row["better"] for row in human} == {"lower"}
    assert "imported|file:" in rows[-1]["signature"]


def test_without_scores_there_is_a_header_alone(campaign: Campaign) -> None:
    assert rows_of(campaign, "metric-systems-csv") == []
    assert rows_of(campaign, "metric-segments-csv") == []


@pytest.mark.parametrize("column", {*SYSTEMS, *SEGMENTS})
def test_every_column_is_described(column: str) -> None:
    section = PAGE.read_text(encoding="utf-8").split("## Metric scores: metric-systems-csv")[1].split("\n## ")[0]
    assert f"`{column}`" in section
