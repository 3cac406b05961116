"""Scores of metrics as files: read as a table or as the lines of mt-metrics-eval, written as tables.

The columns, or the file's name (`COMET-refA.seg.score`), tell what a file contains.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

import numpy as np

from campaigns.models import Campaign
from campaigns.reading.problems import UnreadableFileError, text_error
from campaigns.reading.workbook import is_workbook
from exchange.cells import safe_name
from exchange.exported_judgments import EVERYTHING, ExportChoice
from exchange.reading import Line, SourceFile, check_header
from exchange.tables.csv_and_json import Table, as_number
from metrics.models import ScoreLevel
from metrics.scoring.reading import MetricScores, read_metric_scores

SYSTEMS = (
    "metric", "system", "score", "low", "high", "segments", "better", "origin", "signature",
    "interval_signature", "interval_note", "unavailable",
)  # fmt: skip
SEGMENTS = ("metric", "system", "document", "segment", "score", "better", "origin", "signature")
NEEDED = ("system", "score")
PLACES = ("document", "segment")
NO_SCORE = ("", "None", "NA", "nan", "NaN")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LARGEST = 1e300
_LEVELS = {
    **dict.fromkeys(("seg", "segment", "segments"), ScoreLevel.SEGMENT),
    **dict.fromkeys(("sys", "system", "systems"), ScoreLevel.SYSTEM),
}
_SUFFIXES = (".score", ".scores", ".tsv", ".csv", ".tab", ".txt")
_REFERENCES = re.compile(r"-(?P<reference>ref[^-.]*)$")


@dataclass(frozen=True)
class ScoreFile:
    """A file of scores. What is None follows from the file's name or from its columns.

    `name` is the file's name for people, where the path on disk is another.
    """

    path: Path
    metric: str
    level: str | None = None
    higher_is_better: bool = True
    references: tuple[str, ...] | None = None
    name: str = ""

    @property
    def called(self) -> str:
        return self.name or self.path.name


def level_of(file_name: str) -> ScoreLevel | None:
    """`.seg.score` and `.sys.score` as mt-metrics-eval ends its files; also `.seg.tsv` and `.systems.csv`."""
    return _LEVELS.get(_without_suffix(file_name).rpartition(".")[2].lower())


def guess_metric(file_name: str) -> str:
    """The metric in the file's name: `COMET-refA` of `COMET-refA.seg.score`."""
    stem = _without_suffix(file_name)
    head, _dot, last = stem.rpartition(".")
    return head if head and last.lower() in _LEVELS else stem


def guess_references(file_name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """The references of the test set that the name mentions; `refA` is the one called A, or refA."""
    match = _REFERENCES.search(guess_metric(file_name))
    named = match["reference"] if match else ""
    return tuple(name for name in known if named and named in (name, f"ref{name}"))


def _without_suffix(file_name: str) -> str:
    lower = file_name.lower()
    return next((file_name[: -len(suffix)] for suffix in _SUFFIXES if lower.endswith(suffix)), file_name)


@dataclass(frozen=True)
class ScoreLine:
    """`document` and `segment` are None if the file names none; `value` is None without a score."""

    line: int
    system: str
    document: str | None
    segment: str | None
    value: float | None


@dataclass
class ScoreLines:
    """The sound lines of a file; errors in others are among the problems."""

    lines: list[ScoreLine]
    has_documents: bool = False
    has_segments: bool = False


def read_lines(file: SourceFile) -> ScoreLines:
    scores = ScoreLines([])
    try:
        file.check_is_text(is_workbook)
        first = file.header()
        is_tabbed = "\t" in first or not any(mark in first for mark in ",;")
        columns: dict[str, int] = {}
        for number, raw in file.table_rows(is_tabbed=is_tabbed):
            line, cells = file.line(number), raw[0].split() if len(raw) == 1 else [cell.strip() for cell in raw]
            if not columns:
                header = _header(cells, line)
                columns = header or _WITHOUT_HEADER
                scores.has_documents, scores.has_segments = "document" in columns, "segment" in columns
                if header:
                    continue
            if columns is _WITHOUT_HEADER and len(cells) != columns["width"]:
                line.refuse("", _("A line must be a system, a tab and a score."), "\t".join(cells))
            elif line.has_width(cells, columns["width"]):
                scores.lines += _score_line(
                    {title: cells[at] for title, at in columns.items() if title != "width"}, line
                )
    except UnreadableFileError:
        return ScoreLines([])
    return scores


_WITHOUT_HEADER = {"system": 0, "score": 1, "width": 2}


def _header(cells: list[str], line: Line) -> dict[str, int] | None:
    """The place of each column; None if the first line names no column and is a line like the others."""
    titles = [cell.lower() for cell in cells]
    if not set(titles) & {*NEEDED, *PLACES}:
        return None
    required = (*NEEDED, "segment") if "document" in titles else NEEDED
    check_header(titles, required, (*NEEDED, *PLACES), line)
    return {title: at for at, title in enumerate(titles) if title in (*NEEDED, *PLACES)} | {"width": len(titles)}


def _score_line(cells: Mapping[str, str], line: Line) -> Iterator[ScoreLine]:
    before = line.problems.count
    for title in ("system", *(place for place in PLACES if place in cells)):
        cell = cells[title]
        if error := text_error(cell) if cell else _("This cell is empty."):
            line.refuse(title, error, cell)
    score = cells["score"]
    is_number = _NUMBER.fullmatch(score) is not None and abs(float(score)) < _LARGEST
    if score not in NO_SCORE and not is_number:
        message = _("This is not a number. Write it as -0.53, or None where there is no score.")
        line.refuse("score", message, score)
    if line.problems.count == before:
        value = float(score) + 0.0 if is_number else None
        yield ScoreLine(line.number or 0, cells["system"], cells.get("document"), cells.get("segment"), value)


def system_scores_table(campaign: Campaign, _choice: ExportChoice = EVERYTHING) -> Table:
    return Table(SYSTEMS, _systems(campaign))


def segment_scores_table(campaign: Campaign, _choice: ExportChoice = EVERYTHING) -> Table:
    return Table(SEGMENTS, _segments(campaign))


def _systems(campaign: Campaign) -> Iterator[list[str]]:
    """An interval only if a run of this very score computed one."""
    scores = read_metric_scores(campaign.test_set)
    for metric in scores.metrics:
        scored = (~np.isnan(metric.segments)).sum(axis=1).tolist()
        for system, value, segments, signature in zip(
            scores.systems, metric.systems.tolist(), scored, metric.signatures, strict=True
        ):
            stored = metric.entries.get(system)
            if stored and stored.unavailable and np.isnan(value):
                about = _about(metric, stored.signature)
                yield [safe_name(metric.name), safe_name(system), "", "", "", "", *about, "", "", stored.unavailable]
            elif not np.isnan(value):
                entry = stored if stored and stored.score == value else None
                low, high = map(as_number, entry.interval) if entry and entry.interval else ("", "")
                about_interval = (getattr(entry, key, None) or "" for key in ("interval_signature", "interval_note"))
                counted = str(segments) if segments else ""
                name = safe_name(metric.name), safe_name(system)
                yield [*name, as_number(value), low, high, counted, *_about(metric, signature), *about_interval, ""]


def _segments(campaign: Campaign) -> Iterator[list[str]]:
    scores = read_metric_scores(campaign.test_set)
    places = [
        (safe_name(document), safe_name(name))
        for document, name in zip(scores.documents, scores.segment_names, strict=True)
    ]
    for metric in scores.metrics:
        name, about = safe_name(metric.name), _about(metric, metric.segment_signature)
        for system, row in zip(scores.systems, metric.segments, strict=True):
            for at in np.flatnonzero(~np.isnan(row)).tolist():
                yield [name, safe_name(system), *places[at], as_number(float(row[at])), *about]


def _about(metric: MetricScores, signature: str) -> tuple[str, str, str]:
    better = "higher" if metric.higher_is_better else "lower"
    return better, safe_name(metric.file_name) if metric.is_imported else "counted", safe_name(signature)
