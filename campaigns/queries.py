"""Reads that more than one room needs."""

from enum import StrEnum

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.form_questions import QuestionSpec, Value
from campaigns.models import (
    Account,
    ApiToken,
    Campaign,
    CampaignStatus,
    Crowd,
    FormAnswer,
    Invitation,
    Membership,
    Moment,
    Questionnaire,
    QuestionnaireReply,
    Role,
    Session,
    ShareLink,
    System,
    TestSet,
)
from campaigns.secret_keys import hash_secret


class Ending(StrEnum):
    """Why a link no longer opens anything."""

    UNKNOWN = "unknown"
    REVOKED = "revoked"
    EXPIRED = "expired"
    CLOSED = "closed"


class InvitationEnded(Exception):
    """The link is not valid (any more); `ending` says why."""

    def __init__(self, ending: Ending) -> None:
        self.ending = ending
        super().__init__(f"the invitation is {ending}")


def campaigns_of(account: Account, *roles: Role) -> QuerySet[Campaign]:
    """Campaigns in which the account has one of the roles (any, when none is named); all, for a superuser.

    A deleted one ends the memberships with it, see `annotation.actions.housekeeping`.
    """
    if account.is_superuser:
        return Campaign.objects.filter(deleted_at=None)
    held = Membership.objects.filter(campaign=OuterRef("pk"), account=account)
    if roles:
        held = held.filter(role__in=roles)
    return Campaign.objects.filter(Exists(held))


def test_sets_of(account: Account) -> QuerySet[TestSet]:
    """Test sets the account imported, or organises or researches a campaign on."""
    if account.is_superuser:
        return TestSet.objects.all()
    used = Membership.objects.filter(
        campaign__test_set=OuterRef("pk"), account=account, role__in=[Role.ORGANISER, Role.RESEARCHER]
    )
    return TestSet.objects.filter(Exists(used)) | TestSet.objects.filter(created_by=account)


def systems_of(whose: TestSet | Campaign) -> QuerySet[System]:
    """Those that translated. What is read in place of a translation is in results of campaigns that ask it alone."""
    place = "campaigns" if isinstance(whose, Campaign) else "test_set"
    return System.objects.filter(stands_for="", **{place: whose.pk})


def people_waiting(campaign: Campaign) -> QuerySet[Account]:
    """Annotators whose accounts were made for the campaign and who have neither a link nor a password."""
    places = Membership.objects.judging().filter(campaign=campaign, account=OuterRef("pk"), account__is_number=False)
    links = Invitation.objects.filter(account=OuterRef("pk"))
    without = Account.objects.filter(made_for=campaign, password__startswith=UNUSABLE_PASSWORD_PREFIX)
    return without.filter(Exists(places)).exclude(Exists(links)).order_by("pk")


def open_invitation(secret: str) -> Invitation:
    """The invitation behind a link, if it still opens; changes nothing."""
    invitation = (
        Invitation.objects.select_related("campaign__test_set", "account")
        .filter(secret_hash=hash_secret(secret))
        .first()
    )
    if invitation is None:
        raise InvitationEnded(Ending.UNKNOWN)
    if invitation.revoked_at or invitation.campaign.deleted_at or not invitation.account.is_active:
        raise InvitationEnded(Ending.REVOKED)
    if invitation.expires_at <= timezone.now():
        raise InvitationEnded(Ending.EXPIRED)
    # who has begun may come back to a closed campaign for the completion code
    if invitation.campaign.status == CampaignStatus.CLOSED and not invitation.accepted_at:
        raise InvitationEnded(Ending.CLOSED)
    return invitation


def open_sessions(account: Account) -> QuerySet[Session]:
    """Where the account is signed in now, the newest first."""
    open_ones = Session.objects.filter(account=account, expire_date__gt=timezone.now(), ended_at=None)
    return open_ones.filter(invitation__revoked_at=None).select_related("invitation__campaign").order_by("-created_at")


def valid_tokens(account: Account) -> QuerySet[ApiToken]:
    """Valid tokens, the newest first."""
    valid = account.api_tokens.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), revoked_at=None)
    return valid.filter(invitation__revoked_at=None).order_by("-created_at")


def open_share_link(secret: str) -> ShareLink | None:
    """The link that shows results, if it still does."""
    valid = ShareLink.objects.filter(revoked_at=None, expires_at__gt=timezone.now(), campaign__deleted_at=None)
    return valid.select_related("campaign__test_set").filter(secret_hash=hash_secret(secret)).first()


def may_choose_on_withdrawal(campaign: Campaign) -> bool:
    """Until anybody has consented to the stored text."""
    agreed = Q(consented_at__isnull=False) | Q(withdrawn_at__isnull=False)
    return not Membership.ever.filter(agreed, campaign=campaign).exists()


def has_consented(account: Account, campaign: Campaign) -> bool:
    return Membership.objects.filter(
        account=account, campaign=campaign, role=Role.ANNOTATOR, consented_at__isnull=False
    ).exists()


def roles_of(account: Account) -> set[Role]:
    """Every role the account has anywhere; decides which way round the site leads."""
    return {Role(role) for role in Membership.objects.filter(account=account).values_list("role", flat=True).distinct()}


def campaign_called(name: str) -> Campaign | None:
    """As commands name it: by name, or by slug where no name is meant."""
    standing = Campaign.objects.filter(deleted_at=None)
    return standing.filter(name=name).first() or standing.filter(slug=name).first()


def projects_of(account: Account) -> list[str]:
    """The names of the projects in which the account organises or researches a campaign, in order."""
    own = campaigns_of(account, Role.ORGANISER, Role.RESEARCHER).exclude(project="")
    return list(own.order_by("project").values_list("project", flat=True).distinct())


def deleted_campaigns_of(account: Account) -> QuerySet[Campaign]:
    """Those set aside that the account created, or may restore as a superuser; the newest first."""
    aside = Campaign.objects.filter(deleted_at__isnull=False).order_by("-deleted_at")
    return aside if account.is_superuser else aside.filter(created_by=account)


def crowd_with_key(key: str) -> Crowd | None:
    """The crowd of a link, unless its campaign was deleted."""
    if "\x00" in key:  # a database would refuse to look for it
        return None
    return Crowd.objects.filter(key=key, campaign__deleted_at=None).select_related("campaign__test_set").first()


def crowd_of(campaign: Campaign) -> Crowd | None:
    return Crowd.objects.filter(campaign=campaign).select_related("campaign").first()


def questionnaire_of(campaign: Campaign, moment: str) -> Questionnaire | None:
    return Questionnaire.objects.filter(campaign=campaign, moment=moment).first()


def questions_of(form: Questionnaire) -> list[QuestionSpec]:
    return [QuestionSpec.of(row) for row in form.questions.order_by("position")]


def reply_of(form: Questionnaire, annotator: int) -> QuestionnaireReply | None:
    return QuestionnaireReply.objects.filter(questionnaire=form, annotator=annotator).first()


def answers_of(form: Questionnaire, annotator: int) -> dict[str, Value]:
    """By the names of the questions."""
    own = FormAnswer.objects.filter(question__questionnaire=form, annotator=annotator)
    return dict(own.values_list("question__name", "value"))


def questionnaire_due(membership: Membership, moment: str) -> Questionnaire | None:
    """The one that this annotator is still to answer; programs are not asked. One query.

    For somebody whom its answers screened out it is due for ever: every way to the work leads to its page.
    """
    if membership.is_program or membership.consented_at is None:
        return None
    own = QuestionnaireReply.objects.filter(questionnaire=OuterRef("pk"), annotator=membership.account_id)
    waits = Q(is_asked=True) & ~Exists(own.filter(sent_at__isnull=False))
    is_out = Exists(own.filter(screened_out_at__isnull=False))
    return Questionnaire.objects.filter(waits | is_out, campaign=membership.campaign_id, moment=moment).first()


def screened_out_in(annotator: "Account | OuterRef", campaign: "Campaign | OuterRef") -> "QuerySet[QuestionnaireReply]":
    """The reply by which somebody was screened out there, if there is one."""
    return QuestionnaireReply.objects.filter(
        questionnaire__campaign=campaign, annotator=annotator, screened_out_at__isnull=False
    )


def why_closed(form: Questionnaire, reply: QuestionnaireReply, campaign: Campaign) -> str:
    """Why answers cannot change any more; empty where they can. A first answer is never too late."""
    if reply.sent_at is None:
        return ""
    if reply.screened_out_at is not None:
        return _("Your answers can be read, but not changed.")
    if campaign.status == CampaignStatus.CLOSED:
        return _("The campaign is closed. Your answers can be read, but not changed.")
    left = QuestionnaireReply.objects.filter(
        questionnaire__campaign=campaign,
        questionnaire__moment=Moment.EXIT,
        annotator=reply.annotator_id,
        sent_at__isnull=False,
    )
    if form.moment == Moment.ENTRY and left.exists():
        return _("You have sent the exit questionnaire. Your answers can be read, but not changed.")
    return ""
