"""Formats of files of judgments, by the names that commands and pages know them by, and how each is recognised."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from django.utils.translation import gettext as _

from campaigns.reading.foreign_files import LOOKED_AT, keys_in, kind_of
from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.workbook import is_workbook
from exchange.formats.anthea import read_anthea
from exchange.formats.appraise_csv import missing_columns as missing_in_appraise
from exchange.formats.appraise_csv import read_appraise_csv
from exchange.formats.assay_csv import REQUIRED, read_assay_csv
from exchange.formats.label_studio import is_label_studio, read_label_studio
from exchange.formats.marot import BESIDE, read_marot, read_side_by_side
from exchange.formats.mt_metrics_eval import NOT_JUDGED, read_mt_metrics_eval
from exchange.formats.pearmut_annotations import read_pearmut
from exchange.formats.pearmut_records import is_json
from exchange.formats.seg_ratings import read_seg_ratings
from exchange.formats.segment_scores import read_genmt_scores, read_subset2evaluate
from exchange.formats.wmt_genmt import is_genmt
from exchange.formats.wmt_mqm_tsv import missing_columns as missing_in_ratings
from exchange.formats.wmt_mqm_tsv import read_mqm_tsv
from exchange.reading import ImportFileError, SourceFile
from exchange.staging.judgments import Reading, Row

Reader = Callable[[Reading], Iterator[Row]]

FORMATS: dict[str, Reader] = {
    "anthea": read_anthea,
    "appraise-csv": read_appraise_csv,
    "assay-csv": read_assay_csv,
    "label-studio": read_label_studio,
    "marot": read_marot,
    "mt-metrics-eval": read_mt_metrics_eval,
    "mt-metrics-eval-ratings": read_seg_ratings,
    "pearmut": read_pearmut,
    "subset2evaluate": read_subset2evaluate,
    "wmt-genmt": read_genmt_scores,
    "wmt-mqm-sxs": read_side_by_side,
    "wmt-mqm-tsv": read_mqm_tsv,
    "xlsx": read_assay_csv,
}
STORED_AS = {"mt-metrics-eval-ratings": "mt-metrics-eval"}  # texts of the same folders; the column has 20 characters
# of files that other importers refuse
BEGINNINGS = {
    "label-studio": (is_label_studio,),
    "anthea": (is_json,),
    "pearmut": (is_json,),
    "assay-csv": (is_workbook,),
    "xlsx": (is_workbook,),
    "wmt-genmt": (is_genmt,),
}
LINES_LOOKED_AT = 50


@dataclass(frozen=True)
class Beginning:
    """What a file begins with: its first lines, or the first row of a workbook, and the keys of JSON among them."""

    lines: Sequence[str]
    is_workbook: bool = False
    row: Sequence[str] = ()

    @property
    def first(self) -> str:
        return self.lines[0]

    @property
    def is_json(self) -> bool:
        return self.first.startswith(("{", "["))

    def in_tabs(self) -> list[list[str]]:
        return [line.split("\t") for line in self.lines]

    def without(self, *keys: str) -> list[str]:
        """Those of the keys that JSON lacks; of `one|other` either is enough."""
        known = keys_in("\n".join(self.lines)) if self.is_json else set()
        return [f"`{key.partition('|')[0]}`" for key in keys if known.isdisjoint(key.split("|"))]


def _without_columns(begin: Beginning) -> list[str]:
    row = begin.row or next(csv.reader([begin.first]), [])
    known = {cell.strip() for cell in row}
    return [f"`{name}`" for name in REQUIRED if name not in known]


def _workbook(begin: Beginning) -> list[str]:
    return _without_columns(begin) if begin.is_workbook else [_("workbook")]


def _project(begin: Beginning) -> list[str]:
    lacks = [] if begin.first.startswith("{") else [_("line of JSON at the start")]
    rows = [row for row in begin.in_tabs()[1:] if len(row) != 2]
    is_table = all(len(row) in (4, 5) for row in rows) and (rows or "prior_results" in keys_in(begin.first))
    return lacks if is_table else [*lacks, _("rows of source, target, document, system")]


def _ratings(begin: Beginning, *, needs_metadata: bool = False, needs_pairs: bool = False) -> list[str]:
    rows = begin.in_tabs()
    lacks = [f"`{name}`" for name in missing_in_ratings(rows)]
    has_metadata = "metadata" in map(str.strip, rows[0]) or any(row[-1].startswith("{") for row in rows if len(row) > 9)
    if needs_metadata and not has_metadata:
        lacks.append("`metadata`")
    is_paired = any(BESIDE in row[0] for row in rows) or any('"prior_' in line for line in begin.lines)
    return [*lacks, _("systems side by side, or marks of earlier raters")] if needs_pairs and not is_paired else lacks


def _scores(begin: Beginning, *, fits: Callable[[str], bool]) -> list[str]:
    """All lines may be without a judgment."""
    rows = begin.in_tabs()
    is_table = all(len(row) in (2, 3) and (row[1] == NOT_JUDGED or fits(row[1])) for row in rows)
    return [] if is_table else [_("lines of system, tab, score or rating")]


def _is_number(cell: str) -> bool:
    with suppress(ValueError):
        return bool(float(cell)) or True
    return False


# the special ones first: every one that follows would take their files as well
_MISSING: dict[str, Callable[[Beginning], list[str]]] = {
    "xlsx": _workbook,
    "assay-csv": _without_columns,
    "anthea": _project,
    "pearmut": lambda begin: begin.without("annotation", "item|actions"),
    "label-studio": lambda begin: begin.without("data", "annotations"),
    "wmt-genmt": lambda begin: begin.without("doc_id", "tgt_text", "scores"),
    "subset2evaluate": lambda begin: begin.without("src", "tgt", "scores"),
    "wmt-mqm-sxs": lambda begin: _ratings(begin, needs_pairs=True),
    "marot": lambda begin: _ratings(begin, needs_metadata=True),
    "wmt-mqm-tsv": _ratings,
    "mt-metrics-eval-ratings": lambda begin: _scores(begin, fits=lambda cell: cell.startswith(("{", "["))),
    "mt-metrics-eval": lambda begin: _scores(begin, fits=_is_number),
    "appraise-csv": lambda begin: missing_in_appraise(next(csv.reader([begin.first]), [])),
}


def guessed_format(path: Path, name: str) -> str:
    """By the content alone. ImportFileError says which formats were tried, and what the file lacks of each."""
    problems = Problems()
    file = SourceFile(path, name, problems)
    with suppress(UnreadableFileError):
        file.check_is_text(lambda _begin: True)
        begin = _beginning(file)
        missing = {format: lacks(begin) for format, lacks in _MISSING.items()}
        if found := next((format for format, lacks in missing.items() if not lacks), None):
            return found
        file.refuse(_reason(file, missing))
    raise ImportFileError(problems=problems)


def known_format(path: Path, name: str) -> str:
    """Empty if it is none of them."""
    try:
        return guessed_format(path, name)
    except ImportFileError:
        return ""


def _beginning(file: SourceFile) -> Beginning:
    if file.is_workbook:
        _line, row = next(file.csv_rows(), (0, []))
        return Beginning([""], is_workbook=True, row=row)
    with file.open_text(newline=None) as stream:
        text = stream.read(LOOKED_AT).lstrip("\ufeff \t\r\n")
        is_whole = not stream.read(1)
    lines = [line for line in text.split("\n") if line.strip()]
    whole = lines if is_whole or len(lines) < 2 else lines[:-1]  # the last one may be cut
    return Beginning(list(islice(whole, LINES_LOOKED_AT)) or [""])


def _reason(file: SourceFile, missing: dict[str, list[str]]) -> str:
    with file.path.open("rb") as stream:
        foreign = kind_of(stream.read(LOOKED_AT), formats=False)
    told = [
        _("%(format)s: no %(keys)s") % {"format": format, "keys": ", ".join(lacks)} for format, lacks in missing.items()
    ]
    tried = _("Formats tried: %(formats)s.") % {"formats": "; ".join(told)}
    kind = foreign or _("These are no judgments of a format that Assay knows.")
    return f"{kind} {tried}"
