"""Glossaries as tables: a term a row, its required and forbidden translations divided by `|`, and a note."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from django.utils.translation import gettext as _

from campaigns.actions.text_guidance import GlossaryTerm, term_errors
from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.workbook import is_workbook
from exchange.reading import ImportFileError, Line, SourceFile, check_header, note_unknown

COLUMNS = ("term", "required", "forbidden", "note")
SEPARATOR = "|"


def read_glossary(path: Path, name: str, problems: Problems) -> list[GlossaryTerm]:
    """The terms in the order of the file; ImportFileError with every problem of it. What is ignored is among notes."""
    terms: list[GlossaryTerm] = []
    with suppress(UnreadableFileError):  # the reason is among the problems
        terms = _terms(SourceFile(path, name, problems))
    if problems.count:
        raise ImportFileError(problems=problems)
    return terms


def _terms(file: SourceFile) -> list[GlossaryTerm]:
    file.check_is_text(is_workbook)
    rows = file.table_rows(is_tabbed="\t" in file.header())
    first, header = next(rows, (1, []))
    columns = [title.strip().lower() for title in header]
    check_header(columns, COLUMNS[:1], COLUMNS, file.line(first))
    note_unknown([column for column in columns if column not in COLUMNS], file.problems)
    seen: dict[str, int] = {}
    terms = []
    for number, cells in rows:
        line = file.line(number)
        if line.has_width(cells, len(columns)):
            term = _term(dict(zip(columns, cells, strict=True)))
            _check(term, line, seen)
            terms.append(term)
    if not terms and not file.problems.count:
        file.refuse(_("The file has a header but no terms."), 1)
    return terms


def _term(values: Mapping[str, str]) -> GlossaryTerm:
    required, forbidden = (
        tuple(part.strip() for part in values.get(column, "").split(SEPARATOR) if part.strip())
        for column in ("required", "forbidden")
    )
    return GlossaryTerm(values["term"].strip(), required, forbidden, values.get("note", "").strip())


def _check(term: GlossaryTerm, line: Line, seen: dict[str, int]) -> None:
    for column, error in term_errors(term).items():
        line.refuse(column, error)
    if earlier := seen.get(term.term.casefold()):
        line.refuse("term", _("This term is in line %(line)d already. Write one row for it.") % {"line": earlier})
    seen.setdefault(term.term.casefold(), line.number or 0)
