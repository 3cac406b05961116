"""People who came by a crowd's link: where each of them is sent back to, and how far each has come."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment
from annotation.queries.questionnaires import is_over
from annotation.queries.task_list import TaskList
from campaigns.crowd_labels import Labels, filled_address
from campaigns.models import Account, Campaign, CampaignStatus, Crowd, CrowdPlace, Membership, Role


class Outcome(models.TextChoices):
    COMPLETED = "completed", _("completed")
    SCREENED_OUT = "screened_out", _("screened out")
    FULL = "full", _("no place left")
    BEGUN = "begun", _("in progress")
    WITHDRAWN = "withdrawn", _("withdrew consent")
    REMOVED = "removed", _("removed")


@dataclass(frozen=True)
class ReturnLink:
    """To the site that sent somebody; `campaign` is for a list of several."""

    outcome: Outcome
    address: str
    campaign: Campaign

    @property
    def site(self) -> str:
        return urlsplit(self.address).hostname or ""


def labels_of(place: CrowdPlace) -> Labels:
    return Labels(place.participant, place.labels)


def labels_by_annotator(campaign: Campaign) -> dict[str, Labels]:
    """By user name; one query."""
    places = CrowdPlace.objects.filter(crowd__campaign=campaign).select_related("membership__account")
    return {place.membership.account.username: labels_of(place) for place in places}


def return_link(crowd: Crowd, labels: Labels, outcome: Outcome, code: str = "") -> ReturnLink | None:
    """None where the organiser gave no address."""
    templates = {
        Outcome.COMPLETED: crowd.completed_address,
        Outcome.SCREENED_OUT: crowd.screened_out_address,
        Outcome.FULL: crowd.full_address,
    }
    template = templates[outcome]
    return ReturnLink(outcome, filled_address(template, labels, code), crowd.campaign) if template else None


def _places_of(annotator: int) -> "models.QuerySet[CrowdPlace]":
    own = CrowdPlace.objects.filter(membership__account=annotator, membership__role=Role.ANNOTATOR)
    return own.filter(membership__removed_at=None, membership__withdrawn_at=None).select_related("crowd__campaign")


def return_after(assignment: Assignment) -> ReturnLink | None:
    """When an assignment is done; one query."""
    place = _places_of(assignment.annotator_id or 0).filter(crowd__campaign=assignment.campaign_id).first()
    if place is None:
        return None
    return return_link(place.crowd, labels_of(place), Outcome.COMPLETED, assignment.completion_code)


def screened_out_link(membership: Membership) -> ReturnLink | None:
    place = _places_of(membership.account_id).filter(membership=membership).first()
    return return_link(place.crowd, labels_of(place), Outcome.SCREENED_OUT) if place else None


def return_links(annotator: Account, tasks: TaskList) -> list[ReturnLink]:
    """Of campaigns in which nothing is left to do; one query."""
    links = (_link_of(place, tasks) for place in _places_of(annotator.pk).order_by("pk"))
    return [link for link in links if link]


def _link_of(place: CrowdPlace, tasks: TaskList) -> ReturnLink | None:
    campaign, labels = place.crowd.campaign, labels_of(place)
    if place.screened_out_at:
        return return_link(place.crowd, labels, Outcome.SCREENED_OUT)
    if is_over(campaign.pk, tasks):
        codes = (
            task.assignment.completion_code for task in tasks.done if task.assignment and task.campaign == campaign
        )
        if code := next(filter(None, codes), ""):
            return return_link(place.crowd, labels, Outcome.COMPLETED, code)
    every = (*tasks.others, *tasks.waiting, *tasks.done, *((tasks.current,) if tasks.current else ()))
    has_none = all(task.campaign != campaign for task in every)
    if has_none and campaign.status in (CampaignStatus.OPEN, CampaignStatus.CLOSED):
        return return_link(place.crowd, labels, Outcome.FULL)
    return None


@dataclass(frozen=True)
class CrowdRow:
    """One person for the organiser; `codes` are the completion codes of what they finished."""

    place: CrowdPlace
    outcome: Outcome
    codes: tuple[str, ...]

    @property
    def account(self) -> Account:
        return self.place.membership.account

    @property
    def labels(self) -> Mapping[str, str]:
        return labels_of(self.place).others


def crowd_rows(crowd: Crowd, most: int | None = None) -> list[CrowdRow]:
    """In the order of joining, the newest first; two queries."""
    places = list(crowd.people.select_related("membership__account").order_by("-joined_at", "-pk")[:most])
    codes: dict[int, list[str]] = defaultdict(list)
    done = Assignment.objects.filter(campaign=crowd.campaign_id).exclude(completion_code="").order_by("pk")
    for annotator, code in done.values_list("annotator", "completion_code"):
        codes[annotator or 0].append(code)
    return [
        CrowdRow(
            place,
            _outcome(place, has_code=place.membership.account_id in codes),
            tuple(codes[place.membership.account_id]),
        )
        for place in places
    ]


def _outcome(place: CrowdPlace, *, has_code: bool) -> Outcome:
    if place.membership.withdrawn_at:
        return Outcome.WITHDRAWN
    if place.membership.removed_at:
        return Outcome.REMOVED
    if place.screened_out_at:
        return Outcome.SCREENED_OUT
    return Outcome.COMPLETED if has_code else Outcome.BEGUN
