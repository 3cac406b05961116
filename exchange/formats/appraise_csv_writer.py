"""`appraise-csv`: the scores of a campaign as Appraise exports them, without a header; `appraise_csv` reads them."""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.models import ErrorSpan, ItemKind, Judgment, Side, is_surplus, slot_values
from campaigns.languages import code_of_language
from campaigns.models import Campaign, Document, Segment, System
from exchange.exported_judgments import (
    CHUNK,
    EVERYTHING,
    ExportChoice,
    Follower,
    JudgedSlot,
    credited,
    judged_slots,
    judgments_of,
    scored,
)
from exchange.formats.appraise_cells import MISSING, read_document_name
from exchange.formats.appraise_csv import KIND_OF_TYPE
from exchange.formats.appraise_writer import MARKING
from exchange.tables.csv_and_json import as_number, csv_rows

PROTOCOLS = frozenset({"direct_assessment", "esa"})
TYPES = {kind: type_there for type_there, kind in KIND_OF_TYPE.items()} | {ItemKind.PRACTICE.value: "TGT"}
MEASURES = ("score", "document_score")
TUTORIAL = "tutorial"
NAMED = 5
_NUMBER = r"^[0-9]{1,9}$"


def obstacles(campaign: Campaign) -> list[str]:
    """Names of documents that would be read as those of copies."""
    own = Document.objects.filter(test_set=campaign.test_set_id, name__contains="#").order_by("position")
    systems = ["", *System.objects.filter(campaigns=campaign).values_list("name", flat=True)]
    names = own.values_list("name", flat=True)
    odd = [name for name in names if any(read_document_name(name, system).name != name for system in systems)]
    if not odd:
        return []
    message = _("Appraise would take these names of documents for copies. Rename: %(names)s.")
    return [message % {"names": ", ".join(odd[:NAMED])}]


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:
    own = judgments_of(campaign, choice).order_by()
    spans = choice.of_judgments(ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign))
    counted: tuple[tuple[Any, str], ...] = (
        (own.exclude(cannot_judge=""), _("Items that could not be judged, left out: %(count)d.")),
        (_surplus(own), _("Surplus judgments, left out: %(count)d.")),
        (own.filter(_unnamed_practice()), _("Practice that is not named a tutorial, left out: %(count)d.")),
        (spans.filter(side=Side.SOURCE), _("Errors marked in sources, left out: %(count)d.")),
    )
    told = [message % {"count": count} for rows, message in counted if (count := rows.count())]
    return [
        *told,
        _("Texts, comments, categories and notes of errors, assignments and screens are not in this file."),
    ]


def _surplus(judgments: "QuerySet[Judgment]") -> "QuerySet[Judgment]":
    return judgments.alias(counts_not=is_surplus()).filter(counts_not=True)


def _unnamed_practice() -> Q:
    """A tutorial is told by its name alone."""
    return Q(item__kind=ItemKind.PRACTICE) & ~Q(item__document__name__icontains=TUTORIAL)


def written_judgments(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> "QuerySet[Judgment]":
    """Every revision of those that have an equal there."""
    own = judgments_of(campaign, choice).filter(cannot_judge="", item__kind__in=TYPES).exclude(_unnamed_practice())
    return own.alias(counts_not=is_surplus()).filter(counts_not=False)


def write_scores(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    """A row for each score of a system, in the order the judgments were stored."""
    return csv_rows(_rows(campaign, choice))


def _rows(campaign: Campaign, choice: ExportChoice) -> Iterator[list[str]]:
    credits, scores = Follower(credited(campaign, choice)), Follower(scored(campaign, choice))
    items = _Items(campaign)
    languages = [
        code_of_language(tag) for tag in (campaign.test_set.source_language, campaign.test_set.target_language)
    ]
    slots = judged_slots(written_judgments(campaign, choice))
    for judgment_id, several in groupby(slots, key=lambda row: row.judgment_id):
        credits_by_slot = credits.rows_of(judgment_id)
        values = {
            (translation_id or -(system_id or 0)): value
            for translation_id, system_id, measure, value in scores.rows_of(judgment_id)
            if measure in MEASURES
        }
        for slot in several:
            outputs = [(slot.system_id, slot.system, slot.translation_id)]
            outputs += [tuple(row[1:]) for row in credits_by_slot if row[0] == slot.slot]
            spans = [_marks(slot)] if campaign.protocol in MARKING else []
            for system_id, system, translation_id in outputs:
                value = values.get(translation_id or -(system_id or 0))
                if value is not None:
                    yield [
                        choice.called(slot.annotator),
                        system or "",
                        items.number(slot),
                        TYPES[slot.kind],
                        *languages,
                        as_number(value),
                        slot.document + ("#bad" if slot.kind == ItemKind.DEGRADED else ""),
                        str(slot.segment_id is None),
                        *spans,
                        *(_seconds(moment) for moment in (slot.started, slot.submitted)),
                    ]


def _marks(slot: JudgedSlot) -> str:
    """As JSON; the last character counts in, and an omission has no place."""
    spans = slot_values(slot.answer, slot.slot or "").get("spans") or []
    return json.dumps(
        [_mark(span) for span in spans if span.get("side", Side.TARGET) == Side.TARGET], separators=(",", ":")
    )


def _mark(span: Mapping[str, Any]) -> dict[str, Any]:
    start, end = span["start"], span["end"]
    ends = (start, end - 1) if start < end else (MISSING, MISSING)
    return {"start_i": ends[0], "end_i": ends[1], "severity": span["severity"], "error_type": None}


def _seconds(moment: Any) -> str:
    return "" if moment is None else as_number(round(moment.timestamp(), 3))


class _Items:
    """Numbers of items: the names of a document's segments if all are numbers, else their places in it, from 1.

    The score of a whole document has the number after the last one.
    """

    def __init__(self, campaign: Campaign) -> None:
        own = Segment.objects.filter(document__test_set=campaign.test_set_id)
        named = own.exclude(name__regex=_NUMBER).values("document")
        rows = own.filter(document__in=named).order_by("document", "position", "pk").values_list("document", "pk")
        self._places: dict[int, int] = {}
        for _document, keys in groupby(rows.iterator(CHUNK), key=lambda row: row[0]):
            self._places |= {key: place for place, (_same, key) in enumerate(keys, start=1)}
        documents = Document.objects.filter(test_set=campaign.test_set_id).annotate(length=Count("segments"))
        self._lengths = dict(documents.values_list("name", "length"))

    def number(self, slot: JudgedSlot) -> str:
        if slot.segment_id is None:
            return str(self._lengths[slot.document] + 1)
        place = self._places.get(slot.segment_id)
        return (slot.segment or "") if place is None else str(place)
