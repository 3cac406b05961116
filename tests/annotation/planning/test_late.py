"""Who judges documents with further systems: people who know them, with full tasks, evenly."""

import random
from collections import Counter

from annotation.planning.documents import PlanDocument, PlanSegment, side_by_side, systems_in
from annotation.planning.late import (
    Panel,
    given_to_least_busy,
    given_to_panel,
    of_systems,
    outputs_to_judge,
    panels,
    with_content,
)
from annotation.planning.planned import PlannedAssignment, PlannedItem, PlannedSlot

ANNA, BEN, CLEO = 1, 2, 3


def planned(round_number: int, content: int = 0, judged: int = 3) -> PlannedAssignment:
    items = tuple(
        PlannedItem(1, segment, "segment", "regular", (PlannedSlot("A", 9, (9,)),)) for segment in range(judged)
    )
    return PlannedAssignment(items, round_number, content)


def test_documents_go_to_those_who_know_all_of_them() -> None:
    judged = {1: {ANNA, BEN}, 2: {ANNA, BEN}, 3: {BEN, CLEO}, 4: {CLEO}, 5: set[int]()}
    made = panels(dict.fromkeys(judged, 10), judged, redundancy=2, capacity=100)
    for panel in made:
        for document in panel.documents:
            assert set(panel.annotators) <= judged[document]
    assert sorted(document for panel in made for document in panel.documents) == [1, 2, 3, 4, 5]
    assert {panel.documents: len(panel.annotators) for panel in made} == {(1, 2): 2, (3,): 2, (4,): 1, (5,): 0}


def test_a_panel_takes_one_assignment_and_the_next_has_others_where_there_are_some() -> None:
    judged = {document: {ANNA, BEN} for document in range(10)}
    made = panels(dict.fromkeys(judged, 10), judged, redundancy=1, capacity=50)
    assert [len(panel.documents) for panel in made] == [5, 5]
    assert {panel.annotators for panel in made} == {(ANNA,), (BEN,)}


def test_a_document_longer_than_an_assignment_is_not_left_out() -> None:
    assert panels({1: 400}, {1: {ANNA}}, redundancy=1, capacity=50) == [Panel((1,), (ANNA,))]


def test_rounds_go_to_different_members_and_the_rest_waits() -> None:
    tasks = given_to_panel([planned(0), planned(1), planned(2)], Panel((1,), (BEN, ANNA)))
    assert [task.annotator for task in tasks] == [BEN, ANNA, None]
    assert [task.planned.content for task in with_content(tasks, 7)] == [7, 7, 7]


def test_who_has_least_to_do_is_next_and_nobody_gets_a_content_twice() -> None:
    plan = [planned(number, content) for number in range(2) for content in range(3)]
    tasks = given_to_least_busy(plan, [ANNA, BEN], {ANNA: 4})
    had = [(task.annotator, task.planned.content) for task in tasks]
    assert len(set(had)) == len(had)
    assert Counter(task.annotator for task in tasks) == {ANNA: 3, BEN: 3}
    assert tasks[0].annotator == BEN
    assert given_to_least_busy(plan, [ANNA], {})[3].annotator is None


def test_partners_are_shown_and_not_judged_by_themselves() -> None:
    document = PlanDocument(1, [PlanSegment(1, {7: "a", 8: "b", 9: "c"}), PlanSegment(2, {7: "d", 8: "e"})])
    late = of_systems(document, {9}, {7, 8})
    assert (systems_in(late), late.partners, outputs_to_judge(late)) == ([9], (7, 8), 1)
    assert of_systems(document, {9}).segments[1].outputs == {}
    groups = side_by_side([9], 2, random.Random(1), late.partners)
    assert [len(group) for group in groups] == [2]
    assert groups[0][0] == 9
