"""Campaigns in which hardly anything can be computed, of every protocol, as tables to import."""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any

from annotation.protocols import protocol_for
from campaigns.models import Campaign
from exchange.judgment_files import import_judgments

Row = dict[str, Any]
COLUMNS = (
    "judgment", "annotator", "protocol", "document", "segment", "system", "kind", "measure", "value", "slot", "answer",
    "translation",
)  # fmt: skip
SPAN = {"side": "target", "start": 0, "end": 3, "category": "accuracy/omission", "severity": "major", "note": ""}


@dataclass(frozen=True)
class Shape:
    """Who judged what. `overlap`: everybody the same, else each a segment of their own; `level`: no scores differ."""

    annotators: int = 2
    systems: int = 2
    segments: int = 4
    documents: int = 2
    overlap: bool = True
    level: bool = False
    kind: str = "regular"
    most: int = 10_000


SHAPES: dict[str, Shape] = {
    "nothing but practice": Shape(kind="practice"),
    "one judgment": Shape(most=1),
    "three judgments": Shape(most=3),
    "one annotator": Shape(annotators=1),
    "one annotator, enough": Shape(annotators=1, segments=24, documents=6),
    "one system": Shape(systems=1),
    "one document": Shape(documents=1),
    "one segment": Shape(segments=1, documents=1),
    "no overlap": Shape(annotators=3, segments=6, overlap=False),
    "all scores equal": Shape(annotators=3, segments=12, documents=6, level=True),
    "controls alone": Shape(kind="degraded"),
    "repeats alone": Shape(kind="repeat"),
}


def degenerate(protocol: str, shape: Shape, folder: Path, *, name: str = "Degenerate") -> Campaign:
    path = folder / "judgments.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows(_rows(protocol, shape))
    return import_judgments(path, format="assay-csv", name=name).campaign


def _rows(protocol: str, shape: Shape) -> Iterator[Row]:
    made = 0
    for annotator, segment in product(range(shape.annotators), range(shape.segments)):
        if not shape.overlap and segment % shape.annotators != annotator:
            continue
        for screen in _screens(protocol, shape):
            if made >= shape.most:
                return
            made += 1
            for place, system in enumerate(screen):
                number = 0 if shape.level else (3 * annotator + 5 * segment + 7 * system) % 6
                common = {
                    "judgment": made,
                    "annotator": f"annotator{annotator}",
                    "protocol": protocol,
                    "document": f"document{segment % shape.documents}",
                    "segment": "" if protocol == "gisting" else f"segment{segment}",
                    "system": f"system{system}",
                    "kind": shape.kind,
                    "slot": "AB"[place],
                    "translation": "" if protocol == "gisting" else "Some words of it",
                }
                yield from ({**common, **numbers} for numbers in rows_of(protocol, number))


def _screens(protocol: str, shape: Shape) -> list[tuple[int, ...]]:
    if protocol == "ranking":
        return [tuple(range(min(2, shape.systems)))]
    return [(system,) for system in range(shape.systems)]


def _numbers(**values: float) -> list[Row]:
    return [{"measure": measure, "value": value} for measure, value in values.items()]


def _answered(answer: Row, **values: float) -> list[Row]:
    whole = json.dumps({"slots": {"A": answer}, "comment": "", "cannot_judge": None})
    return [{**row, "answer": whole} for row in _numbers(**values) or [{"measure": "", "value": ""}]]


def rows_of(protocol: str, number: int) -> list[Row]:
    """An answer that grows with the number, from 0 to 5."""
    if protocol in ROWS:
        return ROWS[protocol](number)
    measures = [measure for measure in protocol_for(protocol, {}).measures if measure.level == "segment"]
    lengths = {measure: measure.high - measure.low if isfinite(measure.high) else 5 for measure in measures}
    return _numbers(**{measure.name: measure.low + length * number / 5 for measure, length in lengths.items()})


# Of protocols whose answers are more than numbers, or numbers of one kind.
ROWS: dict[str, Callable[[int], list[Row]]] = {
    "likert": lambda number: _numbers(adequacy=1 + number % 5, fluency=1 + number % 4),
    "ranking": lambda number: _numbers(rank=1 + number % 2),
    "mqm": lambda number: _answered({"spans": [SPAN] * (number % 3)}),
    "esa": lambda number: _answered({"spans": [SPAN] * (number % 2), "score": 60 + number}, score=60 + number),
    "post_editing": lambda number: _answered({"text": "Some words of it" + " more" * (number % 3)}),
    "gisting": lambda number: _numbers(correct=number % 3, asked=2),
}
