"""The contrastive ESA study, English to Japanese, two annotators: from its file of scores to arrays."""

import csv
from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.error_table import ErrorTable
from metrics.matrices import ScoreTable
from metrics.recipes import recipe_for
from tests.metrics.real_campaigns import real_case
from tests.metrics.score_tables import score_table

CASE = "cesa-enja"
HUMANS = frozenset({"refA"})


@dataclass(frozen=True)
class ScoreLine:
    """One system in one row of a screen; `segment` is unique in the campaign, `minor` and `major` count tags too."""

    annotator: str
    screen: str
    document: str
    domain: str
    segment: str
    system: str
    kind: str
    score: float
    minor: int
    major: int


def score_lines() -> list[ScoreLine]:
    with (real_case(CASE) / "scores.tsv").open(encoding="utf-8", newline="") as lines:
        return [
            ScoreLine(
                annotator=row["annotator"],
                screen=f"{row['annotator']} {row['screen']}",
                document=row["document"],
                domain=row["domain"],
                segment=f"{row['document']} {row['segment']}",
                system=row["system"],
                kind="repeat" if row["repeat"] == "1" else "regular",
                score=float(row["score"]),
                minor=int(row["minor"]),
                major=int(row["major"]),
            )
            for row in csv.DictReader(lines, delimiter="\t")
        ]


def contrastive_evidence(recipe: str, **options: object) -> Evidence:
    """Every row its own output: here nobody merged equal ones."""
    lines = score_lines()
    scores = _table("score", lines, [line.score for line in lines])
    marks = [(row, label) for row, line in enumerate(lines) for label, count in _marks(line) for _ in range(count)]
    places, labels = np.array(marks, dtype=np.int64).T
    nowhere = np.zeros(places.size, dtype=np.int64)
    errors = ErrorTable(
        row=places,
        label=labels,
        start=nowhere,
        end=nowhere,
        is_target=nowhere == 0,
        categories=("", ""),
        severities=("minor", "major"),
    )
    penalties = _table("penalty", lines, [line.minor + 5 * line.major for line in lines])
    chosen = recipe_for("esa", recipe, options)
    return Evidence((scores, penalties), chosen, marked=errors, humans=HUMANS)


def _marks(line: ScoreLine) -> tuple[tuple[int, int], ...]:
    return (0, line.minor), (1, line.major)


def _table(measure: str, lines: list[ScoreLine], values: list[float]) -> ScoreTable:
    table = score_table(
        measure,
        values=values,
        annotators=[line.annotator for line in lines],
        systems=[line.system for line in lines],
        segments=[line.segment for line in lines],
        documents=[line.document for line in lines],
        domains=[line.domain for line in lines],
        judgments=[line.screen for line in lines],
        kinds=[line.kind for line in lines],
        higher_is_better=measure == "score",
        low=0,
        high=100,
    )
    return replace(table, is_own=np.ones(len(table), dtype=np.bool_))
