"""Fetching is the permission check: what is not yours is not found.

A view gets its objects here and nowhere else. The answer to a stranger is 404, the same as for a thing that does not
exist, so that addresses tell nothing.
"""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotation.models import Adjudication, Assignment, AssignmentStatus, Item, Judgment, PracticeItem
from annotation.queries.item_to_judge import ItemToJudge, item_to_judge, screen_to_judge
from annotation.queries.items_page import ItemsPage, Place, items_page
from annotation.queries.served_media import practice_medium, served_medium
from campaigns.models import (
    Account,
    ApiToken,
    Campaign,
    CampaignDraft,
    Delivery,
    Invitation,
    Mail,
    Medium,
    Membership,
    Moment,
    Questionnaire,
    Role,
    Segment,
    Session,
    ShareLink,
    TestSet,
    TestSetStatus,
    Translation,
    Webhook,
)
from campaigns.queries import campaigns_of, has_consented, test_sets_of
from jobs.models import Run
from metrics.models import ImportedScores

RUNS_IT = (Role.ORGANISER,)
READS_RESULTS = (Role.ORGANISER, Role.RESEARCHER)
Own = TypeVar("Own", CampaignDraft, Session, ApiToken)
HIGHEST_KEY = 2**63 - 1  # no row has more, and databases refuse to look for it


def key_in(text: str) -> int | None:
    """The key of a row in an address or a form; None if it is not a number."""
    return min(int(text[:20]), HIGHEST_KEY) if text.isdecimal() else None


class SignedInRequest(HttpRequest):
    """The request of a view of `signed_in`."""

    user: Account


def get_campaign_for(user: Account, slug: str, *roles: Role) -> Campaign:
    """A campaign in which the user has one of the roles, or any role if none is named."""
    return get_object_or_404(campaigns_of(user, *roles).select_related("test_set"), slug=slug)


def campaigns_beside(user: Account, campaign: Campaign) -> list[Campaign]:
    """The other campaigns on its test set whose results the user reads, by name: what it can be compared with."""
    others = campaigns_of(user, *READS_RESULTS).filter(test_set=campaign.test_set_id).exclude(pk=campaign.pk)
    return list(others.select_related("test_set").order_by("name", "pk"))


def get_campaign_beside(others: Sequence[Campaign], slug: str) -> Campaign | None:
    """The one with this slug among those that `campaigns_beside` has fetched; None where none is named."""
    if not slug:
        return None
    for other in others:
        if other.slug == slug:
            return other
    raise Http404


def rights_in(user: Account, campaign: Campaign) -> tuple[bool, bool]:
    """Whether a reader of the results organises the campaign, and adjudicates, as organisers do: one query."""
    roles = dict(Membership.objects.filter(campaign=campaign, account=user).values_list("role", "may_adjudicate"))
    organises = user.is_superuser or Role.ORGANISER in roles
    return organises, organises or roles.get(Role.RESEARCHER, False)


def get_campaign_to_adjudicate(user: Account, slug: str) -> Campaign:
    campaign = get_campaign_for(user, slug, *READS_RESULTS)
    _organises, adjudicates = rights_in(user, campaign)
    if not adjudicates:
        raise Http404
    return campaign


def get_researcher_of(campaign: Campaign, pk: int) -> Membership:
    """A researcher's place in a campaign that has been fetched for its organiser."""
    own = Membership.objects.filter(campaign=campaign, role=Role.RESEARCHER).select_related("campaign", "account")
    return get_object_or_404(own, pk=min(pk, HIGHEST_KEY))


def places_whose_access_ends(campaign: Campaign) -> QuerySet[Membership]:
    """Those of current members, and of removed ones whose accounts were made for the campaign."""
    within_reach = Q(removed_at=None) | Q(account__made_for=campaign)
    return Membership.ever.filter(within_reach, campaign=campaign)


def get_member_of(campaign: Campaign, pk: int) -> Membership:
    """Somebody's place in a campaign that has been fetched for its organiser."""
    places = places_whose_access_ends(campaign).select_related("campaign", "account")
    return get_object_or_404(places, pk=min(pk, HIGHEST_KEY))


def get_member_called(campaign: Campaign, username: str, role: str) -> Membership:
    """Removed already or not, because programs may repeat their requests."""
    _refuse_zero(username)
    own = Membership.ever.filter(campaign=campaign, role=role).select_related("campaign", "account")
    return get_object_or_404(own, account__username=username)


def get_account_in(campaign: Campaign, username: str) -> Account:
    """An account whose access the organiser, for whom the campaign has been fetched, may end."""
    _refuse_zero(username)
    places = places_whose_access_ends(campaign).filter(account=OuterRef("pk"))
    return get_object_or_404(Account.objects.filter(Exists(places)), username=username)


def get_researcher_called(campaign: Campaign, username: str) -> Membership:
    _refuse_zero(username)
    own = Membership.objects.filter(campaign=campaign, role=Role.RESEARCHER).select_related("campaign", "account")
    return get_object_or_404(own, account__username=username)


def get_membership_for(user: Account, slug: str) -> Membership:
    """The user's place as an annotator of a campaign; superusers too judge only where they were invited."""
    return get_object_or_404(
        Membership.objects.select_related("campaign__test_set"),
        campaign__slug=slug,
        account=user,
        role=Role.ANNOTATOR,
    )


def has_withdrawn(user: object, *, pk: int | None = None, slug: str | None = None, **_rest: object) -> bool:
    """Whether somebody withdrew consent to a campaign, named by its slug or by one of their assignments.

    Whose it was is not stored any more: theirs may be what is a number's, or empty. What is somebody else's is not.
    """
    if not isinstance(user, Account):
        return False
    withdrawn = Membership.ever.filter(account=user, withdrawn_at__isnull=False)
    if pk is None:
        return withdrawn.filter(campaign__slug=slug).exists()
    left = Q(annotator__is_number=True) | Q(annotator=None, status=AssignmentStatus.ARCHIVED)
    theirs = Assignment.objects.filter(left, pk=min(pk, HIGHEST_KEY))
    return withdrawn.filter(campaign__in=theirs.values("campaign")).exists()


def was_removed(account: Account | None, *, pk: int | None = None, slug: str | None = None, **_rest: object) -> bool:
    """Whether somebody judged in a campaign, named by its slug or one of their assignments, and was removed from it."""
    if account is None or (pk is None and slug is None):
        return False
    removed = Membership.ever.filter(account=account, role=Role.ANNOTATOR, removed_at__isnull=False)
    if slug is not None:
        return removed.filter(campaign__slug=slug).exists()
    own = Assignment.objects.filter(pk=min(pk or 0, HIGHEST_KEY), annotator=account)
    return removed.filter(campaign__in=own.values("campaign")).exists()


def get_assignment_for(user: Account, pk: int) -> Assignment:
    """The user's own assignment, in whatever state it is by now: what was entered is never refused for being late."""
    return get_object_or_404(
        Assignment.objects.exclude(status=AssignmentStatus.PLANNED).select_related("campaign__test_set"),
        pk=pk,
        annotator=user,
    )


def get_annotator_of(campaign: Campaign, username: str, *, to_forget: bool = False) -> Account:
    """Somebody who judges in a campaign, or did; the campaign has been fetched for its organiser.

    To forget are also those who were removed before their first judgment, because their names are still stored.
    """
    _refuse_zero(username)
    places = Membership.ever if to_forget else Membership.objects
    judges = places.filter(campaign=campaign, account=OuterRef("pk"), role=Role.ANNOTATOR)
    judged = Assignment.objects.filter(campaign=campaign, annotator=OuterRef("pk"))
    return get_object_or_404(Account.objects.filter(Exists(judges) | Exists(judged)), username=username)


def get_own_campaign_judged(user: Account, slug: str) -> Campaign:
    """A campaign in which the user has judgments."""
    _refuse_zero(slug)
    judged = Judgment.objects.filter(annotator=user, item__assignment__campaign=OuterRef("pk"))
    return get_object_or_404(Campaign.objects.filter(Exists(judged), deleted_at=None), slug=slug)


def get_annotators_of(campaign: Campaign, first: str, second: str) -> tuple[Account, Account]:
    """Two different ones."""
    if first == second:
        raise Http404
    return get_annotator_of(campaign, first), get_annotator_of(campaign, second)


def get_assignment_in(campaign: Campaign, pk: int, **of: str) -> Assignment:
    """An assignment of a campaign that has been fetched for its organiser, `of` an annotator."""
    own = Assignment.objects.filter(campaign=campaign, **of).select_related("campaign", "annotator")
    return get_object_or_404(own, pk=min(pk, HIGHEST_KEY))


def get_invitation_in(campaign: Campaign, pk: int) -> Invitation:
    """An invitation to a campaign that has been fetched for its organiser."""
    own = Invitation.objects.filter(campaign=campaign).select_related("account", "campaign")
    return get_object_or_404(own, pk=min(pk, HIGHEST_KEY))


def get_share_link_in(campaign: Campaign, pk: int) -> ShareLink:
    """A link to the results of a campaign that has been fetched for its organiser."""
    return get_object_or_404(ShareLink, campaign=campaign, pk=min(pk, HIGHEST_KEY))


def get_webhook_in(campaign: Campaign, pk: int) -> Webhook:
    """A webhook of a campaign that has been fetched for its organiser."""
    return get_object_or_404(campaign.webhooks.select_related("campaign"), pk=min(pk, HIGHEST_KEY))


def get_delivery_in(campaign: Campaign, pk: int) -> Delivery:
    """A message of the webhooks of a campaign that has been fetched for its organiser."""
    own = Delivery.objects.filter(webhook__campaign=campaign).select_related("webhook")
    return get_object_or_404(own, pk=min(pk, HIGHEST_KEY))


def get_mail_in(campaign: Campaign, pk: int) -> Mail:
    """A message of a campaign that has been fetched for its organiser."""
    return get_object_or_404(campaign.mails.select_related("account", "campaign"), pk=min(pk, HIGHEST_KEY))


def get_own(model: type[Own], user: Account, pk: int) -> Own:
    """One of the user's own drafts, tokens, or sessions, which may have ended."""
    return get_object_or_404(model, account=user, pk=min(pk, HIGHEST_KEY))


def runs_for(user: Account) -> QuerySet[Run]:
    """Runs of campaigns whose results the user reads and of visible test sets, and the user's own runs."""
    campaigns = campaigns_of(user, *READS_RESULTS).values("pk")
    test_sets = test_sets_of(user).values("pk")
    own = Q(created_by=user, campaign=None, test_set=None)
    of_test_set = Q(campaign=None, test_set__in=test_sets)
    return Run.objects.filter(Q(campaign__in=campaigns) | of_test_set | own).select_related("campaign", "test_set")


def get_run_for(user: Account, pk: int) -> Run:
    return get_object_or_404(runs_for(user), pk=min(pk, HIGHEST_KEY))


def get_item_of(campaign: Campaign, item: UUID) -> Item:
    """An item of a campaign that has been fetched for its organiser, with what it is of and whose it is."""
    items = Item.objects.filter(assignment__campaign=campaign)
    return get_object_or_404(items.select_related("document", "segment", "assignment__annotator"), public_id=item)


def get_segment_of(campaign: Campaign, pk: int) -> Segment:
    """A segment of a campaign that was fetched for a reader of its results."""
    segments = Segment.objects.filter(document__test_set=campaign.test_set_id).select_related("document")
    return get_object_or_404(segments, pk=min(pk, HIGHEST_KEY))


def get_medium_of(campaign: Campaign, file_hash: str) -> Medium:
    """A medium of the campaign's texts, for a reader of its results for whom the campaign was fetched."""
    own = Medium.objects.filter(document__test_set=campaign.test_set_id, file_hash=file_hash).order_by("pk").first()
    if own is None:
        raise Http404
    return own


def get_served_medium_for(user: Account, pk: int, file_hash: str) -> Medium:
    """A medium beside a text that the user was served in an assignment, after consent."""
    assignment = get_assignment_for(user, min(pk, HIGHEST_KEY))
    medium = served_medium(assignment, file_hash) if has_consented(user, assignment.campaign) else None
    if medium is None:
        raise Http404
    return medium


def get_practice_medium_for(user: Account, slug: str, file_hash: str) -> Medium:
    """A medium beside the practice of a campaign in which the user judges, after consent."""
    membership = get_membership_for(user, slug)
    medium = practice_medium(membership.campaign, file_hash) if membership.consented_at is not None else None
    if medium is None:
        raise Http404
    return medium


def get_output_of(campaign: Campaign, pk: int) -> Translation:
    """An output of the campaign's systems, for the organiser for whom the campaign was fetched."""
    outputs = Translation.objects.filter(segment__document__test_set=campaign.test_set_id, system__campaigns=campaign)
    return get_object_or_404(outputs.select_related("segment__document", "system"), pk=min(pk, HIGHEST_KEY))


def get_adjudication_of(campaign: Campaign, pk: int) -> Adjudication:
    """A decision on one of the campaign's outputs, for the organiser for whom the campaign was fetched."""
    made = Adjudication.objects.filter(campaign=campaign)
    related = made.select_related("campaign", "translation__segment__document", "translation__system")
    return get_object_or_404(related, pk=min(pk, HIGHEST_KEY))


def get_items_page_for(user: Account, assignment: int, place: Place) -> ItemsPage:
    """The texts to work on in the user's own assignment: one query."""
    page = items_page(user, assignment, place) if assignment <= HIGHEST_KEY else None
    if page is None:
        raise Http404
    return page


def get_item_for(user: Account, assignment: int, item: str) -> ItemToJudge:
    """One of the user's items, with what it shows; an invalid id is treated as an item that does not exist."""
    try:
        to_judge = item_to_judge(user, assignment, UUID(item)) if assignment <= HIGHEST_KEY else None
    except ValueError:
        to_judge = None
    if to_judge is None:
        raise Http404
    return to_judge


def get_screen_for(user: Account, assignment: int, item: UUID) -> list[ItemToJudge]:
    """All items of the screen that one of the user's items is on."""
    screen = screen_to_judge(user, assignment, item) if assignment <= HIGHEST_KEY else []
    if not screen:
        raise Http404
    return screen


def check_moment(moment: str) -> None:
    """There is an entry and an exit questionnaire, and no other."""
    if moment not in Moment.values:
        raise Http404


def get_questionnaire_in(campaign: Campaign, moment: str) -> Questionnaire:
    """Of a campaign that has been fetched for its organiser."""
    return get_object_or_404(Questionnaire, campaign=campaign, moment=moment)


def get_questionnaire_for(membership: Membership, moment: str) -> Questionnaire:
    """One that annotators are asked, or that this one has agreed to; programs are not asked."""
    if membership.is_program or membership.withdrawn_at is not None:
        raise Http404
    forms = Questionnaire.objects.filter(campaign=membership.campaign_id, moment=moment).select_related("campaign")
    visible = Q(is_asked=True) | Q(replies__annotator=membership.account_id)
    return get_object_or_404(forms.filter(visible).distinct())


def get_practice_item_for(membership: Membership, item: str) -> PracticeItem:
    """A practice item of the campaign in which somebody judges."""
    try:
        return get_object_or_404(PracticeItem, campaign=membership.campaign, public_id=UUID(item))
    except ValueError as error:
        raise Http404 from error


def get_practice_item_of(campaign: Campaign, item: UUID) -> PracticeItem:
    return get_object_or_404(PracticeItem, campaign=campaign, public_id=item)


def get_test_set_for(user: Account, slug: str) -> TestSet:
    return get_object_or_404(test_sets_of(user).filter(status=TestSetStatus.READY), slug=slug)


def own_test_sets_of(user: Account) -> QuerySet[TestSet]:
    """Those that the user imported, or organises a campaign on."""
    organised = campaigns_of(user, *RUNS_IT).values("test_set")
    return test_sets_of(user).filter(Q(created_by=user) | Q(pk__in=organised), status=TestSetStatus.READY)


def get_own_test_set_for(user: Account, slug: str) -> TestSet:
    return get_object_or_404(own_test_sets_of(user), slug=slug)


def get_imported_scores_of(test_set: int, pk: int) -> ImportedScores:
    """Metric scores from elsewhere on a test set, for who imported it, or organises a campaign on it."""
    imported = ImportedScores.objects.filter(test_set=test_set, is_whole=True)
    return get_object_or_404(imported, pk=min(pk, HIGHEST_KEY))


def has_role(user: Account, campaign: Campaign, *roles: Role) -> bool:
    """For what a page shows; what it does is decided by fetching."""
    return user.is_superuser or Membership.objects.filter(campaign=campaign, account=user, role__in=roles).exists()


def _refuse_zero(name: str) -> None:
    if "\x00" in name:  # a database would refuse to look for it
        raise Http404
