"""A campaign's link for a crowd: its settings, and joining by it.

docs/decisions/0063-crowds.md says why labels open nothing, and how somebody who comes twice is treated.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.actions.enrolment import enrol_people
from campaigns.actions.links import IssuedInvitation, new_invitation
from campaigns.crowd_labels import CODE, PARTICIPANT, Labels, address_errors, label_names, parameter_errors
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    Account,
    Campaign,
    CampaignStatus,
    Crowd,
    CrowdPlace,
    Membership,
    QuestionnaireReply,
    Role,
)
from campaigns.new_people import Person
from campaigns.secret_keys import new_secret

MOST_PLACES = 10_000


@dataclass(frozen=True)
class CrowdSpec:
    """The settings, as fields of `Crowd`."""

    is_open: bool = False
    places: int = 50
    counted_label: str = ""
    places_each: int | None = None
    needs_participant: bool = True
    parameters: Mapping[str, str] = field(default_factory=dict)
    completed_address: str = ""
    screened_out_address: str = ""
    full_address: str = ""

    @staticmethod
    def of(crowd: Crowd) -> "CrowdSpec":
        return CrowdSpec(**{name: getattr(crowd, name) for name in CrowdSpec.__dataclass_fields__})


class Refused(StrEnum):
    """Why somebody cannot join."""

    NOT_OPEN = "not_open"
    FULL = "full"
    TWICE = "twice"
    NO_PARTICIPANT = "no_participant"


class JoiningRefused(Exception):
    def __init__(self, reason: Refused) -> None:
        self.reason = reason
        super().__init__(f"joining was refused: {reason}")


def set_crowd(*, campaign: Campaign, spec: CrowdSpec, by: Account | None) -> Crowd:
    """The campaign's link, made with the first settings. Raises InvalidInput with all that is wrong, by field."""
    if errors := _errors(spec):
        raise InvalidInput(errors)
    values = asdict(spec) | {"parameters": dict(spec.parameters)}
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        before = Crowd.objects.filter(campaign=campaign).first()
        if before is not None and CrowdSpec.of(before) == spec:
            return before
        made = {"key": new_secret(), **values}
        crowd, _is_new = Crowd.objects.update_or_create(campaign=campaign, defaults=values, create_defaults=made)
        record(action="crowd_set", by=by, campaign=campaign, is_open=spec.is_open, places=spec.places)
    return crowd


def renew_crowd_link(*, crowd: Crowd, by: Account | None) -> Crowd:
    """The old link lets nobody in any more; people who came by it stay."""
    with transaction.atomic():
        Crowd.objects.filter(pk=crowd.pk).update(key=new_secret())
        record(action="crowd_link_renewed", by=by, campaign=crowd.campaign)
    crowd.refresh_from_db(fields=["key"])
    return crowd


def join_crowd(*, crowd: Crowd, labels: Labels) -> IssuedInvitation:
    """A new account with its place and its personal link; one person at a time, so that quotas hold.

    Raises JoiningRefused; then nothing is stored.
    """
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=crowd.campaign_id)
        crowd.refresh_from_db()
        crowd.campaign = campaign
        check_joining(crowd, labels)
        (account,) = enrol_people(campaign=campaign, people=[Person()], by=None)
        CrowdPlace.objects.create(
            crowd=crowd,
            membership=Membership.objects.get(campaign=campaign, account=account, role=Role.ANNOTATOR),
            participant=labels.participant,
            participant_key=labels.key,
            labels=dict(labels.others),
            joined_at=timezone.now(),
        )
        issued = new_invitation(campaign, account, Role.ANNOTATOR, None)
        issued.invitation.accepted_at = timezone.now()
        issued.invitation.save(force_insert=True)
    return issued


def check_joining(crowd: Crowd, labels: Labels) -> None:
    """Raises JoiningRefused."""
    if reason := _why_refused(crowd, labels):
        raise JoiningRefused(reason)


def _why_refused(crowd: Crowd, labels: Labels) -> Refused | None:
    """Somebody who came before is told so, whether or not there are places left."""
    if labels.key and CrowdPlace.objects.filter(crowd=crowd, participant_key=labels.key).exists():
        return Refused.TWICE
    if crowd.campaign.status == CampaignStatus.CLOSED:
        return Refused.FULL
    if not crowd.is_open or crowd.campaign.status != CampaignStatus.OPEN:
        return Refused.NOT_OPEN
    if crowd.needs_participant and not labels.participant:
        return Refused.NO_PARTICIPANT
    return Refused.FULL if _is_full(crowd, labels) else None


def _is_full(crowd: Crowd, labels: Labels) -> bool:
    taken = CrowdPlace.objects.filter(
        crowd=crowd, screened_out_at=None, membership__removed_at=None, membership__withdrawn_at=None
    )
    if taken.count() >= crowd.places:
        return True
    if crowd.places_each is None:
        return False
    alike = {f"labels__{crowd.counted_label}": labels.value(crowd.counted_label)}
    without = {f"labels__{crowd.counted_label}__isnull": True}
    own = taken.filter(**(alike if labels.value(crowd.counted_label) else without))
    return own.count() >= crowd.places_each


def screen_out(membership: Membership) -> None:
    """Their place goes to somebody else. Without effect on people who did not come by the link."""
    CrowdPlace.objects.filter(membership=membership, screened_out_at=None).update(screened_out_at=timezone.now())


def take_back_in(membership: Membership) -> None:
    """Whether or not places are left: the organiser decided it."""
    CrowdPlace.objects.filter(membership=membership).update(screened_out_at=None)


def readmit_screened_out(campaign: Campaign) -> None:
    """With new practice items everybody may try again, except those who do not qualify by their entry answers."""
    by_answers = QuestionnaireReply.objects.filter(questionnaire__campaign=campaign, screened_out_at__isnull=False)
    tried = CrowdPlace.objects.filter(crowd__campaign=campaign)
    tried.exclude(membership__account__in=by_answers.values("annotator")).update(screened_out_at=None)


def _errors(spec: CrowdSpec) -> dict[str, list[str]]:
    names = label_names(spec.parameters)
    errors = {
        "places": [] if 1 <= spec.places <= MOST_PLACES else [_("From 1 to %(most)d.") % {"most": MOST_PLACES}],
        "parameters": parameter_errors(spec.parameters),
        "completed_address": address_errors(spec.completed_address, [*names, CODE]),
        "screened_out_address": address_errors(spec.screened_out_address, names),
        "full_address": address_errors(spec.full_address, names),
        "counted_label": [],
        "places_each": [],
    }
    if spec.counted_label and (spec.counted_label not in names or spec.counted_label == PARTICIPANT):
        known = ", ".join(name for name in names if name != PARTICIPANT)
        errors["counted_label"] = [_("Unknown label. Allowed: %(known)s.") % {"known": known}]
    if spec.places_each is not None and not 1 <= spec.places_each <= MOST_PLACES:
        errors["places_each"] = [_("From 1 to %(most)d.") % {"most": MOST_PLACES}]
    if (spec.places_each is None) != (not spec.counted_label):
        errors["places_each"].append(_("Give both a label and a number of places for each of its values, or neither."))
    return {name: messages for name, messages in errors.items() if messages}
