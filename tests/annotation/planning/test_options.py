"""What cannot be planned, said in words."""

from typing import Any

import pytest

from annotation.planning.documents import PlanDocument
from annotation.planning.options import PlanningError
from tests.annotation.plans import complete, document, planned


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"redundancy": 0}, "at least one judgment"),
        ({"items_per_assignment": 0}, "at least one item"),
        ({"systems_per_segment": 0}, "at least one system"),
        ({"systems_per_segment": 4}, "only 3 systems: ask for at most 3"),
        ({"repeats_share": 1.5}, "repeated items is a number from 0 to 1, not 1.5"),
        ({"degraded_share": -0.1}, "degraded items is a number from 0 to 1"),
        ({"degraded_share": float("nan")}, "degraded items is a number from 0 to 1"),
        ({"items_per_assignment": 1, "repeats_share": 0.1}, "no room for a control item"),
        ({"document_scores": True, "keep_documents": False}, "need whole documents"),
        ({"slots_per_item": 0}, "between 1 and 26"),
        ({"slots_per_item": 27}, "between 1 and 26"),
        ({"slots_per_item": 4}, "side by side needs as many systems per segment: there are 3"),
        ({"slots_per_item": 3, "systems_per_segment": 2}, "there are 2"),
    ],
)
def test_options_that_contradict_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PlanningError, match=message):
        planned(complete([2], systems=3), **options)


def test_all_errors_are_reported_at_once() -> None:
    with pytest.raises(PlanningError, match=r"at least one judgment.*at least one item.*only 3 systems"):
        planned(complete([2], systems=3), redundancy=0, items_per_assignment=0, systems_per_segment=9)


@pytest.mark.parametrize("documents", [[], [PlanDocument(1, [])], [document({})]])
def test_a_test_set_without_translations_cannot_be_planned(documents: list[PlanDocument]) -> None:
    with pytest.raises(PlanningError, match="nothing to judge"):
        planned(documents)


def test_a_repeated_document_or_segment_is_refused() -> None:
    with pytest.raises(PlanningError, match="document 1 is given twice"):
        planned([document({1: "a"}), document({1: "a"})])
    twice = PlanDocument(2, document({1: "a"}).segments)
    with pytest.raises(PlanningError, match="segment 100 is given twice"):
        planned([document({1: "a"}), twice])


def test_side_by_side_of_identical_outputs_alone_leaves_nothing_to_compare() -> None:
    with pytest.raises(PlanningError, match="No segment has two different translations"):
        planned([document({1: "a", 2: "a"})], slots_per_item=2)
