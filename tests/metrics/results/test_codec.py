"""Frozen results to JSON and back: names, reasons of what is missing, and what is not of the type."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from metrics.results.codec import ResultShapeError, from_json, read_part, to_json
from metrics.results.values import Ends, Missing, Number, by_part, interval_ends, listed, names_reason, number
from metrics.statistics.resampling import Interval


@dataclass(frozen=True)
class Part:
    name: str
    mean: Number
    interval: Ends
    rank: tuple[int, int] | None


@dataclass(frozen=True, kw_only=True)
class Whole:
    parts: tuple[Part, ...] = listed(empty="no_judgments")
    alpha: Mapping[str, Number] = by_part()
    scores: Mapping[str, Number]
    later: str | None = None


WHOLE = Whole(
    parts=(Part("a", 1.5, (1.0, 2.0), (1, 2)), Part("b", Missing("never_decided"), Missing("one_document"), None)),
    alpha={"nominal": 0.5, "ordinal": Missing("no_overlap")},
    scores={"bleu": Missing("no_score")},
)
WRITTEN = {
    "parts": [
        {"name": "a", "mean": 1.5, "interval": [1.0, 2.0], "rank": [1, 2]},
        {
            "name": "b", "mean": None, "interval": None, "rank": None,
            "reasons": {"mean": "never_decided", "interval": "one_document"},
        },
    ],
    "alpha": {"nominal": 0.5, "ordinal": None},
    "scores": {"bleu": None},
    "reasons": {"ordinal": "no_overlap", "scores.bleu": "no_score"},
}  # fmt: skip


def test_a_result_is_written_with_its_reasons_and_read_back() -> None:
    assert to_json(WHOLE) == WRITTEN
    assert from_json(Whole, WRITTEN) == WHOLE


@dataclass(frozen=True)
class Coefficient:
    value: Number = names_reason()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.5, {"value": 0.5, "reason": None}),
        (Missing("no_overlap"), {"value": None, "reason": "no_overlap", "reasons": {"value": "no_overlap"}}),
    ],
)
def test_the_reason_of_one_number_is_beside_it(value: Number, written: object) -> None:
    assert to_json(Coefficient(value)) == written
    assert from_json(Coefficient, written) == Coefficient(value)


def test_an_empty_list_says_why() -> None:
    empty = Whole(parts=(), alpha={}, scores={})
    assert to_json(empty)["reasons"] == {"parts": "no_judgments"}
    assert from_json(Whole, to_json(empty)) == empty


def test_keys_of_later_versions_are_left_alone() -> None:
    assert from_json(Whole, {**WRITTEN, "unheard_of": 1}) == WHOLE


def test_a_number_missing_without_a_reason_is_missing_all_the_same() -> None:
    assert from_json(Part, {"name": "a", "mean": None, "interval": None, "rank": None}).mean == Missing("undefined")


@pytest.mark.parametrize(
    ("change", "place", "needed"),
    [
        ({"parts": "none"}, "parts", "a list"),
        ({"parts": [{"name": 3, "mean": 1, "interval": None, "rank": None}]}, "parts[0].name", "a text"),
        ({"parts": [{"name": "a", "mean": "high", "interval": None, "rank": None}]}, "parts[0].mean", "a number"),
        ({"parts": [{"name": "a", "mean": 1, "interval": [1], "rank": None}]}, "parts[0].interval", "a list of 2"),
        ({"parts": [{"name": "a"}]}, "parts[0].mean", "a value, and there is none"),
        ({"alpha": {"nominal": True}}, "alpha.nominal", "a number"),
        ({"reasons": {"alpha": 5}}, "reasons.alpha", "a text"),
    ],
)
def test_the_first_place_of_another_shape_is_named(change: dict[str, object], place: str, needed: str) -> None:
    with pytest.raises(ResultShapeError) as error:
        from_json(Whole, {**WRITTEN, **change})
    assert (error.value.place, error.value.needed) == (place, needed)


def test_what_an_older_assay_left_out_is_to_be_computed_again() -> None:
    older = {name: value for name, value in WRITTEN.items() if name != "alpha"}
    assert read_part(Whole, {"whole": WRITTEN}, "whole") == WHOLE
    assert read_part(Whole, {"whole": older}, "whole") is None
    assert read_part(Whole, {}, "whole") is None


def test_no_number_and_no_interval_keep_their_reason() -> None:
    nothing = Interval(float("nan"), float("nan"), "one_document")
    assert number(float("nan"), "no_repeats") == Missing("no_repeats")
    assert interval_ends(nothing) == Missing("one_document")
    assert interval_ends(nothing, Missing("no_repeats")) == Missing("no_repeats")
    assert interval_ends(Interval(1.0, 2.0), is_turned=True) == (-2.0, -1.0)
