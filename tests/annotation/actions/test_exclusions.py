import pytest

from annotation.actions.decisions import exclude_annotator, readmit_annotator
from annotation.models import Exclusion
from campaigns.invalid_input import InvalidInput
from campaigns.models import AuditEntry, Campaign, Membership, TestSet
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def test_leaving_out_says_who_when_and_why(campaign: Campaign, cast: Cast) -> None:
    made = exclude_annotator(campaign=campaign, annotator=cast.annotator, reason=" Too fast. ", by=cast.organiser)
    made.refresh_from_db()
    assert (made.annotator, made.reason, made.decided_by) == (cast.annotator, "Too fast.", cast.organiser)
    assert made.decided_at
    entry = AuditEntry.objects.get(action="annotator_excluded")
    assert (entry.actor, entry.campaign) == (cast.organiser, campaign)
    assert entry.detail == {"annotator": "anna", "reason": "Too fast."}


def test_taking_it_back_keeps_the_record(campaign: Campaign, cast: Cast) -> None:
    exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="Too fast.", by=cast.organiser)
    lifted = readmit_annotator(campaign=campaign, annotator=cast.annotator, by=cast.organiser)
    assert lifted.lifted_at
    assert Exclusion.objects.count() == 1
    assert AuditEntry.objects.filter(action="annotator_readmitted", actor=cast.organiser).count() == 1
    exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="Again.", by=cast.organiser)
    assert Exclusion.objects.filter(lifted_at=None).count() == 1


def test_nobody_is_left_out_twice(campaign: Campaign, cast: Cast) -> None:
    exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="Too fast.", by=cast.organiser)
    with pytest.raises(InvalidInput, match="already"):
        exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="Far too fast.", by=cast.organiser)
    assert Exclusion.objects.get().reason == "Too fast."
    assert AuditEntry.objects.filter(action="annotator_excluded").count() == 1


@pytest.mark.parametrize("reason", ["", "  \n ", "x" * 2001])
def test_a_reason_is_needed_and_has_an_end(campaign: Campaign, cast: Cast, reason: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        exclude_annotator(campaign=campaign, annotator=cast.annotator, reason=reason, by=cast.organiser)
    assert set(refused.value.errors) == {"reason"}
    assert not Exclusion.objects.exists()


def test_who_does_not_judge_cannot_be_left_out(campaign: Campaign, cast: Cast) -> None:
    with pytest.raises(InvalidInput, match="is not an annotator"):
        exclude_annotator(campaign=campaign, annotator=cast.stranger, reason="Unknown.", by=cast.organiser)


def test_who_has_judged_and_left_can(campaign: Campaign, cast: Cast) -> None:
    take(campaign, cast.annotator)
    Membership.objects.filter(account=cast.annotator).delete()
    assert exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="Gone.", by=None).decided_by is None


def test_who_is_not_left_out_cannot_be_taken_back(campaign: Campaign, cast: Cast) -> None:
    with pytest.raises(InvalidInput, match="not excluded"):
        readmit_annotator(campaign=campaign, annotator=cast.annotator, by=cast.organiser)
    assert not AuditEntry.objects.filter(action="annotator_readmitted").exists()
