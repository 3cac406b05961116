"""Rankings as a table: systems with the same text are shown once, and stay together elsewhere."""

from pathlib import Path

from campaigns.models import Campaign, TestSet
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments
from tests.cast import Cast
from tests.exchange.conftest import EMPTIED
from tests.metrics.analyses.as_json import analyse
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

SCREENS, SHARED = 6, 1  # six segments; on one of them two of three systems wrote the same


def ranked(test_set: TestSet, cast: Cast) -> Campaign:
    """The human translation is always best, and there are no ties."""
    campaign = make_planned_campaign(test_set, cast, protocol="ranking", options={"systems_per_item": 3})
    order = (HUMAN, WOMBAT, QUOKKA)
    for item in items_to_judge(take(campaign, cast.annotator)):
        slots = sorted(item.slots.select_related("system"), key=lambda slot: order.index(slot.system.name))
        judge(item, payload={"slots": {slot.label: {"rank": place + 1} for place, slot in enumerate(slots)}})
    return campaign


def test_nobody_compared_systems_with_the_same_text_here_or_in_the_file(
    test_set: TestSet, cast: Cast, tmp_path: Path
) -> None:
    campaign = ranked(test_set, cast)
    results = analyse(campaign, options={"interval_resamples": 100})
    fits = results["analyses"]["ranking"]["fits"]
    assert (fits["pairs"], fits["ties"]) == (3 * SCREENS - SHARED, 0)
    assert "|pairs:different-texts" in results["signature"]
    shared = {
        frozenset((test["first"], test["second"])): test["shared"] for test in results["analyses"]["ranking"]["tests"]
    }
    assert shared == {
        frozenset((HUMAN, WOMBAT)): SCREENS,
        frozenset((HUMAN, QUOKKA)): SCREENS,
        frozenset((WOMBAT, QUOKKA)): SCREENS - SHARED,
    }

    path = tmp_path / "judgments.csv"
    path.write_bytes(b"".join(export_rows(campaign, "csv")))
    for model in EMPTIED:
        model._default_manager.all().delete()
    imported = import_judgments(path, format="assay-csv", name=campaign.name).campaign
    again = analyse(imported, options={"interval_resamples": 100})
    assert again["analyses"]["ranking"] == results["analyses"]["ranking"]
