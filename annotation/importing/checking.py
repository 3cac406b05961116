"""A file of judgments looked through whole: read, staged, and everything that is wrong with it told at once."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.importing.appraise_csv import read_appraise_csv
from annotation.importing.assay_csv import read_assay_csv
from annotation.importing.contradictions import find_contradictions, find_impossible_answers, find_impossible_values
from annotation.importing.mqm_tsv import read_mqm_tsv
from annotation.importing.mt_metrics_eval import read_mt_metrics_eval
from annotation.importing.protocol_choice import choose_protocol
from annotation.importing.reading import Reading
from annotation.importing.records import Row
from annotation.importing.staged_tables import take_apart
from annotation.importing.staging import stage_rows
from annotation.protocols import protocol_for
from campaigns.importing import ImportFileError
from campaigns.importing.decoding import check_is_text, fault_in
from campaigns.importing.problems import Problems, UnreadableFileError

LANGUAGE_LIMIT = 35
Reader = Callable[[Reading], Iterator[Row]]

FORMATS: dict[str, Reader] = {
    "appraise-csv": read_appraise_csv,
    "assay-csv": read_assay_csv,
    "mt-metrics-eval": read_mt_metrics_eval,
    "wmt-mqm-tsv": read_mqm_tsv,
}
COUNTED = {
    "judgments": "judgment",
    "annotators": "annotator",
    "systems": "system WHERE is_judged",
    "documents": "document",
    "segments": "segment",
    "rows": "given",
}


@dataclass(frozen=True)
class Checked:
    """What the file holds, in the terms of the campaign to be made."""

    protocol: str
    options: dict[str, Any]
    report: dict[str, Any]
    languages: tuple[str, str]


def check_file(
    staged: sqlite3.Connection, path: Path, *, format: str, protocol: str | None, languages: tuple[str, str] = ("", "")
) -> Checked:
    """Fills the staging tables; ImportFileError lists every problem, by line and column."""
    reading = Reading(path, Problems(), protocol or "", *languages)
    chosen = None
    with suppress(UnreadableFileError):  # why is among the problems
        chosen = _look_through(staged, reading, FORMATS[format])
    if reading.problems.count or chosen is None:
        raise _refusal(reading.problems)
    report = {counted: _count(staged, table) for counted, table in COUNTED.items()}
    found = (reading.source_language, reading.target_language)
    return Checked(*chosen, report=report | {"notes": reading.problems.notes}, languages=found)


def _look_through(staged: sqlite3.Connection, reading: Reading, read: Reader) -> tuple[str, dict[str, Any]] | None:
    file, problems = reading.file, reading.problems
    check_is_text(reading.path, file, problems)
    stage_rows(staged, read(reading))
    if not _count(staged, "given"):
        if not problems.count:
            problems.add(file, None, "", _("There is no judgment in it."), is_fatal=True)
        raise UnreadableFileError
    _check_languages(reading)
    take_apart(staged)
    find_contradictions(staged, file, problems)
    chosen = choose_protocol(staged, reading.protocol, file, problems)
    if chosen is not None:
        name, options = chosen
        protocol = protocol_for(name, options)
        find_impossible_answers(staged, protocol, file, problems)
        find_impossible_values(staged, protocol.measures, file, problems)
    return chosen


def _check_languages(reading: Reading) -> None:
    """As the file names them; an odd name is kept, one that cannot be stored is not."""
    for side, name in (("source", reading.source_language), ("target", reading.target_language)):
        if fault_in(name) or len(name) > LANGUAGE_LIMIT:
            message = _("Unknown language. Name it with --source-language and --target-language.")
            reading.problems.add(reading.file, None, side, message, name, is_fatal=True)


def _refusal(problems: Problems) -> ImportFileError:
    in_order = sorted(problems.kept, key=lambda problem: problem.line or 0)
    lines = [str(problem) for problem in in_order]
    hidden = problems.count - len(lines)
    if hidden:
        lines.append(_("… and %(count)d more problems.") % {"count": hidden})
    return ImportFileError("\n".join(lines))


def _count(staged: sqlite3.Connection, table: str) -> int:
    return int(staged.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # noqa: S608 - our own names
