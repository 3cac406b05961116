"""Who leaves keeps nothing from others: the rest of their work goes to whoever asks next."""

import pytest

from annotation.actions.returning import remove_from_campaign, retire_account
from annotation.models import Assignment, AssignmentStatus, Judgment
from campaigns.models import Campaign, Membership, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take


@pytest.fixture
def planned(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


@pytest.mark.parametrize("how", ["removed", "closed"])
def test_what_was_not_judged_goes_to_the_next_and_what_was_stays(planned: Campaign, cast: Cast, how: str) -> None:
    begun = take(planned, cast.annotator)
    items = items_to_judge(begun)
    judge(items[0])
    if how == "removed":
        remove_from_campaign(membership=planned.memberships.get(account=cast.annotator), by=cast.organiser)
    else:
        retire_account(account=cast.annotator, by=cast.organiser, campaign=planned)
    begun.refresh_from_db()
    assert (begun.status, begun.done, begun.total) == (AssignmentStatus.CLOSED, 1, 1)
    assert Judgment.objects.filter(annotator=cast.annotator, is_current=True, surplus=False).count() == 1
    assert take(planned, cast.second_annotator).total == len(items) - 1


def test_an_organiser_who_leaves_leaves_work_alone(planned: Campaign, cast: Cast) -> None:
    take(planned, cast.annotator)
    Membership.objects.create(campaign=planned, account=cast.annotator, role="organiser")
    remove_from_campaign(membership=planned.memberships.get(account=cast.annotator, role="organiser"), by=None)
    assert Assignment.objects.get(annotator=cast.annotator).status == AssignmentStatus.OPEN
