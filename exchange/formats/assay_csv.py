"""`assay-csv`: one row for each judgment × translation × measure, in the order the judgments were stored.

`import_judgments` reads what `export --format csv` writes. docs/formats.md has a heading for each column.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import ItemKind, Judgment, is_surplus, slot_values
from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign, Membership
from exchange import cells
from exchange.cells import CellError, restore, restored_text, safe_name, safe_text
from exchange.exported_judgments import (
    EVERYTHING,
    ExportChoice,
    Follower,
    JudgedSlot,
    credited,
    derived,
    judged_slots,
    judgments_of,
    scored,
)
from exchange.reading import Line, check_header, note_unknown
from exchange.staging.judgments import BY_CHANCE, JudgmentRow, Reading
from exchange.tables.csv_and_json import Table, as_number, as_seconds, as_time
from metrics.derivations import Derivation, JudgedText, derivations_of

REQUIRED = ("judgment", "annotator", "protocol", "document", "segment", "system", "kind", "measure", "value")
# Written only for campaigns with surplus judgments, always read.
SURPLUS = "surplus"
# Written only for campaigns in which a program judges, always read.
PROGRAM = "program"
# Written only where a whole document is judged on one screen, always read.
SCREEN, COLUMN = "screen", "column"
_COLUMNS = frozenset("123456789")
_KINDS = (*ItemKind.values, BY_CHANCE)


def _name(longest: int, *, required: bool = False) -> Callable[[str], str]:
    return lambda cell: cells.check_name(restore(cell), longest=longest, required=required)


def _known_name(longest: int, *, required: bool = False) -> Callable[[str], str]:
    """For columns that repeat few names: each is checked once."""
    return lru_cache(maxsize=4096)(_name(longest, required=required))


@lru_cache(maxsize=1024)
def _text(cell: str) -> str | None:
    return restored_text(cells.check_text(cell))


def _kind(cell: str) -> str:
    if cell not in _KINDS:
        raise CellError(_("Unknown kind. Known: %(known)s.") % {"known": ", ".join(_KINDS)})
    return cell


def _column(cell: str) -> int | None:
    if cell and cell not in _COLUMNS:
        raise CellError(_("The place of a translation on the screen is a whole number from 1 to 9."))
    return int(cell) if cell else None


def _answer(cell: str) -> str:
    answer = cells.parse_answer(restore(cell))
    return "" if answer is None else cells.written_answer(answer)


# column, in the order of the file → field of the record, and how its cell is parsed
PARSERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "judgment": ("judgment", _name(255, required=True)),
    "annotator": ("annotator", _known_name(150, required=True)),
    "protocol": ("protocol", _known_name(30)),
    "document": ("document", _known_name(255, required=True)),
    "segment": ("segment", _known_name(255)),
    "system": ("system", _known_name(150, required=True)),
    "kind": ("kind", _kind),
    "measure": ("measure", _known_name(50)),
    "value": ("value", lambda cell: cells.parse_number(restore(cell))),
    "assignment": ("assignment", _known_name(255)),
    "position": ("position", lambda cell: cells.parse_count(cell, low=0)),
    "slot": ("slot", _known_name(2)),
    SCREEN: ("screen", lambda cell: cells.parse_count(cell, low=0)),
    COLUMN: ("column", _column),
    "revision": ("revision", lambda cell: cells.parse_count(cell, low=1)),
    "started": ("started", cells.parse_time),
    "submitted": ("submitted", cells.parse_time),
    "seconds": ("elapsed_ms", cells.parse_seconds),
    "active_seconds": ("active_ms", cells.parse_seconds),
    "answer": ("answer", _answer),
    "source": ("source", _text),
    "translation": ("translation", _text),
    "reference": ("reference", _text),
    "domain": ("domain", _name(100)),
    "comment": ("comment", lambda cell: restore(cells.check_text(cell))),
    SURPLUS: ("surplus", cells.parse_switch),
    PROGRAM: ("program", cells.parse_switch),
}


def read_assay_csv(reading: Reading) -> Iterator[JudgmentRow]:
    """The records of a file that are sound in themselves; errors in the others go to its problems."""
    lines = reading.csv_rows(strict=True)
    header = next(lines, None)
    if header is None:
        reading.refuse(_("The file is empty."))
    columns = [column.strip() for column in header[1]]
    check_header(columns, REQUIRED, PARSERS, reading.line(header[0]))
    note_unknown([column for column in columns if column not in PARSERS], reading.problems)
    parsers = {column: parse for column, (_field, parse) in PARSERS.items() if column in columns}
    for number, row in lines:
        line = reading.line(number)
        if line.has_width(row, len(columns)):
            values = line.parse(parsers, dict(zip(columns, row, strict=True)))
            fields = {PARSERS[column][0]: value for column, value in (values or {}).items()}
            if fields and _is_paired(fields, line):
                yield JudgmentRow(line=number, **fields)


def _is_paired(fields: dict[str, Any], line: Line) -> bool:
    if (fields["measure"] == "") == (fields["value"] is None):
        return True
    column, other = ("value", "measure") if fields["measure"] else ("measure", "value")
    return line.refuse(column, _("This cell is empty, but the row has a %(other)s.") % {"other": other})


Values = list[tuple[str, str]]
_Output = tuple[int | None, int | None]


def judgments_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    """With codes for annotators, the names of assignments, which may be names of people, are left out."""
    own = Judgment.objects.filter(item__assignment__campaign=campaign)
    programs = _programs_of(campaign)
    is_written = {
        SURPLUS: own.alias(left_out=is_surplus()).filter(left_out=True).exists(),
        PROGRAM: bool(programs),
        **dict.fromkeys((SCREEN, COLUMN), PROTOCOLS[campaign.protocol].shows_whole_documents),
    }
    columns = [column for column in PARSERS if is_written.get(column, True)]
    rows = _judgment_rows(campaign, choice, programs)
    return Table(columns, ([row[column] for column in columns] for row in rows))


def _judgment_rows(campaign: Campaign, choice: ExportChoice, programs: frozenset[str]) -> Iterator[dict[str, str]]:
    """The rows by column. A judgment has one row for each number; without a number it has one empty row."""
    derivations = derivations_of(campaign.protocol)
    streams = (credited(campaign, choice), scored(campaign, choice), derived(campaign, choice))
    credits, scores, formulas = map(Follower, streams)
    for judgment_id, group in groupby(judged_slots(judgments_of(campaign, choice)), key=lambda row: row.judgment_id):
        slots = list(group)
        first = slots[0]
        if choice.codes:
            first = first._replace(annotator=choice.called(first.annotator), assignment="")
        shared = _judgment_cells(campaign, first) | {PROGRAM: _written(slots[0].annotator in programs)}
        credits_by_slot = credits.rows_of(judgment_id)
        numbers = _numbers(scores.rows_of(judgment_id), formulas.rows_of(judgment_id))
        for slot in slots:
            outputs = [(slot.system_id, slot.system, slot.translation_id)]
            outputs += [tuple(row[1:]) for row in credits_by_slot if row[0] == slot.slot]
            for place, (system_id, system, translation_id) in enumerate(outputs):
                cells = shared | _slot_cells(slot, system) | {COLUMN: (slot.columns or "")[place : place + 1]}
                own = numbers.get(_output(translation_id, system_id), {})
                values = [(measure, as_number(value)) for measure, value in own.items()]
                values += _not_worked_out(slot, derivations, set(own))
                for measure, value in values or [("", "")]:
                    yield cells | {"measure": safe_name(measure), "value": value}


def _not_worked_out(slot: JudgedSlot, derivations: Iterable[Derivation], known: set[str]) -> Values:
    """Derived values of answers that are newer than the last analysis; the export stores nothing."""
    if isinstance(slot.answer, Mapping) and slot.answer.get("cannot_judge"):
        return []
    judged = JudgedText(slot.shown or "", slot_values(slot.answer, slot.slot or ""))
    missing = [
        each
        for each in derivations
        if each.measure.name not in known and slot.translation_id is not None
        if slot.shown is not None or not each.needs_text
    ]
    derived_values = [(each.measure.name, each.derive([judged])[0]) for each in missing]
    return [(measure, as_number(derived.value)) for measure, derived in derived_values if derived is not None]


def _programs_of(campaign: Campaign) -> frozenset[str]:
    """Annotators whose token an organiser created; including removed ones."""
    own = Membership.ever.filter(campaign=campaign, is_program=True)
    return frozenset(own.values_list("account__username", flat=True))


def _written(switch: bool) -> str:
    return "true" if switch else "false"


def _numbers(scores: list[tuple[Any, ...]], formulas: list[tuple[Any, ...]]) -> dict[_Output, dict[str, float]]:
    """The numbers of one judgment, by the output they belong to: answered ones first, then derived ones."""
    numbers: dict[_Output, dict[str, float]] = defaultdict(dict)
    for translation_id, system_id, measure, value in scores:
        numbers[_output(translation_id, system_id)][measure] = value
    for translation_id, measure, value in formulas:
        numbers[_output(translation_id, None)][measure] = value
    return numbers


def _output(translation_id: int | None, system_id: int | None) -> _Output:
    """A translation, or of a whole document a system."""
    return (translation_id, None) if translation_id else (None, system_id)


def _judgment_cells(campaign: Campaign, row: JudgedSlot) -> dict[str, str]:
    return {
        "judgment": str(row.client_id),
        "annotator": safe_name(row.annotator),
        "protocol": campaign.protocol,
        "document": safe_name(row.document),
        "segment": safe_name(row.segment or ""),
        "kind": BY_CHANCE if row.is_by_chance else row.kind,
        "assignment": safe_name(row.assignment or str(row.assignment_position)),
        "position": str(row.position),
        SCREEN: str(row.screen),
        "revision": str(row.revision),
        "started": as_time(row.started),
        "submitted": as_time(row.submitted),
        "seconds": as_seconds(row.elapsed_ms),
        "active_seconds": as_seconds(row.active_ms),
        "answer": cells.written_answer(row.answer),
        "source": safe_text(row.source),
        "reference": safe_text(row.reference),
        "domain": safe_name(row.segment_domain or row.document_domain),
        "comment": safe_name(_comment_of(row.answer)),
        SURPLUS: _written(row.surplus),
    }


def _slot_cells(row: JudgedSlot, system: str | None) -> dict[str, str]:
    return {"system": safe_name(system or ""), "slot": safe_name(row.slot or ""), "translation": safe_text(row.shown)}


def _comment_of(answer: Any) -> str:
    comment = answer.get("comment", "") if isinstance(answer, dict) else ""
    return comment if isinstance(comment, str) else ""
