"""Score tables small enough to redo by hand, and a simulated campaign large enough for significant differences."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from metrics.matrices import ScoreTable
from tests.metrics.score_tables import score_table


@dataclass
class Rows:
    """Rows gathered one judgment at a time."""

    columns: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, annotator: str, system: str, segment: str | None, value: float, **more: Any) -> "Rows":
        row = {
            "annotators": annotator,
            "systems": system,
            "segments": segment,
            "values": value,
            "documents": more.get("document", "d"),
            "domains": more.get("domain", "news"),
            "assignments": more.get("assignment", annotator),
            "kinds": more.get("kind", "regular"),
            "seconds": more.get("seconds", 20.0),
            "surplus": more.get("surplus", False),
        }
        for name, cell in row.items():
            self.columns.setdefault(name, []).append(cell)
        return self

    def table(self, measure: str = "score", **more: Any) -> ScoreTable:
        columns: dict[str, Any] = {**self.columns, **more}
        return score_table(measure, low=0, high=100, **columns)


def two_annotators() -> Rows:
    """Ana: 10 20 30 40 (mean 25), Bo: 60 70 80 90 (mean 75), the same spread: x is always 20 above y.

    Deviations are sqrt(500/3); z of ana's 30 is 5 / sqrt(500/3).
    """
    rows = Rows()
    for annotator, base in (("ana", 10), ("bo", 60)):
        for place in range(2):
            rows.add(annotator, "x", f"s{place}", base + 20 + 10 * place, document=f"d{place}")
            rows.add(annotator, "y", f"s{place}", base + 10 * place, document=f"d{place}")
    return rows


def simulated(
    qualities: dict[str, float], *, n_documents: int = 12, per_document: int = 6, n_annotators: int = 4, seed: int = 1
) -> Rows:
    """Every annotator judges every third segment of every system, each with their own bias and spread."""
    rng = np.random.default_rng(seed)
    rows = Rows()
    bias, spread = rng.normal(0, 12, n_annotators), rng.uniform(0.6, 1.4, n_annotators)
    for document in range(n_documents):
        difficulty = rng.normal(0, 4)
        for segment in range(per_document):
            for annotator in range(n_annotators):
                if (document + segment + annotator) % 3:
                    continue
                for system, quality in qualities.items():
                    value = 60 + bias[annotator] + spread[annotator] * (quality + difficulty + rng.normal(0, 8))
                    rows.add(
                        f"annotator{annotator}",
                        system,
                        f"{document}.{segment}",
                        float(np.clip(round(value), 0, 100)),
                        document=f"document{document}",
                        domain="news" if document % 2 else "talk",
                    )
    return rows
