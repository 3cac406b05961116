"""The scorecard of a campaign with error spans: penalty points and words of each system's documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.planning.text_units import has_spaced_words, word_ranges
from campaigns.models import Segment, TestSet
from metrics.analyses.errors import Errors, SegmentPenalty
from metrics.results.tables import Column, Form, Table, rows_of
from metrics.results.values import Missing, Number, number
from metrics.statistics.mqm import per_word, quality_score

Place = tuple[str, str]  # names of a document and of a segment in it
_ROWS_AT_ONCE = 2_000


@dataclass(frozen=True)
class DocumentPenalty:
    """A system's judged segments of a document: the sum of their mean penalties, in points, and their source's words.

    `per_thousand` is points for a thousand words, `quality_score` MQM-Core's raw one; without words they are missing.
    """

    system: str
    document: str
    segments: int
    words: Number
    points: Number
    per_thousand: Number
    quality_score: Number


def source_words(test_set: TestSet) -> dict[Place, int]:
    """Of each segment whose source is known; nothing where the language does not put blanks between words."""
    if not has_spaced_words(test_set.source_language):
        return {}
    sources = Segment.objects.filter(document__test_set=test_set, source__isnull=False).order_by()
    rows = sources.values_list("document__name", "name", "source").iterator(chunk_size=_ROWS_AT_ONCE)
    return {(document, segment): len(word_ranges(source or "")) for document, segment, source in rows}


def document_penalties(segments: Sequence[SegmentPenalty], words: Mapping[Place, int]) -> tuple[DocumentPenalty, ...]:
    """In the order in which systems and documents first occur."""
    of_documents: dict[Place, list[SegmentPenalty]] = {}
    for each in segments:
        if not isinstance(each.penalty, Missing):
            of_documents.setdefault((each.system, each.document), []).append(each)
    return tuple(_document(system, name, judged, words) for (system, name), judged in of_documents.items())


def _document(system: str, name: str, judged: Sequence[SegmentPenalty], words: Mapping[Place, int]) -> DocumentPenalty:
    points = [float(each.penalty) for each in judged if not isinstance(each.penalty, Missing)]
    known = [words.get((name, each.segment)) for each in judged]
    counted = [count for count in known if count is not None]
    is_known = len(counted) == len(judged)  # a part of the words would make errors look dense
    return DocumentPenalty(
        system=system,
        document=name,
        segments=len(judged),
        words=number(float(sum(counted))) if is_known else Missing("words_unknown"),
        points=number(sum(points)),
        per_thousand=number(1000 * per_word(points, counted)) if is_known else Missing("words_unknown"),
        quality_score=number(quality_score(points, counted)) if is_known else Missing("words_unknown"),
    )


def scorecard_table(result: Errors, words: Mapping[Place, int]) -> Table:
    """A row for each system and document; `result` has its segments."""
    columns = (
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("document", gettext_lazy("Document"), Form.TEXT),
        Column("segments", gettext_lazy("Segments"), Form.COUNT),
        Column("words", gettext_lazy("Words"), decimals=0),
        Column("points", gettext_lazy("Points")),
        Column("per_thousand", gettext_lazy("Points in 1000 words")),
        Column("quality_score", gettext_lazy("Quality score"), decimals=1),
        Column("weights", form=Form.TEXT),
    )
    rows = document_penalties(result.segments or (), words)
    others = {"weights": lambda _one: result.weights}
    return Table("scorecard", _("Penalty of each document"), columns=columns, rows=rows_of(columns, rows, others))
