"""A campaign as an organiser makes it, with the cast as its people."""

import uuid
from typing import Any

from annotation.actions.claiming import claim_assignment
from annotation.actions.creating import create_campaign
from annotation.actions.submitting import Receipt, submit_judgment
from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, Item, ItemLevel
from annotation.queries.item_to_judge import ItemToJudge, item_to_judge
from campaigns.models import Account, Campaign, Membership, Role, TestSet
from tests.cast import Cast
from tests.sample_campaign import CONSENTED_AT


def make_planned_campaign(test_set: TestSet, cast: Cast, *, open: bool = True, **parameters: Any) -> Campaign:
    """All of the test set in one assignment, planned from a fixed seed."""
    least: dict[str, Any] = {"name": "Planned campaign", "protocol": "direct_assessment", "seed": 7}
    spec = CampaignSpec(**{**least, "items_per_assignment": 100, **parameters})
    campaign = create_campaign(spec=spec, test_set=test_set, created_by=cast.organiser, open=open)
    people = [Membership(campaign=campaign, account=cast.researcher, role=Role.RESEARCHER)]
    people += [_annotator_of(campaign, account) for account in cast.annotators]
    Membership.objects.bulk_create(people)
    return campaign


def add_annotator(campaign: Campaign, account: Account) -> Membership:
    membership = _annotator_of(campaign, account)
    membership.save()
    return membership


def _annotator_of(campaign: Campaign, account: Account) -> Membership:
    return Membership(campaign=campaign, account=account, role=Role.ANNOTATOR, consented_at=CONSENTED_AT)


def take(campaign: Campaign, annotator: Account) -> Assignment:
    assignment = claim_assignment(campaign=campaign, annotator=annotator)
    assert assignment is not None
    return assignment


def items_to_judge(assignment: Assignment) -> list[Item]:
    return list(assignment.items.exclude(level=ItemLevel.CONTEXT).order_by("position"))


def fetched(item: Item) -> ItemToJudge:
    """As a request would fetch it, fresh."""
    annotator = Account.objects.get(assignments=item.assignment_id)
    item_as_shown = item_to_judge(annotator, item.assignment_id, item.public_id)
    assert item_as_shown is not None
    return item_as_shown


def score_of(score: int, **rest: Any) -> dict[str, Any]:
    return {"slots": {"A": {"score": score}}, "comment": "", "cannot_judge": None} | rest


def judge(item: Item, score: int = 70, *, base_revision: int = 0, **values: Any) -> Receipt:
    """What a page sends, without the page."""
    shown = fetched(item)
    payload = values.pop("payload", score_of(score))
    return submit_judgment(
        to_judge=shown,
        answer=shown.protocol.parse_answer(payload, shown.shown),
        client_id=values.pop("client_id", None) or uuid.uuid4(),
        base_revision=base_revision,
        **values,
    )
