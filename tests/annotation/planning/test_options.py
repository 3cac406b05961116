"""What cannot be planned, said in words."""

from typing import Any

import pytest

from annotation.planning.documents import PlanDocument
from annotation.planning.options import PlanningError
from tests.annotation.plans import complete, document, planned


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems_per_segment": 4}, "only 3 systems: ask for at most 3"),
        ({"items_per_assignment": 1, "repeats_share": 0.1}, "no room for a control item"),
        ({"slots_per_item": 4}, "side by side needs as many systems per segment: there are 3"),
        ({"slots_per_item": 3, "systems_per_segment": 2}, "there are 2"),
    ],
)
def test_options_that_contradict_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PlanningError, match=message):
        planned(complete([2], systems=3), **options)


def test_all_errors_are_reported_at_once() -> None:
    with pytest.raises(PlanningError, match=r"no room for a control item.*only 3 systems.*there are 3"):
        planned(
            complete([2], systems=3), items_per_assignment=1, repeats_share=1, systems_per_segment=9, slots_per_item=4
        )


@pytest.mark.parametrize("documents", [[], [PlanDocument(1, [])], [document({})]])
def test_a_test_set_without_translations_cannot_be_planned(documents: list[PlanDocument]) -> None:
    with pytest.raises(PlanningError, match="nothing to judge"):
        planned(documents)


def test_side_by_side_of_identical_outputs_alone_leaves_nothing_to_compare() -> None:
    with pytest.raises(PlanningError, match="No segment has two different translations"):
        planned([document({1: "a", 2: "a"})], slots_per_item=2)
