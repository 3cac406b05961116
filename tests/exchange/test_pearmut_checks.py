"""Which documents of a Pearmut campaign are checks and practice, and that a wrong one takes everything back."""

from pathlib import Path

import pytest

from annotation.campaign_spec import CampaignSpec
from annotation.models import AttentionCheck, Item, ItemKind, PracticeItem
from campaigns.models import Account, Campaign, TestSet
from exchange.reading import ImportFileError
from tests.exchange.pearmut_files import document, load, write

pytestmark = pytest.mark.django_db


def test_a_check_that_cannot_be_takes_everything_back(tmp_path: Path) -> None:
    check = document("Heron", name="attention_check_0", validation={"Heron": {"score_greaterthan": "Nobody"}})
    with pytest.raises(ImportFileError, match="no translation by Nobody"):
        load(write(tmp_path / "c.json", [document("Heron")], data_random=[check], users=["ash"]))
    assert not TestSet.objects.exists()
    assert not Campaign.objects.exists()
    assert not Account.objects.exists()


def test_rules_make_checks_and_tutorials_of_documents_with_other_names(tmp_path: Path) -> None:
    """As in the example of that program: each user has checks of their own, of the same names."""
    range_of = {"Heron": {"score": [0, 15]}}
    tutorial = {"Heron": {"score": [80, 90], "warning": "Well done.", "allow_skip": True}}
    streams = [
        [
            document("Heron", name="tutorial_1", validation=tutorial, **texts),
            document("Heron", name="silent_check_1", validation=range_of, **texts),
            document("Heron"),
        ]
        for texts in ({}, {}, {"src": "Another text."})
    ]
    outcome = load(write(tmp_path / "c.json", streams, assignment="task-based", users=["ash", "elm", "fir"]))
    checks = AttentionCheck.objects.filter(campaign=outcome.campaign).order_by("position")
    assert [(check.name, check.is_loud) for check in checks] == [
        ("silent_check_1", False),
        ("silent_check_1 (2)", False),
    ]
    practice = PracticeItem.objects.get(campaign=outcome.campaign)
    assert (practice.expected, practice.feedback, practice.may_skip) == ({"A": {"score": [80, 90]}}, "Well done.", True)
    assert "Tutorials of a name that has other texts already, left out: 1." in outcome.report["notes"]
    assert outcome.campaign.test_set.documents.count() == 1


def test_checks_are_served_where_each_user_has_screens_of_their_own(tmp_path: Path) -> None:
    check = document("Heron", name="silent_check_1", validation={"Heron": {"score": [0, 15]}})
    streams = [[document("Heron", name=f"news_###_{user}_###_0"), check] for user in ("ash", "elm")]
    campaign = load(write(tmp_path / "c.json", streams, assignment="task-based", users=["ash", "elm"])).campaign
    assert CampaignSpec.of(campaign).check_share == 1
    served = Item.objects.filter(assignment__campaign=campaign, kind=ItemKind.CHECK).order_by("assignment__position")
    assert [item.assignment.annotator.username for item in served if item.assignment.annotator] == ["ash", "elm"]
