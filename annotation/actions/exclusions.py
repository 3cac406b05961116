"""Leaving an annotator out of a campaign's results, and taking that back: a decision with a name and a reason."""

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Assignment, Exclusion
from campaigns.actions import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Membership, Role

LONGEST_REASON = 2000


def exclude_annotator(*, campaign: Campaign, annotator: Account, reason: str, by: Account | None) -> Exclusion:
    """From the next computation on their judgments do not count; nothing of them is changed."""
    given = reason.strip()
    if not given:
        raise InvalidInput({"reason": [_("Give a reason. It is recorded with the results.")]})
    if len(given) > LONGEST_REASON:
        raise InvalidInput(
            {"reason": [_("The reason may have at most %(most)d characters.") % {"most": LONGEST_REASON}]}
        )
    if not _takes_part(campaign, annotator):
        raise InvalidInput({"annotator": [_("%(name)s is not an annotator in this campaign.") % {"name": annotator}]})
    try:
        with transaction.atomic():
            exclusion = Exclusion.objects.create(campaign=campaign, annotator=annotator, reason=given, decided_by=by)
            record(action="annotator_excluded", by=by, campaign=campaign, annotator=annotator.username, reason=given)
    except IntegrityError as error:
        raise InvalidInput({"annotator": [_("%(name)s is already excluded.") % {"name": annotator}]}) from error
    return exclusion


def readmit_annotator(*, campaign: Campaign, annotator: Account, by: Account | None) -> Exclusion:
    """The judgments count again; that they did not for a time stays on record."""
    standing = Exclusion.objects.filter(campaign=campaign, annotator=annotator, lifted_at=None)
    with transaction.atomic():
        exclusion = standing.first()
        if exclusion is None or not standing.filter(pk=exclusion.pk).update(lifted_at=timezone.now()):
            raise InvalidInput({"annotator": [_("%(name)s is not excluded.") % {"name": annotator}]})
        record(action="annotator_readmitted", by=by, campaign=campaign, annotator=annotator.username)
    exclusion.refresh_from_db(fields=["lifted_at"])
    return exclusion


def _takes_part(campaign: Campaign, annotator: Account) -> bool:
    place = Membership.objects.filter(campaign=campaign, account=annotator, role=Role.ANNOTATOR)
    return place.exists() or Assignment.objects.filter(campaign=campaign, annotator=annotator).exists()
