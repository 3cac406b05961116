"""The scorecard: what errors cost in each document of each system, by numbers added up by hand."""

import pytest

from campaigns.models import TestSet
from metrics.analyses.errors import Errors, SegmentPenalty
from metrics.analyses.scorecard import DocumentPenalty, document_penalties, scorecard_table, source_words
from metrics.results.values import Missing, number

SEGMENTS = (
    SegmentPenalty("Heron", "ferry", "1", number(6.0)),
    SegmentPenalty("Heron", "ferry", "2", number(0.5)),
    SegmentPenalty("Heron", "bridge", "1", number(0.0)),
    SegmentPenalty("Kestrel", "ferry", "1", number(25.0)),
    SegmentPenalty("Kestrel", "ferry", "2", Missing("no_judgments")),
)
WORDS = {("ferry", "1"): 120, ("ferry", "2"): 10, ("bridge", "1"): 40}


def test_points_and_words_are_added_over_the_judged_segments_of_a_document() -> None:
    found = [(each.system, each.document, each.segments, each.points, each.words) for each in _of(WORDS)]
    assert found == [
        ("Heron", "ferry", 2, 6.5, 130.0),
        ("Heron", "bridge", 1, 0.0, 40.0),
        ("Kestrel", "ferry", 1, 25.0, 120.0),
    ]
    assert [each.per_thousand for each in _of(WORDS)] == pytest.approx([50.0, 0.0, 208.33333])
    assert [each.quality_score for each in _of(WORDS)] == pytest.approx([95.0, 100.0, 79.166667])


def test_a_document_with_a_source_that_is_not_known_has_points_alone() -> None:
    heron, _bridge, kestrel = _of({("ferry", "1"): 120, ("bridge", "1"): 40})
    assert (heron.points, heron.words, heron.per_thousand) == (6.5, Missing("words_unknown"), Missing("words_unknown"))
    assert kestrel.words == 120.0


def test_the_file_names_the_weights() -> None:
    errors = Errors(weights="mqm-core", systems=(), categories=(), segments=SEGMENTS)
    table = scorecard_table(errors, WORDS)
    assert [row[-1] for row in table.rows] == ["mqm-core"] * 3
    assert table.file_header[:4] == ["system", "document", "segments", "words"]


def test_words_are_those_of_the_source(test_set: TestSet) -> None:
    counted = source_words(test_set)
    document = test_set.documents.order_by("position")[0]
    segment = document.segments.order_by("position")[0]
    assert counted[document.name, segment.name] == len((segment.source or "").split())
    TestSet.objects.filter(pk=test_set.pk).update(source_language="ja")
    test_set.refresh_from_db()
    assert source_words(test_set) == {}


def _of(words: dict[tuple[str, str], int]) -> list[DocumentPenalty]:
    return list(document_penalties(SEGMENTS, words))
