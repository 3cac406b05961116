"""`assay-csv`: one row for each judgment × translation × measure, in the order the judgments were stored."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from annotation.importing.columns import OPTIONAL, PROGRAM, REQUIRED, SURPLUS
from annotation.models import Judgment, is_surplus
from annotation.spreadsheet_cells import safe_name, safe_text
from campaigns.models import Campaign, Membership
from exchange.export_choice import EVERYTHING, ExportChoice
from exchange.judgment_streams import Follower, JudgedSlot, credited, derived, judged_slots, scored
from exchange.tables.csv_and_json import Table, as_number, as_seconds, as_time
from metrics.derivations import Derivation, JudgedText, derivations_of

Values = list[tuple[str, str]]


def judgments_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    """With codes for annotators, the names of assignments, which may be people's, are left out."""
    columns = [*REQUIRED, *OPTIONAL]
    own = Judgment.objects.filter(item__assignment__campaign=campaign)
    if own.alias(left_out=is_surplus()).filter(left_out=True).exists():
        columns.append(SURPLUS)
    programs = _programs_of(campaign)
    if programs:
        columns.append(PROGRAM)
    return Table(columns, (_in_order(row, columns) for row in _judgment_rows(campaign, choice, programs)))


def _judgment_rows(campaign: Campaign, choice: ExportChoice, programs: frozenset[str]) -> Iterator[dict[str, str]]:
    """The rows by column. A judgment's numbers are rows of their own; one without a number keeps one empty row."""
    derivations = derivations_of(campaign.protocol)
    streams = (credited(campaign, choice), scored(campaign, choice), derived(campaign, choice))
    credits, scores, formulas = map(Follower, streams)
    for judgment_id, group in groupby(judged_slots(campaign, choice), key=lambda row: row.judgment_id):
        slots = list(group)
        first = slots[0]
        if choice.codes:
            first = first._replace(annotator=choice.called(first.annotator), assignment="")
        shared = _judgment_cells(campaign, first) | {PROGRAM: _written(slots[0].annotator in programs)}
        credits_by_slot = credits.rows_of(judgment_id)
        numbers = _Numbers(scores.rows_of(judgment_id), formulas.rows_of(judgment_id))
        for slot in slots:
            outputs = [(slot.system_id, slot.system, slot.translation_id)]
            outputs += [tuple(row[1:]) for row in credits_by_slot if row[0] == slot.slot]
            for system_id, system, translation_id in outputs:
                cells = shared | _slot_cells(slot, system)
                values = numbers.of(translation_id, system_id)
                values += _not_worked_out(slot, derivations, {measure for measure, _value in values})
                for measure, value in values or [("", "")]:
                    yield cells | {"measure": safe_name(measure), "value": value}


def _not_worked_out(slot: JudgedSlot, derivations: Iterable[Derivation], known: set[str]) -> Values:
    """What follows from an answer that came after the last analysis; the export stores nothing."""
    if isinstance(slot.answer, Mapping) and slot.answer.get("cannot_judge"):
        return []
    judged = JudgedText.of(slot.shown or "", slot.answer, slot.slot or "")
    missing = [
        each
        for each in derivations
        if each.measure.name not in known and slot.translation_id is not None
        if slot.shown is not None or not each.needs_text
    ]
    found = [(each.measure.name, each.derive([judged])[0]) for each in missing]
    return [(measure, as_number(derived.value)) for measure, derived in found if derived is not None]


def _programs_of(campaign: Campaign) -> frozenset[str]:
    """Annotators whose token an organiser handed out; removed ones judged, too."""
    own = Membership.ever.filter(campaign=campaign, is_program=True)
    return frozenset(own.values_list("account__username", flat=True))


def _written(switch: bool) -> str:
    return "true" if switch else "false"


def _in_order(row: dict[str, str], columns: list[str]) -> list[str]:
    return [row[column] for column in columns]


class _Numbers:
    """The numbers of one judgment, by the output they belong to: as answered first, then those that follow."""

    def __init__(self, scores: list[tuple[Any, ...]], formulas: list[tuple[Any, ...]]) -> None:
        self._of_translation: dict[int, dict[str, float]] = {}
        self._of_system: dict[int, dict[str, float]] = {}
        for translation_id, system_id, measure, value in scores:
            of = self._of_translation if translation_id is not None else self._of_system
            of.setdefault(translation_id if translation_id is not None else system_id, {})[measure] = value
        for translation_id, measure, value in formulas:
            self._of_translation.setdefault(translation_id, {})[measure] = value

    def of(self, translation_id: int | None, system_id: int | None) -> Values:
        if translation_id is None:
            found = self._of_system.get(system_id or 0, {})
        else:
            found = self._of_translation.get(translation_id, {})
        return [(measure, as_number(value)) for measure, value in found.items()]


def _judgment_cells(campaign: Campaign, row: JudgedSlot) -> dict[str, str]:
    return {
        "judgment": str(row.client_id),
        "annotator": safe_name(row.annotator),
        "protocol": campaign.protocol,
        "document": safe_name(row.document),
        "segment": safe_name(row.segment or ""),
        "kind": row.kind,
        "assignment": safe_name(row.assignment or str(row.assignment_position)),
        "position": str(row.position),
        "revision": str(row.revision),
        "started": as_time(row.started),
        "submitted": as_time(row.submitted),
        "seconds": as_seconds(row.elapsed_ms),
        "active_seconds": as_seconds(row.active_ms),
        "answer": json.dumps(row.answer, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
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
