"""Tables: `csv` (comma or semicolon, quoted) and `tsv` (tabs, no quotes); and the meaning of each column or key."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError, text_error
from exchange.reading import SHORT_LIMIT, Line, SourceFile, WrongSegment

NEEDED = ("document", "segment", "source")
PLAIN = (*NEEDED, "domain", "tags", "title", "instruction")
NAMED = ("reference", "system")
NONE = "none"
MEANINGS = (*NEEDED, *NAMED, "title", "domain", "tags", "instruction", NONE)
FIRST_REFERENCE = "A"
MOST_COLUMNS = 500  # of columns whose meaning is set
# titles accepted for a required column if no column has its name
_ALSO_CALLED = {
    "document": ("doc", "docid", "doc_id", "doc-id", "document_id", "document id"),
    "segment": ("seg", "segid", "seg_id", "seg-id", "segment_id", "segment id", "id"),
    "source": ("src", "source_text", "source text", "original"),
}


@dataclass(frozen=True)
class Column:
    """`number` counts from 1; references and systems have a `name`; `samples` are the first values below the title."""

    number: int
    title: str
    meaning: str
    name: str = ""
    samples: tuple[str, ...] = ()

    @property
    def role(self) -> str:
        return role_of(self.meaning, self.name)

    @property
    def place(self) -> str:
        """How people find the column."""
        return f"“{self.title}”" if self.title else f"column {self.number}"


def role_of(meaning: str, name: str) -> str:
    """As an import expects it."""
    return f"{meaning}:{name.strip()}" if meaning in NAMED else meaning


def guessed(titles: Sequence[str], problems: Problems) -> list[Column]:
    """The columns of a table: any column without another meaning is a system with the column's title."""
    columns = [_by_title(number, title.strip()) for number, title in enumerate(titles, start=1)]
    meanings = {column.meaning for column in columns}
    for meaning in (meaning for meaning in NEEDED if meaning not in meanings):
        alike = [column for column in columns if column.title.lower() in _ALSO_CALLED[meaning]]
        if len(alike) == 1:
            columns[alike[0].number - 1] = replace(alike[0], meaning=meaning, name="")
            problems.note(f"The column {alike[0].place} was read as the {meaning}.")
    return columns


def _by_title(number: int, title: str) -> Column:
    kind, _colon, rest = title.partition(":")
    key, label = kind.strip().lower(), rest.strip()
    if key in PLAIN and not rest:
        return Column(number, title, key)
    if key == "reference":
        return Column(number, title, key, label or FIRST_REFERENCE)
    return Column(number, title, "system", label if key == "system" and rest else title)


def as_chosen(
    columns: Sequence[Column], choices: Mapping[str, str], file: str, problems: Problems, more: Sequence[str] = ()
) -> list[Column]:
    """The columns with their `choices`: by title, or by number as `#2`, what each is: `source`, `system:Heron`, …"""
    chosen = list(columns)
    for key, role in choices.items():
        meaning, name = parted(role)
        matches = columns_called(key, columns)
        if not matches:
            titles = ", ".join(column.title for column in columns)
            problems.add(file, 1, key, f"Unknown column. The file has: {titles}.", is_fatal=True)
        if meaning not in (*MEANINGS, *more):
            message = f"“{role}” is unknown. A column can be: {', '.join((*MEANINGS, *more))}."
            problems.add(file, 1, key, message, is_fatal=True)
            continue
        for column in matches:
            chosen[column.number - 1] = replace(column, meaning=meaning, name=name)
    return chosen


def parted(role: str) -> tuple[str, str]:
    """`system:Heron` split into its two parts."""
    meaning, _colon, name = role.partition(":")
    meaning, name = meaning.strip().lower(), name.strip()
    if meaning not in NAMED:
        return (meaning, "") if not name else (role, "")
    return meaning, name or (FIRST_REFERENCE if meaning == "reference" else "")


def columns_called(key: str, columns: Iterable[Column]) -> list[Column]:
    columns = list(columns)
    named = [column for column in columns if column.title == key]
    return named or [column for column in columns if key == f"#{column.number}"]


def check_columns(columns: Iterable[Column], file: str, problems: Problems) -> None:
    """No two may be the same; references and systems need a valid name."""
    seen: dict[str, Column] = {}
    for column in (column for column in columns if column.meaning != NONE):
        is_unnamed = column.meaning in NAMED and not 1 <= len(column.name) <= SHORT_LIMIT
        error = text_error(column.title) or text_error(column.name)
        if is_unnamed or error:
            message = error or f"Column {column.number} needs a name of 1 to {SHORT_LIMIT} characters."
            problems.add(file, 1, f"column {column.number}", message, column.title, is_fatal=True)
        elif column.role in seen:
            what = f"{column.meaning} {column.name}".strip()
            message = (
                f"The {what} occurs twice, in {seen[column.role].place} and in column {column.number}. Rename one of "
                "them, or choose another meaning for it."
            )
            problems.add(file, 1, column.title, message, is_fatal=True)
        seen.setdefault(column.role, column)


def check_complete(columns: Sequence[Column], file: str, problems: Problems) -> None:
    """A table needs each text's place, its source, and a system's translation."""
    meanings = {column.meaning for column in columns}
    missing = [needed for needed in NEEDED if needed not in meanings]
    if missing:
        message = (
            f"The header has no column {', '.join(missing)}. Required: {', '.join(NEEDED)}, and one column for each "
            "system."
        )
        titles = ", ".join(column.title for column in columns)
        problems.add(file, 1, "", message, titles, is_fatal=True)
    if "system" not in meanings and not missing:
        problems.add(file, 1, "", "The header has no column for a system. Add one for each system.", is_fatal=True)


SAMPLES = 3


@dataclass
class _Columns:
    """The place of each column in a row; `titles` are the columns as the header spells them."""

    titles: list[str]
    plain: dict[str, int] = field(default_factory=dict)
    references: dict[str, int] = field(default_factory=dict)
    systems: dict[str, int] = field(default_factory=dict)

    @property
    def spelled(self) -> dict[str, str]:
        places = {f"reference:{name}": at for name, at in self.references.items()}
        places.update({f"system:{name}": at for name, at in self.systems.items()})
        return {key: self.titles[at] for key, at in places.items()}


def table_columns(path: Path, choices: Mapping[str, str], *, is_tabbed: bool) -> list[Column]:
    """The columns as they are read, with the cells of the first rows, whatever errors follow."""
    unheard = Problems()
    rows = SourceFile(path, "", unheard).table_rows(is_tabbed=is_tabbed)
    try:
        header, *first = [cells for _line, cells in islice(rows, 1 + SAMPLES)] or [[]]
    except UnreadableFileError:
        return []
    columns = as_chosen(guessed(header, unheard), choices, "", unheard)
    return [
        replace(column, samples=tuple(cells[at] for cells in first if at < len(cells)))
        for at, column in enumerate(columns)
    ]


def read_table(
    file: SourceFile, choices: Mapping[str, str], *, is_tabbed: bool
) -> Iterator[SegmentRecord | WrongSegment]:
    rows = file.table_rows(is_tabbed=is_tabbed)
    header = next(rows, None)
    if header is None:
        file.line().refuse("", "The file is empty.", is_fatal=True)
        return
    columns = _columns(header[1], choices, file.name, file.problems)
    is_empty = True
    for number, cells in rows:
        is_empty = False
        record = _record(cells, columns, file.line(number))
        if record is not None:
            yield record
    if is_empty:
        file.line(1).refuse("", "The file has a header but no rows.", is_fatal=True)


def _columns(header: list[str], choices: Mapping[str, str], name: str, problems: Problems) -> _Columns:
    columns = as_chosen(guessed(header, problems), choices, name, problems)
    check_columns(columns, name, problems)
    check_complete(columns, name, problems)
    if problems.fatal:
        raise UnreadableFileError
    placed = _Columns([column.title for column in columns])
    kinds = {"reference": placed.references, "system": placed.systems}
    for at, column in enumerate(columns):
        if column.meaning != NONE:
            kinds.get(column.meaning, placed.plain)[column.name or column.meaning] = at
    return placed


def _record(cells: list[str], columns: _Columns, line: Line) -> SegmentRecord | WrongSegment | None:
    if not line.has_width(cells, len(columns.titles)):
        return None
    plain, references, translations = (
        {key: cells[at] for key, at in places.items()}
        for places in (columns.plain, columns.references, columns.systems)
    )
    is_short = line.check_short(plain.get("tags", ""), "tags", 1000)
    tags = tuple(tag.strip() for tag in plain.get("tags", "").replace(";", ",").split(",") if tag.strip())
    record = line.segment(plain, references, translations, tags=tags, columns=columns.spelled)
    if is_short or record is None:
        return record
    return WrongSegment(record.document, record.segment, record.file, record.line)
