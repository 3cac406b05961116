"""`assay-csv` out: the judgments of a campaign, read some at a time in the order in which they were stored.

A row costs a few microseconds: what the database can write as text comes as text, and what repeats is written once.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Annotated, Any, NamedTuple

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast, Coalesce

from annotation.models import AssignmentStatus, Credit, Judgment, Score, is_surplus, slot_values
from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign, Membership, Reference
from exchange import cells
from exchange.cells import safe_name, safe_text
from exchange.exported_judgments import EVERYTHING, ExportChoice, judgments_of, paths_of
from exchange.formats.assay_csv import COLUMN, PARSERS, PROGRAM, SCREEN, SURPLUS
from exchange.key_windows import KeyWindow, key_windows
from exchange.staging.judgments import BY_CHANCE
from exchange.tables.csv_and_json import Table, as_number, as_seconds
from metrics.derivations import JudgedText, derivations_of
from metrics.models import DerivedScore

Values = list[tuple[str, str]]
_Output = tuple[int | None, int | None]
_Numbers = Mapping[_Output, Mapping[str, float]]
_WRITTEN = {True: "true", False: "false"}
_name, _seconds = lru_cache(4096)(safe_name), lru_cache(4096)(as_seconds)


class _Slot(NamedTuple):
    """One slot of one judgment, as the database writes it; what is the judgment's repeats in each of its slots."""

    judgment_id: Annotated[int, "pk"]
    client_id: Annotated[str, "client_text"]
    annotator: Annotated[str, "annotator__username"]
    assignment: Annotated[str, "item__assignment__name"]
    assignment_position: Annotated[int, "item__assignment__position"]
    position: Annotated[int, "item__position"]
    screen: Annotated[int, "item__block"]
    kind: Annotated[str, "item__kind"]
    is_by_chance: Annotated[bool, "item__is_by_chance"]
    document: Annotated[str, "item__document__name"]
    document_domain: Annotated[str, "item__document__domain"]
    segment: Annotated[str | None, "item__segment__name"]
    segment_domain: Annotated[str | None, "item__segment__domain"]
    source: Annotated[str | None, "item__segment__source"]
    reference: Annotated[str | None, "reference_text"]
    revision: int
    surplus: Annotated[bool, "counts_not"]
    started: Annotated[str | None, "started_text"]
    submitted: Annotated[str | None, "submitted_text"]
    elapsed_ms: int | None
    active_ms: int | None
    answer: Annotated[str, "answer_text"]
    slot: Annotated[str | None, "item__slots__label"]
    columns: Annotated[str | None, "item__slots__columns"]
    system_id: Annotated[int | None, "item__slots__system_id"]
    system: Annotated[str | None, "item__slots__system__name"]
    translation_id: Annotated[int | None, "item__slots__translation_id"]
    shown: str | None


class _Answer(NamedTuple):
    parsed: Any
    written: str
    comment: str


class _Beside(NamedTuple):
    """What is stored beside some judgments, by their keys."""

    credits: Mapping[int, Sequence[tuple[Any, ...]]]
    scores: Mapping[int, Sequence[tuple[Any, ...]]]
    formulas: Mapping[int, Sequence[tuple[Any, ...]]]


class _Place(NamedTuple):
    """An output of a judgment, with the cells before and after its numbers."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    own: Mapping[str, float]
    missing: Sequence[int]
    judged: JudgedText | None


def judgments_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    """With codes for annotators, the names of assignments, which may be names of people, are left out."""
    programs = _programs_of(campaign)
    is_written = {
        SURPLUS: _has_surplus(campaign),
        PROGRAM: bool(programs),
        **dict.fromkeys((SCREEN, COLUMN), PROTOCOLS[campaign.protocol].shows_whole_documents),
    }
    columns = [column for column in PARSERS if is_written.get(column, True)]
    pick = itemgetter(*(place for place, column in enumerate(PARSERS) if column in columns))
    return Table(columns, map(pick, _Rows(campaign, choice, programs).all()))


def _has_surplus(campaign: Campaign) -> bool:
    """In two queries, each of which looks at few rows."""
    own = Judgment.objects.filter(item__assignment__campaign=campaign)
    archived = own.filter(item__assignment__status=AssignmentStatus.ARCHIVED)
    return archived.exists() or own.filter(surplus=True).exists()


def _programs_of(campaign: Campaign) -> frozenset[str]:
    """Annotators whose token an organiser created; including removed ones."""
    own = Membership.ever.filter(campaign=campaign, is_program=True)
    return frozenset(own.values_list("account__username", flat=True))


class _Rows:
    def __init__(self, campaign: Campaign, choice: ExportChoice, programs: frozenset[str]) -> None:
        self.campaign, self.choice, self.programs = campaign, choice, programs
        self.derivations = derivations_of(campaign.protocol)
        self.has_credits = Credit.objects.filter(system__test_set=campaign.test_set_id).exists()

    def all(self) -> Iterator[tuple[str, ...]]:
        """Cells in the order of PARSERS. A judgment has a row for each number; without a number it has an empty one."""
        for window in key_windows(judgments_of(self.campaign, self.choice)):
            places = list(self._places(window))
            worked_out = self._worked_out(places)
            for number, place in enumerate(places):
                values = [(measure, as_number(value)) for measure, value in place.own.items()]
                values += worked_out.get(number, ())
                for measure, value in values or [("", "")]:
                    yield (*place.before, _name(measure), value, *place.after)

    def _places(self, window: KeyWindow) -> Iterator[_Place]:
        beside = self._beside(window)
        for judgment_id, group in groupby(window.own(_slots(window)), key=attrgetter("judgment_id")):
            slots = list(group)
            numbers = _numbers(beside.scores.get(judgment_id, ()), beside.formulas.get(judgment_id, ()))
            answer = _answer(slots[0].answer)
            shared = self._shared(slots[0], answer)
            credits = beside.credits.get(judgment_id, ())
            for slot in slots:
                outputs = [(slot.system_id, slot.system, slot.translation_id)]
                outputs += [row[1:] for row in credits if row[0] == slot.slot]
                for place, (system_id, system, translation_id) in enumerate(outputs):
                    own = numbers.get((translation_id, None) if translation_id else (None, system_id), {})
                    cells_of_slot = (
                        _name(system or ""),
                        safe_text(slot.shown),
                        (slot.columns or "")[place : place + 1],
                    )
                    yield self._place(slot, answer, own, shared, cells_of_slot)

    def _place(
        self, slot: _Slot, answer: _Answer, own: Mapping[str, float], shared: Sequence[str], of_slot: Sequence[str]
    ) -> _Place:
        judgment, annotator, document, segment, kind, assignment, *rest = shared
        position, screen, revision, started, submitted, seconds, active, written, source, *last = rest
        system, shown, column = of_slot
        before = (judgment, annotator, self.campaign.protocol, document, segment, system, kind)
        label = _name(slot.slot or "")
        timed = (revision, started, submitted, seconds, active, written, source, shown, *last)
        missing = self._missing(slot, answer.parsed, own) if self.derivations else ()
        judged = JudgedText(slot.shown or "", slot_values(answer.parsed, slot.slot or "")) if missing else None
        return _Place(before, (assignment, position, label, screen, column, *timed), own, missing, judged)

    def _shared(self, row: _Slot, answer: _Answer) -> tuple[str, ...]:
        """The cells of a judgment, in the order of PARSERS."""
        assignment = "" if self.choice.codes else row.assignment
        return (
            _hyphenated(row.client_id),
            _name(self.choice.called(row.annotator)),
            _name(row.document),
            _name(row.segment or ""),
            BY_CHANCE if row.is_by_chance else row.kind,
            _name(assignment or str(row.assignment_position)),
            str(row.position),
            str(row.screen),
            str(row.revision),
            _time(row.started),
            _time(row.submitted),
            _seconds(row.elapsed_ms),
            _seconds(row.active_ms),
            answer.written,
            safe_text(row.source),
            safe_text(row.reference),
            _name(row.segment_domain or row.document_domain),
            answer.comment,
            _WRITTEN[bool(row.surplus)],
            _WRITTEN[row.annotator in self.programs],
        )

    def _missing(self, slot: _Slot, answer: Any, own: Mapping[str, float]) -> Sequence[int]:
        """Derivations whose values are not stored, as the answer is newer than the last analysis."""
        if slot.translation_id is None or (isinstance(answer, Mapping) and answer.get("cannot_judge")):
            return ()
        return [
            number
            for number, each in enumerate(self.derivations)
            if each.measure.name not in own and (slot.shown is not None or not each.needs_text)
        ]

    def _worked_out(self, places: Sequence[_Place]) -> Mapping[int, Values]:
        """By the number of the place, in the order of derivations; the export stores nothing."""
        values: dict[int, Values] = defaultdict(list)
        for number, derivation in enumerate(self.derivations):
            rows = [at for at, place in enumerate(places) if number in place.missing]
            texts = [judged for at in rows if (judged := places[at].judged) is not None]
            for at, derived in zip(rows, derivation.derive(texts) if texts else (), strict=True):
                if derived is not None:
                    values[at].append((derivation.measure.name, as_number(derived.value)))
        return values

    def _beside(self, window: KeyWindow) -> _Beside:
        """The newest formula comes last; of our own formulas the current version counts."""
        scores = window.of(Score.objects.order_by("judgment_id", "pk"), "judgment_id")
        derived = window.of(DerivedScore.objects.order_by("judgment_id", "measure", "pk"), "judgment_id")
        for derivation in self.derivations:
            derived = derived.exclude(Q(measure=derivation.measure.name) & ~Q(signature=derivation.signature))
        credits: dict[int, list[tuple[Any, ...]]] = {}
        if self.has_credits:
            rows = window.of(Credit.objects.all(), "slot__item__judgments__pk")
            rows = rows.annotate(judgment_id=F("slot__item__judgments__pk")).order_by(
                "judgment_id", "slot__label", "pk"
            )
            credits = _by_judgment(rows, "slot__label", "system_id", "system__name", "translation_id")
        return _Beside(
            credits,
            _by_judgment(scores, "translation_id", "system_id", "measure", "value"),
            _by_judgment(derived, "translation_id", "measure", "value"),
        )


def _slots(window: KeyWindow) -> Iterator[_Slot]:
    first_reference = Reference.objects.filter(segment=OuterRef("item__segment")).order_by("name").values("text")[:1]
    rows = window.of(Judgment.objects.all()).annotate(
        client_text=Cast("client_id", TextField()),
        answer_text=Cast("answer", TextField()),
        started_text=Cast("started_at", TextField()),
        submitted_text=Cast("submitted_at", TextField()),
        reference_text=Subquery(first_reference),
        counts_not=is_surplus(),
        shown=Coalesce("item__slots__damaged", "item__slots__translation__text"),
    )
    return map(_Slot._make, rows.order_by("pk", "item__slots__label").values_list(*paths_of(_Slot)))


def _by_judgment(rows: "QuerySet[Any]", *paths: str) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for judgment, *values in rows.values_list("judgment_id", *paths):
        found[judgment].append(tuple(values))
    return found


def _numbers(scores: Iterable[tuple[Any, ...]], formulas: Iterable[tuple[Any, ...]]) -> _Numbers:
    """The numbers of one judgment, by the output they belong to: answered ones first, then derived ones.

    An output is a translation, or of a whole document a system.
    """
    numbers: dict[_Output, dict[str, float]] = {}
    for translation_id, system_id, measure, value in scores:
        output = (translation_id, None) if translation_id else (None, system_id)
        numbers.setdefault(output, {})[measure] = value
    for translation_id, measure, value in formulas:
        numbers.setdefault((translation_id, None), {})[measure] = value
    return numbers


@lru_cache(512)
def _answer(text: str) -> _Answer:
    """Short answers repeat."""
    parsed = json.loads(text)
    comment = parsed.get("comment", "") if isinstance(parsed, dict) else ""
    return _Answer(parsed, cells.written_answer(parsed), safe_name(comment if isinstance(comment, str) else ""))


def _hyphenated(text: str) -> str:
    """SQLite stores an identifier without them."""
    return text if len(text) == 36 else f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _time(text: str | None) -> str:
    """ISO 8601 from what either database writes of a time in UTC."""
    if text is None:
        return ""
    seconds, _point, fraction = text.removesuffix("+00").partition(".")
    return f"{seconds[:10]}T{seconds[11:]}{f'.{fraction:0<6}' if fraction.strip('0') else ''}Z"
