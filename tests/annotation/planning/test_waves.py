"""Plans for campaigns that drop systems: documents one after the other, in random order, each with all systems."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given

from annotation.planning.documents import PlanDocument
from annotation.planning.options import PlanningError, PlanningOptions
from annotation.planning.planned import PlannedAssignment
from annotation.planning.planner import plan
from tests.annotation.plans import any_documents, complete, often, planned, planning_options, regular, seeds


def waves_of(plan_made: list[PlannedAssignment], redundancy: int) -> list[set[int]]:
    """The documents of each wave, in order."""
    waves: dict[int, set[int]] = {}
    for each in plan_made:
        waves.setdefault(each.round // redundancy, set()).update(item.document for item in each.items)
    return [documents for _wave, documents in sorted(waves.items())]


@often
@given(any_documents(), planning_options(allocation="best"), seeds)
def test_a_document_is_in_one_wave_and_a_wave_asks_the_same_in_each_round(
    documents: list[PlanDocument], options: PlanningOptions, rng: Random
) -> None:
    plan_made = plan(documents, options, rng)
    waves = waves_of(plan_made, options.redundancy)
    assert sum(map(len, waves)) == len(set().union(*waves))
    assert [each.round for each in plan_made] == sorted(each.round for each in plan_made)
    asked: dict[int, Counter[tuple[int | None, tuple[int, ...]]]] = {}
    for each in plan_made:
        shown = ((item.segment, item.slots[0].credited) for item in regular(each))
        asked.setdefault(each.round, Counter()).update(shown)
    for number, outputs in asked.items():
        assert outputs == asked[number // options.redundancy * options.redundancy]
    contents = {(each.content, each.round // options.redundancy) for each in plan_made}
    assert len({content for content, _wave in contents}) == len(contents)


def test_the_assignments_of_a_wave_mix_systems_and_no_text_is_met_twice() -> None:
    plan_made = planned(complete([5] * 40, systems=4), items_per_assignment=20, allocation="best")
    assert len(plan_made) == 40
    for each in plan_made:
        met = {(item.document, item.slots[0].system) for item in each.items}
        assert len({document for document, _system in met}) == len(met) == 4
        assert len({system for _document, system in met}) == 4


def test_every_document_may_come_first() -> None:
    first = Counter(
        next(iter(planned(complete([6] * 8, systems=3), items_per_assignment=6, allocation="top", seed=seed)))
        .items[0]
        .document
        for seed in range(400)
    )
    assert set(first) == set(range(1, 9))
    assert 25 < min(first.values()) <= max(first.values()) < 80


def test_the_same_seed_gives_the_same_plan() -> None:
    documents = complete([4, 9, 2, 30, 1], systems=3)
    options: dict[str, Any] = {"items_per_assignment": 10, "allocation": "ranking", "repeats_share": 0.1}
    assert planned(documents, **options) == planned(documents, **options)


def test_more_rounds_than_can_be_stored_are_refused() -> None:
    with pytest.raises(PlanningError, match="at most 32767 rounds"):
        planned(complete([2] * 20, systems=2), items_per_assignment=2, redundancy=1700, allocation="best")
