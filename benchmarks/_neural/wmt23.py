"""WMT23 English to German: the texts that `expected.json` names, what people said of them, and published scores."""

import json
import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bootstrap.places import ROOT

HOME = Path(os.environ.get("ASSAY_REAL_DATA") or ROOT.parent / "shared" / "data")
CASE = HOME / "neural-wmt23-ende" / "expected.json"
TEXTS = HOME / "metrics-wmt23-ende" / "wmt23"
PUBLISHED = {
    "BLEURT-20": "BLEURT-20-refA",
    "COMET": "COMET-refA",
    "MetricX-23": "MetricX-23-refA",
}
Scores = NDArray[np.float64]  # (systems, segments)


@dataclass(frozen=True)
class Wmt23:
    """`people`: MQM scores, higher is better."""

    names: tuple[str, ...]
    sources: tuple[str, ...]
    references: tuple[str, ...]
    outputs: dict[str, tuple[str, ...]]
    people: Scores
    published: dict[str, Scores]


def read() -> Wmt23:
    """OSError where the data is not there."""
    chosen = json.loads(CASE.read_text(encoding="utf-8"))["input"]
    lines, names = chosen["lines_from_0"], tuple(chosen["systems"])

    def texts(path: str) -> tuple[str, ...]:
        every = (TEXTS / path).read_text(encoding="utf-8").split("\n")
        return tuple(every[line] for line in lines)

    def scores(path: str) -> Scores:
        of_system: dict[str, list[str]] = defaultdict(list)
        for row in (TEXTS / path).read_text(encoding="utf-8").splitlines():
            system, score = row.split("\t")
            of_system[system].append(score)
        return np.array([[float(of_system[name][line]) for line in lines] for name in names])

    return Wmt23(
        names=names,
        sources=texts("sources/en-de.txt"),
        references=texts("references/en-de.refA.txt"),
        outputs={name: texts(f"system-outputs/en-de/{name}.txt") for name in names},
        people=scores("human-scores/en-de.mqm.seg.score"),
        published={title: scores(f"metric-scores/en-de/{file}.seg.score") for title, file in PUBLISHED.items()},
    )
