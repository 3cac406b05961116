"""Real Direct Assessment campaigns, read from beside the repository into score tables."""

import gzip
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metrics.matrices import ScoreTable
from tests.left_out import leave_out
from tests.metrics.score_tables import score_table

HOME = Path(os.environ.get("ASSAY_REAL_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
KIND_OF_TYPE = {"SYSTEM": "regular", "REPEAT": "repeat", "BAD_REF": "degraded", "REF": "reference"}


def real_case(name: str) -> Path:
    """The folder of a case. Where the data is absent a test that needs it fails in CI and is left out elsewhere."""
    folder = HOME / name
    if not folder.is_dir():
        leave_out(f"{folder} is not there: put the real campaigns beside the repository or set ASSAY_REAL_DATA")
    return folder


def expected_of(name: str) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads((real_case(name) / "expected.json").read_text())
    return expected


def wikipedia_table(pair: str) -> ScoreTable:
    """WMT21 Wikipedia task; `pair` as bn-hi. A document is the part of the segment's name before its number."""
    source, target = pair.split("-")
    path = real_case("da-wmt21-wikipedia") / "ad-latest.bn-hi.xh-zu.csv.gz"
    rows = [row for row in _rows(path) if (row[2], row[3]) == (source, target)]
    return score_table(
        "score",
        values=[float(row[10]) for row in rows],
        annotators=[row[1] for row in rows],
        systems=[row[6] for row in rows],
        segments=[row[9] for row in rows],
        documents=[row[9].rpartition(".")[0] for row in rows],
        kinds=[KIND_OF_TYPE[row[8]] for row in rows],
        low=0,
        high=100,
    )


@dataclass(frozen=True)
class CrowdRow:
    assignment: str
    annotator: str
    system: str
    segment: str
    kind: str
    score: int


def crowd_rows(pair: str) -> list[CrowdRow]:
    """WMT22 into English; scores are recovered from the published z and each annotator's mean and deviation."""
    folder = real_case("da-wmt22-crowd")
    letters = pair.replace("-", "")
    figures = _annotator_figures(folder / f"ad-{letters}-trk-mean-sd.txt")
    rows = []
    for hit, annotator, *_, system, _, kind, segment, z, _ in _rows(folder / f"ad-{letters}-good-stnd.csv.gz"):
        mean, deviation = figures[annotator]
        exact = float(z) * deviation + mean
        assert abs(exact - round(exact)) < 2e-3
        rows.append(CrowdRow(hit, annotator, system, segment, KIND_OF_TYPE[kind], round(exact)))
    return rows


def crowd_table(pair: str) -> ScoreTable:
    rows = crowd_rows(pair)
    return score_table(
        "score",
        values=[row.score for row in rows],
        annotators=[row.annotator for row in rows],
        systems=[row.system for row in rows],
        segments=[row.segment for row in rows],
        assignments=[row.assignment for row in rows],
        kinds=[row.kind for row in rows],
        low=0,
        high=100,
    )


def _rows(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            yield re.split(r"[\t ]+", line.strip().replace('"', ""))


def _annotator_figures(path: Path) -> dict[str, tuple[float, float]]:
    """Three lines an annotator, as R prints them: id, mean, deviation."""
    cells = [line.split("]", 1)[1].strip().strip('"') for line in path.read_text().splitlines() if line.strip()]
    return {cells[at]: (float(cells[at + 1]), float(cells[at + 2])) for at in range(0, len(cells), 3)}
