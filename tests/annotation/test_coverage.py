"""Which documents of which systems are judged."""

from collections.abc import Callable
from typing import Any

from annotation.queries.coverage import Covered, coverage_of
from campaigns.models import TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take


def test_every_output_is_counted_for_its_document_and_system(
    test_set: TestSet, cast: Cast, django_assert_num_queries: Callable[[int], Any]
) -> None:
    campaign = make_planned_campaign(test_set, cast, redundancy=2, degraded_share=0.2)
    with django_assert_num_queries(2):
        nothing = coverage_of(campaign)
    assert len(nothing.systems) > 1
    assert {cell.done for cell in nothing.cells} == {0}
    assert sum(cell.total for cell in nothing.cells) % 2 == 0, "each output twice"
    item = next(each for each in items_to_judge(take(campaign, cast.annotator)) if each.kind == "regular")
    judge(item)
    slot = item.slots.get()
    systems = {slot.system.name, *slot.credits.values_list("system__name", flat=True)}
    after = coverage_of(campaign)
    line = next(line for line in after.lines if line.document == item.document.name)
    assert {name for name, cell in zip(after.systems, line.cells, strict=True) if cell.done == 1} == systems
    assert sum(cell.done for cell in after.cells) == len(systems)
    assert after.lines[-1].least >= after.lines[0].least
    assert Covered(0, 0).share == 0
