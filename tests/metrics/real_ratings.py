"""Ratings of real campaigns as plain columns and matrices, read from beside the repository."""

import csv
import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from metrics.statistics.arrays import FloatArray
from tests.metrics.real_campaigns import real_case

CALIBRATION, RANKING, SIDE_BY_SIDE = "da-wmt22-calibration", "ranking-wmt16", "mqm-wmt23-ende-three-raters"
MARK = re.compile(r"</?v>")


@dataclass(frozen=True)
class Ratings:
    """`matrix` is (annotators, items), NaN = not rated."""

    annotators: tuple[str, ...]
    matrix: FloatArray


@cache
def calibration(pair: str, *, newest: bool = False) -> Ratings:
    """WMT22 calibration items; of two ratings of one item the last of the file counts, or the newest by time."""
    source, target = pair.split("-")
    ratings: dict[tuple[str, tuple[str, str, str]], tuple[float, float]] = {}
    with gzip.open(next(real_case(CALIBRATION).glob("WMT22*.gz")), "rt", encoding="utf-8") as lines:
        for row in csv.reader(lines):
            user, system, item, kind, row_source, row_target, score, document, is_document, _, ended = row
            if (row_source, row_target, kind, is_document) != (source, target, "TGT", "False"):
                continue
            key = (user, (system, document, item))
            if not newest or key not in ratings or float(ended) >= ratings[key][1]:
                ratings[key] = (float(score), float(ended))
    annotators = sorted({user for user, _ in ratings})
    items = {item: place for place, item in enumerate(sorted({item for _, item in ratings}))}
    matrix = np.full((len(annotators), len(items)), np.nan)
    for (annotator, rated), (value, _) in ratings.items():
        matrix[annotators.index(annotator), items[rated]] = value
    return Ratings(tuple(annotators), matrix)


@dataclass(frozen=True)
class MarkedError:
    """A row of the side-by-side MQM file: where in the unmarked target, how bad, and its weight in tenths."""

    item: tuple[str, str, str]
    rater: str
    span: tuple[int, int] | None
    severity: str
    tenths: int


@cache
def marked_errors() -> tuple[MarkedError, ...]:
    return tuple(_marked_errors())


def _marked_errors() -> Iterator[MarkedError]:
    path = next(real_case(SIDE_BY_SIDE).glob("sxs_*.gz"))
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        next(lines)
        for line in lines:
            system, document, segment, _, rater, _, target, category, severity = line.rstrip("\n").split("\t")
            yield MarkedError(
                (system, document, segment), rater, _span(target), severity.lower(), _tenths(category, severity.lower())
            )


def _span(marked: str) -> tuple[int, int] | None:
    start, end = marked.find("<v>"), marked.find("</v>")
    return (start, end - len("<v>")) if 0 <= start < end else None


def _tenths(category: str, severity: str) -> int:
    if severity == "major":
        return 250 if category.lower().startswith("non-translation") else 50
    if severity == "minor":
        return 1 if category.lower() == "fluency/punctuation" else 10
    return 0


@cache
def penalties_in_tenths() -> Ratings:
    """Raters by items; every item has three."""
    errors = marked_errors()
    raters = sorted({error.rater for error in errors})
    items = {item: place for place, item in enumerate(sorted({error.item for error in errors}))}
    matrix = np.full((len(raters), len(items)), np.nan)
    for error in errors:
        cell = raters.index(error.rater), items[error.item]
        matrix[cell] = (0 if np.isnan(matrix[cell]) else matrix[cell]) + error.tenths
    return Ratings(tuple(raters), matrix)


@dataclass(frozen=True)
class RankedPair:
    segment: str
    judge: str
    first: str
    second: str
    label: int


@cache
def ranked_pairs(file: str) -> tuple[RankedPair, ...]:
    """WMT16 tr-en, `wmt16` (every pair of systems) or `wmt16.collapsed` (of outputs), in the order of the file."""
    path = real_case(RANKING) / f"{file}.tur-eng.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return tuple(
            RankedPair(
                row["srcIndex"],
                row["judgeID"],
                row["system1Id"],
                row["system2Id"],
                int(np.sign(int(row["system2rank"]) - int(row["system1rank"]))),
            )
            for row in csv.DictReader(lines)
        )


def system_of(name: str) -> str:
    """newstest2016.jhu-pbmt.4285.tr-en is jhu-pbmt."""
    return name.split(".")[1]


@dataclass(frozen=True)
class RankedOutput:
    """One system on a screen; of an output several systems share, the first is its owner."""

    segment: str
    judge: str
    screen: str
    system: str
    rank: int
    is_own: bool


@cache
def ranked_screens() -> tuple[RankedOutput, ...]:
    """WMT16 tr-en, a row a system and screen, screens in the order of the file, outputs together."""
    path = real_case(RANKING) / "wmt16.collapsed.tur-eng.csv.gz"
    screens: dict[tuple[str, str, str], dict[str, int]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            screen = screens.setdefault((row["srcIndex"], row["judgeID"], row["rankingID"]), {})
            for side in ("1", "2"):
                screen[row[f"system{side}Id"]] = int(row[f"system{side}rank"])
    return tuple(
        RankedOutput(segment, judge, screen, system, rank, place == 0)
        for (segment, judge, screen), outputs in screens.items()
        for output, rank in outputs.items()
        for place, system in enumerate(sorted(output.split("+")))
    )
