"""Characters marked by two annotators, by hand and in WMT23's side-by-side MQM."""

import itertools

import numpy as np
import pytest

from metrics.statistics.spans import (
    SEVERITIES,
    CharacterAgreement,
    SpanRows,
    character_agreement,
    character_f1,
    character_matches,
    intersection_over_union,
)
from tests.metrics.real_campaigns import expected_of
from tests.metrics.real_ratings import SIDE_BY_SIDE, marked_errors

NESTED = [[(0, 6, "minor"), (2, 4, "major")]]


def test_overlapping_spans_of_one_annotator_count_once() -> None:
    assert character_f1(NESTED, [[(0, 6, "minor")]]).value == 1
    assert intersection_over_union(NESTED, [[(4, 8, "minor")]]).value == pytest.approx(2 / 8)


def test_the_worst_severity_of_a_character_is_compared() -> None:
    result = character_f1(NESTED, [[(0, 6, "minor")]], severity_aware=True)
    assert result.value == pytest.approx((4 + 0.5 * 2) * 2 / 12)
    with pytest.raises(ValueError, match="severity"):
        character_f1([[(0, 1)]], [[(0, 1)]], severity_aware=True)


def test_nothing_marked_by_both_is_agreement_and_by_one_is_none() -> None:
    result = character_f1([[], [(0, 3)], []], [[], [], [(1, 2)]])
    assert (result.n, result.both_empty) == (3, 1)
    assert result.value == pytest.approx(1 / 3)
    assert intersection_over_union([[]], [[]], average="micro").value == 1
    assert character_f1([[(3, 3)]], [[]]).value == 1, "an omission has no characters"
    assert character_f1([], []).reason == "no_overlap"
    assert np.isnan(character_f1([], []).value)


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="paired"):
        character_f1([[]], [])
    with pytest.raises(ValueError, match="average"):
        character_f1([[]], [[]], average="mean")  # type: ignore[arg-type]


def test_the_order_of_annotators_changes_nothing() -> None:
    first, second = [[(0, 5)], [(2, 9)], []], [[(3, 8)], [], [(0, 1)]]
    for function in (character_f1, intersection_over_union):
        assert function(first, second).value == function(second, first).value


@pytest.mark.parametrize("comparisons", [0, 1, 30])
def test_spans_in_columns_are_compared_as_lists_of_them(comparisons: int) -> None:
    rng = np.random.default_rng(comparisons)
    columns, lists = [], []
    for _side in range(2):
        place, start, length, severity = rng.integers(0, [[max(comparisons, 1)], [9], [5], [4]], (4, 2 * comparisons))
        columns.append(SpanRows(place, start, start + length, severity))
        rows = zip(place, start, start + length, severity, strict=True)
        spans = [(at, (begin, end, SEVERITIES[code])) for at, begin, end, code in rows]
        lists.append([[span for at, span in spans if at == number] for number in range(comparisons)])
    first, second = lists
    expected = CharacterAgreement(
        f1_macro=character_f1(first, second),
        f1_micro=character_f1(first, second, average="micro"),
        iou_macro=intersection_over_union(first, second),
        iou_micro=intersection_over_union(first, second, average="micro"),
        f1_macro_severity=character_f1(first, second, severity_aware=True),
    )
    assert repr(character_agreement(columns[0], columns[1], comparisons)) == repr(expected)


@pytest.mark.real_data
def test_three_raters_on_every_segment() -> None:
    expected = expected_of(SIDE_BY_SIDE)["spans"]
    marks: dict[tuple[str, str, str], dict[str, list[tuple[int, int, str]]]] = {}
    for error in marked_errors():
        of_rater = marks.setdefault(error.item, {}).setdefault(error.rater, [])
        if error.span and error.severity in ("minor", "major"):
            of_rater.append((*error.span, error.severity))
    pairs = [pair for of_item in marks.values() for pair in itertools.combinations(of_item.values(), 2)]
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    for name, function in (("f1", character_f1), ("iou", intersection_over_union)):
        for average in ("micro", "macro"):
            result = function(first, second, average=average)
            assert result.value == pytest.approx(expected[f"{name}_{average}"], abs=1e-6)
    halved = character_f1(first, second, severity_aware=True)
    assert halved.value == pytest.approx(expected["f1_macro_half_credit_for_severity"], abs=1e-6)
    each = [character_f1([one], [other]).value for one, other in pairs]
    assert sum(value == 1 for value in each) == expected["pairs_with_f1_1"]


def rows(*spans: tuple[int, int, int, int]) -> SpanRows:
    """Comparison, start, end, severity of each."""
    return SpanRows(*np.array(spans, dtype=np.int64).reshape(-1, 4).T)


def test_precision_and_recall_are_shares_of_the_characters_of_each_side() -> None:
    marked, reference = rows((0, 1, 6, 2), (1, 0, 2, 1)), rows((0, 0, 3, 2), (0, 5, 7, 1), (2, 0, 0, 2))
    matches = character_matches(marked, reference)
    assert (matches.marked, matches.reference, matches.shared) == (7, 5, 3)
    assert (matches.precision, matches.recall, matches.f1) == pytest.approx((3 / 7, 3 / 5, 1 / 2))
    lists = [[(1, 6)], [(0, 2)], []], [[(0, 3), (5, 7)], [], [(0, 0)]]
    assert matches.f1 == pytest.approx(character_f1(*lists, average="micro").value)
    of_major = character_matches(marked, reference, severity=2)
    assert (of_major.marked, of_major.reference, of_major.shared) == (5, 3, 2)


def test_a_character_has_its_worst_severity_and_shares_of_nothing_are_unknown() -> None:
    nested = rows((0, 0, 6, 1), (0, 2, 4, 2))
    assert character_matches(nested, nested, severity=1).marked == 4
    nothing = character_matches(rows(), nested)
    assert np.isnan(nothing.precision)
    assert (nothing.recall, nothing.f1) == (0, 0)
    assert np.isnan(character_matches(rows(), rows()).f1)
