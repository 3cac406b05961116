"""Imported attention checks: their texts apart from the campaign's, and everything wrong with them at once."""

import pytest

from annotation.actions.creating import create_campaign
from annotation.actions.imported_checks import ImportedCheck, ImportedRow, store_imported_checks
from annotation.campaign_spec import CampaignSpec
from annotation.protocols.check_rules import CheckRule
from annotation.protocols.expected_marks import ExpectedMark
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Segment, TestSet
from tests.sample_test_set import make_test_set

pytestmark = pytest.mark.django_db
ROWS = [ImportedRow("A source", {"good": "Ein guter Satz", "bad": "Satz guter ein"})]
ABOVE = CheckRule(row=0, system="good", above="bad")


def campaign_of(protocol: str = "cesa") -> Campaign:
    return create_campaign(spec=CampaignSpec(name="Screens", protocol=protocol), test_set=make_test_set())


def test_texts_of_checks_are_a_test_set_of_their_own() -> None:
    campaign = campaign_of()
    before = Segment.objects.filter(document__test_set=campaign.test_set).count()
    checks = [ImportedCheck("attention_check_1", ROWS, [ABOVE], is_loud=True), ImportedCheck("two", ROWS, [ABOVE])]
    first, second = store_imported_checks(campaign=campaign, checks=checks, by=None)
    assert (first.name, first.is_loud, first.is_imported, first.systems) == (
        "attention_check_1",
        True,
        True,
        ["good", "bad"],
    )
    assert first.rules == [{"row": 0, "system": "good", "above": "bad"}]
    assert first.document.test_set != campaign.test_set
    assert second.document.segments.get().source == "A source"
    assert Segment.objects.filter(document__test_set=campaign.test_set).count() == before


def test_later_checks_come_behind_those_there_are() -> None:
    campaign = campaign_of()
    for name in ("one", "two"):
        store_imported_checks(campaign=campaign, checks=[ImportedCheck(name, ROWS, [ABOVE])], by=None)
    assert list(campaign.attention_checks.values_list("position", "name")) == [(1, "one"), (2, "two")]
    assert TestSet.objects.filter(name__startswith="Screens: ").count() == 2


def test_all_errors_are_reported_at_once_with_check_and_segment() -> None:
    mark = ExpectedMark((0, 0), (99, 99))
    rules = [
        CheckRule(row=1, system="good", above="bad"),
        CheckRule(row=0, system="other", score=(0, 1)),
        CheckRule(row=0, system="good", score=(50, 40)),
        CheckRule(row=0, system="good", above="good"),
        CheckRule(row=0, system="good", marks=(mark,)),
        CheckRule(row=0, system="good"),
    ]
    checks = [ImportedCheck("x", ROWS, rules), ImportedCheck("y", [], []), ImportedCheck("z", ROWS, [ABOVE])]
    with pytest.raises(InvalidInput) as refused:
        store_imported_checks(campaign=campaign_of(), checks=checks, by=None)
    problems = refused.value.errors["checks"]
    assert [problem for problem in problems if "“x”" in problem] == problems[:6]
    assert "segment 2: there is no such segment" in problems[0]
    assert "no translation by other" in problems[1]
    assert len(problems) == 8
    assert not TestSet.objects.filter(name__contains="checks").exists()


def test_a_protocol_of_single_segments_has_no_such_checks() -> None:
    with pytest.raises(InvalidInput, match="whole documents"):
        store_imported_checks(campaign=campaign_of("esa"), checks=[ImportedCheck("x", ROWS, [ABOVE])], by=None)
