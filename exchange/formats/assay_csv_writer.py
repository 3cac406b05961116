"""`assay-csv` out: the judgments of a campaign, read some at a time in the order in which they were stored.

Some are read at once and written by columns, not by rows: a row costs a few microseconds. What repeats is looked up,
what the database can write as text comes as text, and each text that repeats is quoted once.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain, islice, repeat
from typing import Annotated, Any, NamedTuple

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, TextField, Value, When
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
from exchange.tables.csv_and_json import Table, as_number, as_seconds, csv_rows
from metrics.derivations import Derivation, JudgedText, derivations_of
from metrics.models import DerivedScore

Cells = Iterable[str]
_Numbers = Mapping[str, float | None]  # by measure
_Stored = Mapping[tuple[int, int], Mapping[str, float]]
_NO_NUMBER: _Numbers = {"": None}
_WRITTEN = {True: "true", False: "false"}
MOST_TEXTS = 5_000  # of segments, kept between windows
OUTPUTS = 1_000  # written at once: what is made of them fits beside the processor
LINES = 100  # sent at once
_seconds = lru_cache(4096)(as_seconds)


class _Slots(NamedTuple):
    """Columns of slots, as the database writes them; what is the judgment's repeats in each of its slots.

    The last three are the output's: a system that is credited with a judgment has them in a row of its own.
    """

    judgment_id: Annotated[Sequence[int], "pk"]
    client_id: Annotated[Sequence[str], "client_text"]
    annotator_id: Sequence[int]
    assignment_id: Annotated[Sequence[int], "item__assignment_id"]
    position: Annotated[Sequence[int], "item__position"]
    screen: Annotated[Sequence[int], "item__block"]
    kind: Annotated[Sequence[str], "kind_text"]
    document_id: Annotated[Sequence[int], "item__document_id"]
    segment_id: Annotated[Sequence[int | None], "item__segment_id"]
    revision: Sequence[int]
    surplus: Annotated[Sequence[str], "surplus_text"]
    started: Annotated[Sequence[str | None], "started_text"]
    submitted: Annotated[Sequence[str | None], "submitted_text"]
    elapsed_ms: Sequence[int | None]
    active_ms: Sequence[int | None]
    answer: Annotated[Sequence[str], "answer_text"]
    slot: Annotated[Sequence[str | None], "item__slots__label"]
    shown: Sequence[str | None]
    judged_id: Annotated[Sequence[int | None], "judged_translation"]
    columns: Annotated[Sequence[str | None], "item__slots__columns"]
    system_id: Annotated[Sequence[int | None], "item__slots__system_id"]
    translation_id: Annotated[Sequence[int | None], "item__slots__translation_id"]


_LABEL, _COLUMNS = map(_Slots._fields.index, ("slot", "columns"))


class _Answer(NamedTuple):
    parsed: Any
    cell: str
    comment: str


class _Text(NamedTuple):
    """The cells of a document or segment."""

    document: str
    segment: str
    source: str
    reference: str
    domain: str


def judgments_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    """With codes for annotators, the names of assignments, which may be names of people, are left out."""
    rows = _Rows(campaign, choice, str)
    return Table(rows.columns, rows.all())


def write_judgments(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    """The table as CSV, of which each text that repeats is quoted once."""
    rows = _Rows(campaign, choice, quoted)
    return chain(csv_rows([rows.columns]), map(str.encode, _joined(map(",".join, rows.all()))))


def _joined(lines: Iterator[str]) -> Iterator[str]:
    while several := list(islice(lines, LINES)):
        yield "\r\n".join([*several, ""])


def quoted(cell: str) -> str:
    """As `csv.writer` would."""
    if '"' in cell:
        return '"' + cell.replace('"', '""') + '"'
    return f'"{cell}"' if "," in cell or "\n" in cell or "\r" in cell else cell


def _written_columns(campaign: Campaign, programs: frozenset[int]) -> list[str]:
    is_written = {
        SURPLUS: _has_surplus(campaign),
        PROGRAM: bool(programs),
        **dict.fromkeys((SCREEN, COLUMN), PROTOCOLS[campaign.protocol].shows_whole_documents),
    }
    return [column for column in PARSERS if is_written.get(column, True)]


def _has_surplus(campaign: Campaign) -> bool:
    """In two queries, each of which looks at few rows: from the surplus judgments of all campaigns to their items."""
    own = Item.objects.filter(assignment__campaign=campaign)
    archived = own.filter(assignment__status=AssignmentStatus.ARCHIVED, judgments__isnull=False)
    return archived.exists() or own.filter(pk__in=Judgment.objects.filter(surplus=True).values("item")).exists()


class _Labels:
    """`label.NAME` behind the other columns, of labels that somebody has, where the file includes them."""

    def __init__(self, campaign: Campaign, choice: ExportChoice, quote: Callable[[str], str]) -> None:
        labels = labels_by_annotator(campaign) if choice.labels else {}
        crowd = Crowd.objects.filter(campaign=campaign).first() if choice.labels else None
        known = label_names(crowd.parameters) if crowd else []
        names = [name for name in known if any(own.value(name) for own in labels.values())]
        self.columns = [f"label.{name}" for name in names]
        self.none = ("",) * len(names)
        self.by_name = {
            annotator: tuple(quote(safe_text(own.value(name))) for name in names) for annotator, own in labels.items()
        }


class _Rows:
    """The table of a campaign; `quote` makes cells. `programs`: whose token an organiser created, even removed ones."""

    def __init__(self, campaign: Campaign, choice: ExportChoice, quote: Callable[[str], str]) -> None:
        self.campaign, self.choice, self.quote = campaign, choice, quote
        programs = Membership.ever.filter(campaign=campaign, is_program=True)
        self.programs = frozenset(programs.values_list("account_id", flat=True))
        self.derivations = derivations_of(campaign.protocol)
        self.has_credits = Credit.objects.filter(system__test_set=campaign.test_set_id).exists()
        self.name = lru_cache(1024)(self._name)  # most repeat
        self.answer = lru_cache(512)(self._answer)  # short ones repeat
        own = System.objects.filter(test_set=campaign.test_set_id)
        self.systems: dict[int | None, str] = {None: ""}
        self.systems |= {key: self.name(name) for key, name in own.values_list("pk", "name")}
        self.labels = _Labels(campaign, choice, quote)
        self.people: dict[int, str] = {}
        self.label_cells: dict[int, tuple[str, ...]] = {}
        self.assignments: dict[int, str] = {}
        self.archived: set[int] = set()
        self.texts: dict[tuple[int, int | None], _Text] = {}
        self.columns = [*_written_columns(campaign, self.programs), *self.labels.columns]

    def all(self) -> Iterator[tuple[str, ...]]:
        """A judgment has a row for each number; an output without a number has an empty one."""
        return chain.from_iterable(map(self._of, key_windows(judgments_of(self.campaign, self.choice))))

    def _of(self, window: KeyWindow) -> Iterator[tuple[str, ...]]:
        """Its own numbers are let go before those of the next window are read."""
        stored, outputs = self._stored(window), self._outputs(window)
        while rows := list(islice(outputs, OUTPUTS)):
            written = self._columns(_Slots(*zip(*rows, strict=True)), stored)
            yield from zip(*(written[column] for column in self.columns), strict=False)

    def _outputs(self, window: KeyWindow) -> Iterator[tuple[Any, ...]]:
        """Rows of _Slots: each slot, and behind it the same for each system that is credited with its judgment."""
        credits: dict[tuple[int, str], list[tuple[Any, ...]]] = defaultdict(list)
        if self.has_credits:
            judged = "slot__item__judgments"
            rows = window.of(Credit.objects.order_by(judged, "slot__label", "pk"), judged)
            for judgment, label, *output in rows.values_list(judged, "slot__label", "system_id", "translation_id"):
                credits[judgment, label].append(tuple(output))
        slots = window.own(_slots(window))
        return _with_credits(slots, credits) if credits else iter(slots)

    def _columns(self, slots: _Slots, stored: _Stored) -> dict[str, Cells]:
        """The cells of every column, some of them yet to be made."""
        self._learn(slots)
        numbers = self._numbers(slots, stored)
        times = list(map(len, numbers))
        written = self._cells(slots)
        if sum(times) > len(times):
            written = {name: chain.from_iterable(map(repeat, column, times)) for name, column in written.items()}
        written["measure"] = map(self.name, chain.from_iterable(numbers))
        written["value"] = map(_number, chain.from_iterable(own.values() for own in numbers))
        return written

    def _cells(self, slots: _Slots) -> dict[str, Cells]:
        """What is no number's own, once for each output."""
        quote = self.quote
        keys = zip(slots.document_id, slots.segment_id, strict=True)
        documents, segments, sources, references, domains = zip(*map(self.texts.__getitem__, keys), strict=True)
        _parsed, answers, comments = zip(*map(self.answer, slots.answer), strict=True)
        labels = zip(*map(self.label_cells.__getitem__, slots.annotator_id), strict=True)
        return {
            "judgment": map(_hyphenated, slots.client_id),
            "annotator": map(self.people.__getitem__, slots.annotator_id),
            "protocol": repeat(self.campaign.protocol),
            "document": documents,
            "segment": segments,
            "system": map(self.systems.__getitem__, slots.system_id),
            "kind": slots.kind,
            "assignment": map(self.assignments.__getitem__, slots.assignment_id),
            "position": map(str, slots.position),
            "slot": map(self.name, slots.slot),
            SCREEN: map(str, slots.screen),
            COLUMN: ((columns or "")[:1] for columns in slots.columns),
            "revision": map(str, slots.revision),
            "started": map(_time, slots.started),
            "submitted": map(_time, slots.submitted),
            "seconds": map(_seconds, slots.elapsed_ms),
            "active_seconds": map(_seconds, slots.active_ms),
            "answer": answers,
            "source": sources,
            "translation": [quote(safe_text(shown)) for shown in slots.shown],
            "reference": references,
            "domain": domains,
            "comment": comments,
            SURPLUS: (
                _WRITTEN[bool(surplus) or assignment in self.archived]
                for surplus, assignment in zip(slots.surplus, slots.assignment_id, strict=True)
            ),
            PROGRAM: (_WRITTEN[annotator in self.programs] for annotator in slots.annotator_id),
            **dict(zip(self.labels.columns, labels, strict=True)),
        }

    def _name(self, text: str | None) -> str:
        return self.quote(safe_name(text or ""))

    def _answer(self, text: str) -> _Answer:
        parsed = json.loads(text)
        comment = parsed.get("comment", "") if isinstance(parsed, dict) else ""
        comment = safe_name(comment if isinstance(comment, str) else "")
        return _Answer(parsed, self.quote(cells.written_answer(parsed)), self.quote(comment))

    def _learn(self, slots: _Slots) -> None:
        """What the judgments name by keys that were not met before."""
        people = set(slots.annotator_id).difference(self.people)
        for key, name in _some(Account.objects.all(), people, "username"):
            self.people[key] = self.name(self.choice.called(name))
            self.label_cells[key] = self.labels.by_name.get(name, self.labels.none)
        assignments = set(slots.assignment_id).difference(self.assignments)
        for key, name, position, status in _some(Assignment.objects.all(), assignments, "name", "position", "status"):
            self.assignments[key] = self.name(("" if self.choice.codes else name) or str(position))
            if status == AssignmentStatus.ARCHIVED:
                self.archived.add(key)
        if len(self.texts) > MOST_TEXTS:
            self.texts.clear()
        if texts := set(zip(slots.document_id, slots.segment_id, strict=True)).difference(self.texts):
            self._learn_texts(texts)

    def _learn_texts(self, texts: Set[tuple[int, int | None]]) -> None:
        documents = {row[0]: row for row in _some(Document.objects.all(), {key for key, _ in texts}, "name", "domain")}
        first = Reference.objects.filter(segment=OuterRef("pk")).order_by("name").values("text")[:1]
        rows = Segment.objects.annotate(reference_text=Subquery(first))
        paths = ("name", "domain", "source", "reference_text")
        segments = {row[0]: row[1:] for row in _some(rows, {key for _, key in texts if key}, *paths)}
        for document, segment in texts:
            _key, title, whole = documents[document]
            name, domain, source, reference = segments[segment] if segment else ("", "", None, None)
            self.texts[document, segment] = _Text(
                self.name(title),
                self._name(name),
                self.quote(safe_text(source)),
                self.quote(safe_text(reference)),
                self.name(domain or whole),
            )

    def _numbers(self, slots: _Slots, stored: _Stored) -> list[_Numbers]:
        """By output: answered ones first, then derived ones, of which the export works out what is not stored."""
        keys = zip(slots.judgment_id, slots.translation_id, slots.system_id, strict=True)
        known = [stored.get((judgment, translation or -(system or 0)), {}) for judgment, translation, system in keys]
        numbers = list(known)
        for derivation in self.derivations:
            name = derivation.measure.name
            lacking = {
                place: self._judged(slots, place, derivation) for place, own in enumerate(known) if name not in own
            }
            texts = {place: judged for place, judged in lacking.items() if judged is not None}
            for place, derived in zip(texts, derivation.derive([*texts.values()]) if texts else (), strict=True):
                if derived is not None:
                    numbers[place] = {**numbers[place], name: derived.value}
        return [own or _NO_NUMBER for own in numbers]

    def _judged(self, slots: _Slots, place: int, derivation: Derivation) -> JudgedText | None:
        """From which an output's value follows, if any does; it is not stored where the last analysis is older."""
        answer, shown = self.answer(slots.answer[place]).parsed, slots.shown[place]
        if isinstance(answer, Mapping) and answer.get("cannot_judge"):
            return None
        if slots.judged_id[place] is None or (shown is None and derivation.needs_text):
            return None
        return JudgedText(shown or "", slot_values(answer, slots.slot[place] or ""))

    def _stored(self, window: KeyWindow) -> _Stored:
        """By judgment and translation, or of a whole document by judgment and the system's key below zero.

        The newest formula comes last; of our own formulas the current version counts.
        """
        numbers: dict[tuple[int, int], dict[str, float]] = defaultdict(dict)
        scores = window.of(Score.objects.order_by("judgment_id", "pk"), "judgment_id")
        rows = scores.values_list("judgment_id", "translation_id", "system_id", "measure", "value")
        for judgment, translation, system, measure, value in rows:
            numbers[judgment, translation or -system][measure] = value
        derived = window.of(DerivedScore.objects.order_by("judgment_id", "measure", "pk"), "judgment_id")
        for derivation in self.derivations:
            derived = derived.exclude(Q(measure=derivation.measure.name) & ~Q(signature=derivation.signature))
        for judgment, translation, measure, value in derived.values_list(
            "judgment_id", "translation_id", "measure", "value"
        ):
            numbers[judgment, translation][measure] = value
        return numbers


def _slots(window: KeyWindow) -> Iterator[tuple[Any, ...]]:
    """Only what differs from judgment to judgment; as texts and numbers, which Django need not convert.

    By a cursor: for what is fetched in parts PostgreSQL looks rows up by their keys. Otherwise it would rather let
    several processes read the items of all campaigns for each window.
    """
    rows = window.of(Judgment.objects.all()).annotate(
        client_text=Cast("client_id", TextField()),
        kind_text=Case(When(item__is_by_chance=True, then=Value(BY_CHANCE)), default="item__kind"),
        surplus_text=Case(When(surplus=True, then=Value("surplus")), default=Value("")),
        answer_text=Cast("answer", TextField()),
        started_text=Cast("started_at", TextField()),
        submitted_text=Cast("submitted_at", TextField()),
        shown=Coalesce("item__slots__damaged", "item__slots__translation__text"),
        judged_translation=F("item__slots__translation_id"),
    )
    return rows.order_by("pk", "item__slots__label").values_list(*paths_of(_Slots)).iterator(OUTPUTS)


def _with_credits(
    slots: Iterable[tuple[Any, ...]], credits: Mapping[tuple[int, str], Sequence[tuple[Any, ...]]]
) -> Iterator[tuple[Any, ...]]:
    for slot in slots:
        yield slot
        for place, output in enumerate(credits.get((slot[0], slot[_LABEL]), ()), 1):
            yield (*slot[:_COLUMNS], (slot[_COLUMNS] or "")[place:], *output)


def _some(rows: "QuerySet[Any]", keys: Iterable[int], *paths: str) -> Iterator[tuple[Any, ...]]:
    """Rows with these keys, which come first."""
    ordered = sorted(keys)
    for at in range(0, len(ordered), NAMED_AT_ONCE):
        yield from rows.filter(pk__in=ordered[at : at + NAMED_AT_ONCE]).values_list("pk", *paths)


def _number(value: float | None) -> str:
    return "" if value is None else as_number(value)


def _hyphenated(text: str) -> str:
    """SQLite stores an identifier without them."""
    return text if len(text) == 36 else f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _time(text: str | None) -> str:
    """ISO 8601 from what either database writes of a time in UTC."""
    if text is None:
        return ""
    fraction = text[19:].removesuffix("+00").rstrip("0")
    return f"{text[:10]}T{text[11:19]}{fraction:0<7}Z" if len(fraction) > 1 else f"{text[:10]}T{text[11:19]}Z"
