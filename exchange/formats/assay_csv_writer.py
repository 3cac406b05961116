"""`assay-csv` out: the judgments of a campaign, read some at a time in the order in which they were stored.

A row costs a few microseconds: what the database can write as text comes as text, and what repeats is written once.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Annotated, Any, NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast, Coalesce

from annotation.models import Assignment, AssignmentStatus, Credit, Item, Judgment, Score, slot_values
from annotation.protocols import PROTOCOLS
from annotation.queries.crowd import labels_by_annotator
from campaigns.crowd_labels import label_names
from campaigns.models import Account, Campaign, Crowd, Document, Membership, Reference, Segment, System
from exchange import cells
from exchange.cells import safe_name, safe_text
from exchange.exported_judgments import EVERYTHING, ExportChoice, judgments_of, paths_of
from exchange.formats.assay_csv import COLUMN, PARSERS, PROGRAM, SCREEN, SURPLUS
from exchange.key_windows import NAMED_AT_ONCE, KeyWindow, key_windows
from exchange.staging.judgments import BY_CHANCE
from exchange.tables.csv_and_json import Table, as_number, as_seconds, csv_rows, pieces_of
from metrics.derivations import JudgedText, derivations_of
from metrics.models import DerivedScore

Values = list[tuple[str, str]]
_Output = tuple[int | None, int | None]
_Numbers = Mapping[_Output, Mapping[str, float]]
_WRITTEN = {True: "true", False: "false"}
MOST_TEXTS = 5_000  # of segments, kept between windows
_number, _seconds = lru_cache(4096)(as_number), lru_cache(4096)(as_seconds)


class _Slot(NamedTuple):
    """One slot of one judgment, as the database writes it; what is the judgment's repeats in each of its slots."""

    judgment_id: Annotated[int, "pk"]
    client_id: Annotated[str, "client_text"]
    annotator_id: int
    assignment_id: Annotated[int, "item__assignment_id"]
    position: Annotated[int, "item__position"]
    screen: Annotated[int, "item__block"]
    kind: Annotated[str, "item__kind"]
    is_by_chance: Annotated[bool, "item__is_by_chance"]
    document_id: Annotated[int, "item__document_id"]
    segment_id: Annotated[int | None, "item__segment_id"]
    revision: int
    surplus: bool
    started: Annotated[str | None, "started_text"]
    submitted: Annotated[str | None, "submitted_text"]
    elapsed_ms: int | None
    active_ms: int | None
    answer: Annotated[str, "answer_text"]
    slot: Annotated[str | None, "item__slots__label"]
    columns: Annotated[str | None, "item__slots__columns"]
    system_id: Annotated[int | None, "item__slots__system_id"]
    translation_id: Annotated[int | None, "item__slots__translation_id"]
    shown: str | None


class _Answer(NamedTuple):
    """`cells`: the answer and its comment."""

    parsed: Any
    cells: tuple[str, str]


class _Text(NamedTuple):
    """The cells of a document or segment: its names, and the source, reference and domain."""

    names: tuple[str, str]
    source: str
    reference: str
    domain: str


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
    columns, rows = _table(campaign, choice, str)
    return Table(columns, rows)


def write_judgments(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    """The table as CSV, of which each text that repeats is quoted once."""
    columns, rows = _table(campaign, choice, quoted)
    return chain(csv_rows([columns]), pieces_of(f"{','.join(row)}\r\n" for row in rows))


def quoted(cell: str) -> str:
    """As `csv.writer` would."""
    if '"' in cell:
        return '"' + cell.replace('"', '""') + '"'
    return f'"{cell}"' if "," in cell or "\n" in cell or "\r" in cell else cell


def _table(
    campaign: Campaign, choice: ExportChoice, quote: Callable[[str], str]
) -> tuple[list[str], Iterator[tuple[str, ...]]]:
    programs = frozenset(
        Membership.ever.filter(campaign=campaign, is_program=True).values_list("account_id", flat=True)
    )
    is_written = {
        SURPLUS: _has_surplus(campaign),
        PROGRAM: bool(programs),
        **dict.fromkeys((SCREEN, COLUMN), PROTOCOLS[campaign.protocol].shows_whole_documents),
    }
    columns = [column for column in PARSERS if is_written.get(column, True)]
    pick = itemgetter(*(place for place, column in enumerate(PARSERS) if column in columns))
    rows = map(pick, _Rows(campaign, choice, programs, quote).all())
    return (columns, rows) if not choice.labels else _with_labels(campaign, columns, rows, quote)


def _with_labels(
    campaign: Campaign, columns: list[str], rows: Iterator[tuple[str, ...]], quote: Callable[[str], str]
) -> tuple[list[str], Iterator[tuple[str, ...]]]:
    """`label.NAME` behind the other columns, of labels that somebody has."""
    labels = labels_by_annotator(campaign)
    crowd = Crowd.objects.filter(campaign=campaign).first()
    known = label_names(crowd.parameters) if crowd else []
    names = [name for name in known if any(own.value(name) for own in labels.values())]
    cells = {
        quote(safe_name(annotator)): tuple(quote(safe_text(own.value(name))) for name in names)
        for annotator, own in labels.items()
    }
    who, none = columns.index("annotator"), ("",) * len(names)
    return [*columns, *(f"label.{name}" for name in names)], (row + cells.get(row[who], none) for row in rows)


def _has_surplus(campaign: Campaign) -> bool:
    """In two queries, each of which looks at few rows: from the surplus judgments of all campaigns to their items."""
    own = Item.objects.filter(assignment__campaign=campaign)
    archived = own.filter(assignment__status=AssignmentStatus.ARCHIVED, judgments__isnull=False)
    return archived.exists() or own.filter(pk__in=Judgment.objects.filter(surplus=True).values("item")).exists()


class _Rows:
    """`programs`: annotators whose token an organiser created, including removed ones; `quote` makes cells."""

    def __init__(
        self, campaign: Campaign, choice: ExportChoice, programs: frozenset[int], quote: Callable[[str], str]
    ) -> None:
        self.campaign, self.choice, self.programs, self.quote = campaign, choice, programs, quote
        self.derivations = derivations_of(campaign.protocol)
        self.has_credits = Credit.objects.filter(system__test_set=campaign.test_set_id).exists()
        self.name = lru_cache(4096)(lambda text: quote(safe_name(text)))
        self.answer = lru_cache(512)(self._answer)  # short ones repeat
        own = System.objects.filter(test_set=campaign.test_set_id)
        self.systems = {key: self.name(name) for key, name in own.values_list("pk", "name")}
        self.people: dict[int, str] = {}
        self.assignments: dict[int, tuple[str, bool]] = {}
        self.texts: dict[tuple[int, int | None], _Text] = {}

    def all(self) -> Iterator[tuple[str, ...]]:
        """Cells in the order of PARSERS. A judgment has a row for each number; without a number it has an empty one."""
        for window in key_windows(judgments_of(self.campaign, self.choice)):
            places = self._places(window)
            worked_out: Mapping[int, Values] = {}
            if self.derivations:
                known = list(places)
                places, worked_out = iter(known), self._worked_out(known)
            for number, place in enumerate(places):
                for measure, value in place.own.items():
                    yield (*place.before, self.name(measure), _number(value), *place.after)
                values = worked_out.get(number, ())
                for measure, text in values if values or place.own else [("", "")]:
                    yield (*place.before, self.name(measure), text, *place.after)

    def _places(self, window: KeyWindow) -> Iterator[_Place]:
        beside, slots = self._beside(window), list(window.own(_slots(window)))
        self._learn(slots)
        before: tuple[int, tuple[Any, ...]] = (0, ())
        for slot in slots:
            key = slot.judgment_id
            if before[0] != key:
                numbers = _numbers(beside.scores.get(key, ()), beside.formulas.get(key, ()))
                answer = self.answer(slot.answer)
                before = (key, (numbers, answer, *self._shared(slot, answer)))
            numbers, answer, left, kind, right, timed = before[1]
            outputs = [(slot.system_id, slot.translation_id)]
            if self.has_credits:
                outputs += [row[1:] for row in beside.credits.get(key, ()) if row[0] == slot.slot]
            text = self.texts[slot.document_id, slot.segment_id]
            shown, label = self.quote(safe_text(slot.shown)), self.name(slot.slot or "")
            for place, (system, translation) in enumerate(outputs):
                own = numbers.get((translation, None) if translation else (None, system), {})
                column = (slot.columns or "")[place : place + 1]
                after = (*right[:2], label, right[2], column, *timed, text.source, shown, text.reference, text.domain)
                missing = self._missing(slot, answer.parsed, own) if self.derivations else ()
                judged = JudgedText(slot.shown or "", slot_values(answer.parsed, slot.slot or "")) if missing else None
                system_name = "" if system is None else self.systems[system]
                yield _Place((*left, system_name, kind), (*after, answer.cells[1], *right[3:]), own, missing, judged)

    def _shared(self, row: _Slot, answer: _Answer) -> tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]:
        """The cells of a judgment: up to the system; its kind; assignment, place and switches; from revision on."""
        assignment, is_archived = self.assignments[row.assignment_id]
        names = self.texts[row.document_id, row.segment_id].names
        return (
            (_hyphenated(row.client_id), self.people[row.annotator_id], self.campaign.protocol, *names),
            BY_CHANCE if row.is_by_chance else row.kind,
            (
                assignment,
                str(row.position),
                str(row.screen),
                _WRITTEN[is_archived or bool(row.surplus)],
                _WRITTEN[row.annotator_id in self.programs],
            ),
            (
                str(row.revision),
                _time(row.started),
                _time(row.submitted),
                _seconds(row.elapsed_ms),
                _seconds(row.active_ms),
                answer.cells[0],
            ),
        )

    def _answer(self, text: str) -> _Answer:
        parsed = json.loads(text)
        comment = parsed.get("comment", "") if isinstance(parsed, dict) else ""
        comment = safe_name(comment if isinstance(comment, str) else "")
        return _Answer(parsed, (self.quote(cells.written_answer(parsed)), self.quote(comment)))

    def _learn(self, slots: Sequence[_Slot]) -> None:
        """What the judgments name by keys that were not met before."""
        people = {slot.annotator_id for slot in slots} - self.people.keys()
        for key, name in _some(Account.objects.all(), people, "username"):
            self.people[key] = self.name(self.choice.called(name))
        assignments = {slot.assignment_id for slot in slots} - self.assignments.keys()
        for key, name, position, status in _some(Assignment.objects.all(), assignments, "name", "position", "status"):
            shown = "" if self.choice.codes else name
            self.assignments[key] = (self.name(shown or str(position)), status == AssignmentStatus.ARCHIVED)
        if len(self.texts) > MOST_TEXTS:
            self.texts.clear()
        texts = {(slot.document_id, slot.segment_id) for slot in slots} - self.texts.keys()
        documents = {row[0]: row for row in _some(Document.objects.all(), {key for key, _ in texts}, "name", "domain")}
        first = Reference.objects.filter(segment=OuterRef("pk")).order_by("name").values("text")[:1]
        rows = Segment.objects.annotate(reference_text=Subquery(first))
        paths = ("name", "domain", "source", "reference_text")
        segments = {row[0]: row[1:] for row in _some(rows, {key for _, key in texts if key}, *paths)}
        for document, segment in texts:
            _key, title, whole = documents[document]
            name, domain, source, reference = segments[segment] if segment else ("", "", None, None)
            self.texts[document, segment] = _Text(
                (self.name(title), self.name(name)),
                self.quote(safe_text(source)),
                self.quote(safe_text(reference)),
                self.name(domain or whole),
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
        credits: Mapping[int, Sequence[tuple[Any, ...]]] = {}
        if self.has_credits:
            judged = "slot__item__judgments"
            rows = window.of(Credit.objects.order_by(judged, "slot__label", "pk"), judged)
            credits = _by_judgment(rows, "slot__label", "system_id", "translation_id", judgment=judged)
        return _Beside(
            credits,
            _by_judgment(scores, "translation_id", "system_id", "measure", "value"),
            _by_judgment(derived, "translation_id", "measure", "value"),
        )


def _slots(window: KeyWindow) -> Iterator[_Slot]:
    """Only what differs from judgment to judgment; as texts and numbers, which Django need not convert."""
    rows = window.of(Judgment.objects.all()).annotate(
        client_text=Cast("client_id", TextField()),
        answer_text=Cast("answer", TextField()),
        started_text=Cast("started_at", TextField()),
        submitted_text=Cast("submitted_at", TextField()),
        shown=Coalesce("item__slots__damaged", "item__slots__translation__text"),
    )
    return map(_Slot._make, rows.order_by("pk", "item__slots__label").values_list(*paths_of(_Slot)))


def _some(rows: "QuerySet[Any]", keys: Iterable[int], *paths: str) -> Iterator[tuple[Any, ...]]:
    """Rows with these keys, which come first."""
    ordered = sorted(keys)
    for at in range(0, len(ordered), NAMED_AT_ONCE):
        yield from rows.filter(pk__in=ordered[at : at + NAMED_AT_ONCE]).values_list("pk", *paths)


def _by_judgment(
    rows: "QuerySet[Any]", *paths: str, judgment: str = "judgment_id"
) -> Mapping[int, Sequence[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows.values_list(judgment, *paths):
        found[row[0]].append(row[1:])
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


def _hyphenated(text: str) -> str:
    """SQLite stores an identifier without them."""
    return text if len(text) == 36 else f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _time(text: str | None) -> str:
    """ISO 8601 from what either database writes of a time in UTC."""
    if text is None:
        return ""
    fraction = text[19:].removesuffix("+00").rstrip("0")
    return f"{text[:10]}T{text[11:19]}{fraction:0<7}Z" if len(fraction) > 1 else f"{text[:10]}T{text[11:19]}Z"
