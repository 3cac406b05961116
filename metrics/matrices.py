"""The only place where rows become arrays: scores as columns, read as a stream, turned so that higher is better."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.db.models import (
    BooleanField,
    Case,
    ExpressionWrapper,
    F,
    FloatField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

import numpy as np
from numpy.typing import NDArray

from annotation.models import ItemKind, Judgment, Score, is_surplus
from annotation.planning.text_units import has_spaced_words, word_ranges
from annotation.protocols import PROTOCOLS
from annotation.protocols.base import Measure
from campaigns.models import Account, Campaign, Document, Segment, System
from metrics.columns import read_columns
from metrics.models import DerivedScore
from metrics.queries import BESIDE_DAMAGE, kind_of_score
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray

Labels = tuple[str, ...]
KINDS: Labels = (*ItemKind.values, BESIDE_DAMAGE)

_ROWS_AT_ONCE = 10_000
_RECORD = np.dtype(
    [
        ("judgment", "i8"),
        ("slot", "S2"),
        ("annotator", "i8"),
        ("assignment", "i8"),
        ("position", "i8"),
        ("block", "i8"),
        ("kind", "S10"),
        ("surplus", "?"),
        ("is_by_chance", "?"),
        ("milliseconds", "i8"),
        ("active", "i8"),
        ("first", "i8"),
        ("is_text_known", "?"),
        ("system", "i8"),
        ("segment", "i8"),
        ("document", "i8"),
        ("value", "f8"),
        ("weight", "f8"),
    ]
)

# Of a row of scores: whether its translation's text is here; files of judgments may come without texts.
IS_TEXT_KNOWN = ExpressionWrapper(Q(translation__text__isnull=False), output_field=BooleanField())
# What a judgment took that was changed later is what its first answer took: then the text was read.
_FIRST_ANSWER = Judgment.objects.filter(item=OuterRef("judgment__item"), revision=1).annotate(
    spent=Coalesce("active_ms", "elapsed_ms")
)
_OF_JUDGMENT = (
    "judgment_id",
    "slot",
    "judgment__annotator_id",
    "judgment__item__assignment_id",
    "judgment__item__position",
    "judgment__item__block",
    kind_of_score(),
    is_surplus("judgment__"),
    "judgment__item__is_by_chance",
    Coalesce("judgment__elapsed_ms", "judgment__active_ms", Value(-1)),
    Coalesce("judgment__active_ms", Value(-1)),
    Case(
        When(judgment__revision=1, then=Coalesce("judgment__active_ms", "judgment__elapsed_ms", Value(-1))),
        default=Coalesce(Subquery(_FIRST_ANSWER.values("spent")), Value(-1)),
    ),
    IS_TEXT_KNOWN,
)


@dataclass(frozen=True)
class ScoreTable:
    """One measure's scores in columns, one row a judged translation (or a document as one system has it).

    Shape:
        Every column has n_rows entries. An output shared by several systems gives a row for each, of which only the
        first `is_own`: results about annotators count those rows, results about systems count all. `shown`
        numbers the texts on screens: rows with one number are one text, which nobody compared with itself. Of a file
        without texts only its systems are known, and each row has a number of its own.
    Codes:
        `annotator`, `system`, `document`, `domain` index the label tuples; `kind` indexes `KINDS`; `segment` and
        `assignment` count from 0, `judgment` is any number; these have no labels, but `segment_ids` are the segments'
        keys, and `segments` their names if requested; `screen` numbers what an annotator saw together. Document-level
        rows have segment -1; `unit` is what was judged either way.
    Order:
        The rows of an annotator are in the order of their assignments and of the items in them.
    Values:
        Higher is better in `values`, whatever the measure; `natural` turns numbers back. No -0.0. `low` and `high`
        are the ends of the scale in natural units, infinite where it has none. `seconds` is NaN where no time was
        recorded; `active_seconds` are without idle time, NaN where idle time was not recorded; `first_seconds` are the
        first answer's, without idle time as far as it was recorded. `submitted` is when, in seconds, if requested.
        `weight` is what a derived measure divided by, NaN where it is unknown; `source_words` are counted
        if requested, NaN otherwise and where words are not spaced. `is_by_chance` are repeats that nobody planned.
        Where `is_relative`, values are to be compared within a judgment; where `is_count`, nobody judged them; where
        not `is_compared`, they do not rank systems. `tags` are the segments of each tag, if requested.
    """

    measure: str
    higher_is_better: bool
    low: float
    high: float
    values: FloatArray
    annotator: IntArray
    system: IntArray
    segment: IntArray
    document: IntArray
    domain: IntArray
    assignment: IntArray
    judgment: IntArray
    screen: IntArray
    kind: IntArray
    seconds: FloatArray
    active_seconds: FloatArray
    first_seconds: FloatArray
    submitted: FloatArray
    weight: FloatArray
    source_words: FloatArray
    surplus: BoolArray
    is_by_chance: BoolArray
    is_own: BoolArray
    is_text_known: BoolArray
    is_document_level: BoolArray
    annotators: Labels
    systems: Labels
    documents: Labels
    domains: Labels
    is_relative: bool = False
    is_count: bool = False
    is_compared: bool = True
    tags: Mapping[str, IntArray] = field(default_factory=dict)
    segments: Labels = ()
    segment_ids: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    @property
    def unit(self) -> IntArray:
        """The code of the segment, or of the whole document, that each row is about."""
        n_segments = int(self.segment.max(initial=-1)) + 1
        return np.where(self.is_document_level, n_segments + self.document, self.segment)

    @property
    def shown(self) -> IntArray:
        return shown_texts(np.cumsum(self.is_own), self.is_text_known)

    def where(self, rows: BoolArray | IntArray) -> "ScoreTable":
        """The table of these rows only; codes and labels do not change."""
        columns: dict[str, Any] = {
            name: column[rows] for name, column in vars(self).items() if isinstance(column, np.ndarray)
        }
        return replace(self, **columns)

    def of_kinds(self, kinds: Iterable[str]) -> BoolArray:
        """Which rows are of one of these kinds."""
        return np.isin(self.kind, [KINDS.index(kind) for kind in kinds])

    def natural(self, value: float) -> float:
        """A number of this measure in the unit of the answers; never -0.0."""
        return (value if self.higher_is_better else -value) + 0.0


def shown_texts(slot: IntArray, is_text_known: BoolArray) -> IntArray:
    """A number for each text on a screen; where texts are unknown, for each row."""
    return np.where(is_text_known, slot, -1 - np.arange(slot.size))


def read_scores(
    campaign: Campaign,
    measure: Measure,
    *,
    derived_by: str | None = None,
    with_tags: bool = False,
    with_names: bool = True,
) -> ScoreTable:
    """All current judgments of the campaign that carry this measure, as a table; streamed, six queries in all.

    Surplus rows and every kind of item are in it: the recipe decides what counts. `derived_by` is the
    signature of the formula a derived measure follows from: then its numbers are read beside those that came in a
    file without what they follow from, and the words of the sources are counted. Without names labels are keys, there
    are neither domains nor words, and scores are all that is read.
    """
    records = read_columns(_rows(Score.objects.all(), campaign, measure.name), _RECORD)
    if derived_by is not None:
        derived = _rows(DerivedScore.objects.filter(signature=derived_by), campaign, measure.name)
        records = np.concatenate([records, read_columns(derived, _RECORD)])
    records = records[np.lexsort([records[key] for key in ("system", "slot", "position", "assignment")])]
    names = _names_of(records["annotator"], campaign) if with_names else _Names({}, {}, {})
    annotator_labels, annotator = _named(records["annotator"], names.annotators)
    system_labels, system = _named(records["system"], names.systems)
    document_labels, document = _named(records["document"], names.documents)
    domain_labels, domain = _domains_of(records, campaign) if with_names else coded([""] * len(records))
    is_document_level = records["segment"] < 0
    segment = np.full(len(records), -1, dtype=np.int64)
    segment_ids, segment[~is_document_level] = np.unique(records["segment"][~is_document_level], return_inverse=True)
    has_words = derived_by is not None and with_names
    words = _source_words(records["segment"], campaign) if has_words else np.full(len(records), np.nan)
    return ScoreTable(
        measure=measure.name,
        higher_is_better=measure.higher_is_better,
        low=measure.low,
        high=measure.high,
        values=turned(records["value"], higher_is_better=measure.higher_is_better),
        annotator=annotator,
        system=system,
        segment=segment,
        document=document,
        domain=domain,
        assignment=np.unique(records["assignment"], return_inverse=True)[1],
        judgment=records["judgment"].copy(),
        screen=_screens(records, campaign),
        kind=_kind_codes(records["kind"]),
        seconds=_as_seconds(records["milliseconds"]),
        active_seconds=_as_seconds(records["active"]),
        first_seconds=_as_seconds(records["first"]),
        submitted=np.full(len(records), np.nan),
        weight=records["weight"].copy(),
        source_words=words,
        surplus=records["surplus"].copy(),
        is_by_chance=records["is_by_chance"].copy(),
        is_own=_is_first_of_slot(records),
        is_text_known=records["is_text_known"].copy(),
        is_document_level=is_document_level,
        annotators=annotator_labels,
        systems=system_labels,
        documents=document_labels,
        domains=domain_labels,
        is_relative=measure.is_relative,
        is_count=measure.is_count,
        is_compared=measure.is_compared,
        tags=_tags(segment_ids, campaign) if with_tags else {},
        segments=_segment_names(segment_ids, campaign) if has_words else (),
        segment_ids=tuple(segment_ids.tolist()),
    )


def _screens(records: NDArray[Any], campaign: Campaign) -> IntArray:
    """Of a whole document where that is what the protocol shows at once, otherwise of a judgment."""
    is_whole = PROTOCOLS[campaign.protocol].shows_whole_documents
    shown = records[["assignment", "block"]] if is_whole else records["judgment"]
    screens: IntArray = np.unique(shown, return_inverse=True)[1]
    return screens


def _is_first_of_slot(records: NDArray[Any]) -> BoolArray:
    """The rows of an answered slot, one for each of its systems, are adjacent."""
    is_first = np.ones(len(records), dtype=np.bool_)
    is_first[1:] = (records[1:]["judgment"] != records[:-1]["judgment"]) | (records[1:]["slot"] != records[:-1]["slot"])
    return is_first


def _rows(scores: QuerySet[Any], campaign: Campaign, measure: str) -> "QuerySet[Any, Any]":
    """Rows of one table; only `Score` has rows of whole documents."""
    has_documents = scores.model is Score
    return (
        scores.filter(judgment__item__assignment__campaign=campaign, judgment__is_current=True, measure=measure)
        .order_by()
        .values_list(
            *_OF_JUDGMENT,
            Coalesce("translation__system_id", "system_id") if has_documents else "translation__system_id",
            Coalesce("translation__segment_id", Value(-1)),
            Coalesce("translation__segment__document_id", "document_id")
            if has_documents
            else "translation__segment__document_id",
            "value",
            Value(None, output_field=FloatField()) if has_documents else "weight",
        )
    )


def _tags(ids: IntArray, campaign: Campaign) -> dict[str, IntArray]:
    """For each tag the codes of the segments that have it."""
    rows = Segment.objects.filter(document__test_set=campaign.test_set_id).exclude(tags=[]).values_list("id", "tags")
    places_by_tag: dict[str, list[int]] = {}
    for key, tags in rows.iterator(chunk_size=_ROWS_AT_ONCE):
        place = int(np.searchsorted(ids, key))
        if place < ids.size and ids[place] == key:
            for tag in set(map(str, tags)):
                places_by_tag.setdefault(tag, []).append(place)
    return {tag: np.array(places, dtype=np.int64) for tag, places in sorted(places_by_tag.items())}


def _segment_names(ids: IntArray, campaign: Campaign) -> Labels:
    rows = Segment.objects.filter(document__test_set=campaign.test_set_id).values_list("id", "name")
    names = dict(rows.iterator(chunk_size=_ROWS_AT_ONCE))
    return tuple(names[int(one)] for one in ids)


def _source_words(segments: IntArray, campaign: Campaign) -> FloatArray:
    """The words of each row's source; NaN where the source is unknown or its language does not space words."""
    distinct, codes = np.unique(segments, return_inverse=True)
    if not has_spaced_words(campaign.test_set.source_language):
        return np.full(len(segments), np.nan)
    sources = Segment.objects.filter(document__test_set=campaign.test_set_id, source__isnull=False)
    words = {
        key: len(word_ranges(source or ""))
        for key, source in sources.values_list("id", "source").iterator(chunk_size=_ROWS_AT_ONCE)
    }
    return np.array([words.get(int(one), math.nan) for one in distinct], dtype=np.float64)[codes]


def _as_seconds(milliseconds: IntArray) -> FloatArray:
    return np.where(milliseconds >= 0, milliseconds / 1000, np.nan)


def with_times(table: ScoreTable, campaign: Campaign) -> ScoreTable:
    """The table with the moments at which its judgments were submitted."""
    rows = Judgment.objects.filter(item__assignment__campaign=campaign, is_current=True)
    times = rows.order_by().values_list("pk", "submitted_at").iterator(chunk_size=_ROWS_AT_ONCE)
    seconds = {key: at.timestamp() for key, at in times}
    distinct, codes = np.unique(table.judgment, return_inverse=True)
    submitted = np.array([seconds.get(int(one), math.nan) for one in distinct], dtype=np.float64)
    return replace(table, submitted=submitted[codes])


def _domains_of(records: NDArray[Any], campaign: Campaign) -> tuple[Labels, IntArray]:
    """A segment's domain, or else its document's."""
    documents = Document.objects.filter(test_set=campaign.test_set_id)
    by_document = dict(documents.values_list("id", "domain"))
    by_segment = dict(
        Segment.objects.filter(document__in=documents)
        .exclude(domain="")
        .exclude(domain=F("document__domain"))
        .values_list("id", "domain")
    )
    distinct, codes = np.unique(records["document"], return_inverse=True)
    names = np.array([by_document[int(one)] for one in distinct], dtype=object)[codes]
    distinct, codes = np.unique(records["segment"], return_inverse=True)
    own = np.array([by_segment.get(int(one), "") for one in distinct], dtype=object)[codes]
    return coded(np.where(own == "", names, own).tolist())


def _kind_codes(names: NDArray[Any]) -> IntArray:
    distinct, codes = np.unique(names, return_inverse=True)
    places = np.array([KINDS.index(name.decode()) for name in distinct], dtype=np.int64)
    return places[codes]


class _Names(NamedTuple):
    """By key."""

    annotators: Mapping[int, str]
    systems: Mapping[int, str]
    documents: Mapping[int, str]


def _names_of(annotators: IntArray, campaign: Campaign) -> _Names:
    accounts = Account.objects.filter(id__in=np.unique(annotators).tolist())
    systems = System.objects.filter(test_set=campaign.test_set_id)
    documents = Document.objects.filter(test_set=campaign.test_set_id)
    return _Names(
        dict(accounts.values_list("id", "username")),
        dict(systems.values_list("id", "name")),
        dict(documents.values_list("id", "name")),
    )


def _named(ids: IntArray, names: Mapping[int, str]) -> tuple[Labels, IntArray]:
    """Labels in alphabetical order, so that nothing depends on the ids rows happened to get; keys without names."""
    distinct, codes = np.unique(ids, return_inverse=True)
    labels, places = coded([names[key] if names else key for key in distinct.tolist()])
    return labels, places[codes]


def coded(labels: Sequence[Any]) -> tuple[Labels, IntArray]:
    texts = [str(label) for label in labels]
    distinct = sorted(set(texts))
    places = {label: index for index, label in enumerate(distinct)}
    return tuple(distinct), np.array([places[text] for text in texts], dtype=np.int64)


def turned(values: FloatArray, *, higher_is_better: bool) -> FloatArray:
    return (values if higher_is_better else -values) + 0.0  # -0.0 + 0.0 is 0.0
