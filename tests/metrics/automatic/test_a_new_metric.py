"""A metric is a class and its samples: one that nobody has heard of is scored, compared, read and exported at once.

What the checklist in CONTRIBUTING.md says is held here by walking it in small: how many of the reference's words are
anywhere in the translation.
"""

import csv
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar

from django.core.management import call_command

import numpy as np
import pytest

from campaigns.models import Campaign, TestSet
from exchange.exports import export_rows
from metrics.automatic import METRICS
from metrics.automatic.base import FloatArray, Metric, divided, own_signature
from metrics.scoring import names
from metrics.scoring.reading import read_metric_scores
from tests.metrics.automatic import contract
from tests.metrics.automatic.contract import MetricContract
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT


@dataclass(frozen=True)
class Coverage(Metric):
    """How many of the reference's different words are in the translation; of several references the best covered.

    Source: this test.
    """

    lowercase: bool = False

    name: ClassVar[str] = "coverage"
    title: ClassVar[str] = "Coverage"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("covered", "words")

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        there = self._words(hypothesis)
        rows = [(len(self._words(text) & there), len(self._words(text))) for text in references]
        return max(rows, key=lambda row: row[0] / row[1] if row[1] else 0.0)

    def _words(self, text: str) -> set[str]:
        return set((text.lower() if self.lowercase else text).split())

    def values(self, sums: FloatArray) -> FloatArray:
        return divided(sums[..., 0], sums[..., 1])

    def signature(self, n_references: int | None) -> str:
        return own_signature(n_references, f"case:{'lc' if self.lowercase else 'mixed'}")


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Steps 1, 2 and 4: a module, a line, a heading."""
    monkeypatch.setitem(sys.modules, "metrics.automatic.coverage", sys.modules[__name__])
    monkeypatch.setitem(METRICS._homes, "coverage", "coverage:Coverage")  # type: ignore[attr-defined]
    monkeypatch.setattr(names, "SCORING_METRICS", (*names.SCORING_METRICS, "coverage"))
    page = tmp_path / "metrics.md"
    page.write_text(f"{contract.PAGE.read_text(encoding='utf-8')}\n## coverage\n\nWords that are there.\n")
    monkeypatch.setattr(contract, "PAGE", page)


class TestCoverage(MetricContract):
    """Step 3: the contract, and a number worked out by hand."""

    name = "coverage"
    other_options: ClassVar[dict[str, Any]] = {"lowercase": True}

    def test_three_of_four_words(self) -> None:
        assert METRICS["coverage"]().score(["a b c c"], ["a b c d"]).value == 0.75


def test_it_is_scored_compared_and_sliced_by_command(test_set: TestSet) -> None:
    out, err = StringIO(), StringIO()
    options = ("--metric=coverage", "--by=document", "--resamples=20", "--json")
    call_command("score_test_set", test_set.name, *options, stdout=out, stderr=err)
    result = json.loads(out.getvalue())
    human = next(entry for entry in result["scores"] if entry["system"] == HUMAN)
    assert (human["score"], human["signature"]) == (1, Coverage().signature(1))
    assert human["details"] == {"covered": 33, "words": 33}
    assert result["comparisons"][0]["first"] == HUMAN
    assert sorted(result["slices"]["slices"]) == ["harbour", "orchard"]
    assert "Coverage: sentinel-wombat" in err.getvalue()


def test_it_is_read_and_exported_with_the_others(campaign: Campaign) -> None:
    call_command(
        "score_test_set",
        campaign.test_set.name,
        "--metric=coverage",
        "--metric=ter",
        stdout=StringIO(),
        stderr=StringIO(),
    )
    scores = read_metric_scores(campaign.test_set)
    assert [metric.title for metric in scores.metrics] == ["TER", "Coverage"]
    assert scores["coverage"].systems[scores.systems.index(HUMAN)] == 1
    assert np.isfinite(scores["coverage"].segments).all()
    text = b"".join(export_rows(campaign, "metric-systems-csv")).decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert {row["system"] for row in rows if row["metric"] == "coverage"} == {HUMAN, QUOKKA, WOMBAT}
