"""Who takes part: accounts, and what each is in a campaign."""

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign


class Theme(models.TextChoices):
    SYSTEM = "system", _("As the device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Account(AbstractUser):
    """A person or a program. What it may do is said per campaign, by Membership; making campaigns is said here."""

    name = models.CharField(_("name"), max_length=150, blank=True)
    may_create_campaigns = models.BooleanField(default=False)
    single_keys = models.BooleanField(_("single-key shortcuts"), default=True)
    languages = models.JSONField(_("languages"), default=list, blank=True)  # BCP 47 tags, entered by an organiser
    # its organisers made the account, and may replace its password
    made_for = models.ForeignKey(
        "campaigns.Campaign", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # belongs to nobody: it holds the answers of an annotator who was made anonymous
    is_number = models.BooleanField(default=False)
    # the link with which the first password was set; the password ends with it
    password_came_of = models.ForeignKey(
        "campaigns.Invitation", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    theme = models.CharField(_("theme"), max_length=10, choices=Theme, default=Theme.SYSTEM)
    # the judging desk as its person set it, by campaigns/actions/desk_settings.py
    desk = models.JSONField(_("judging desk"), null=True, blank=True)

    def check_password(self, raw_password: str | None) -> bool:
        """Django's own would write the hash of what was checked over a password that somebody set in this moment."""
        shown = self.password

        def upgrade(password: str) -> None:
            upgraded = make_password(password)
            if Account.objects.filter(pk=self.pk, password=shown).update(password=upgraded):
                self.password = upgraded

        return check_password(raw_password, shown, upgrade)

    def __str__(self) -> str:
        return self.name or self.username


class Role(models.TextChoices):
    ORGANISER = "organiser", _("Organiser")
    ANNOTATOR = "annotator", _("Annotator")
    RESEARCHER = "researcher", _("Researcher")


class CurrentMemberships(models.Manager["Membership"]):
    def get_queryset(self) -> models.QuerySet["Membership"]:
        return super().get_queryset().filter(removed_at=None)

    def judging(self) -> models.QuerySet["Membership"]:
        """Annotators who may judge: without those who withdrew consent."""
        return self.filter(role=Role.ANNOTATOR, withdrawn_at=None)


class Membership(models.Model):
    """What one account is in one campaign; somebody who organises and annotates has two.

    `objects` and `campaign.memberships` are those that stand; `ever` has those that were removed, too, whose consent is
    on record with what they judged. Joins (`memberships__campaign`) pass the manager by: they name `removed_at`.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    consented_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)  # when consent was withdrawn, for good
    is_program = models.BooleanField(default=False)  # an organiser handed out its token, and consented in its place
    # the organiser who consented in a program's place; nobody by name for the command line
    consented_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    practice_attempt = models.PositiveSmallIntegerField(default=1)  # the attempt at practice in hand
    guidelines_read_at = models.DateTimeField(null=True, blank=True)  # as they were then; before, with consent
    qualified_at = models.DateTimeField(null=True, blank=True)  # when practice was passed
    may_adjudicate = models.BooleanField(default=False)  # of a researcher; organisers always may
    created_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    objects = CurrentMemberships()
    ever = models.Manager["Membership"]()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(withdrawn_at=None) | Q(consented_at=None), name="membership_withdrawn_has_no_consent"
            ),
            models.UniqueConstraint(fields=["campaign", "account", "role"], name="membership_once"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
            models.CheckConstraint(
                condition=Q(may_adjudicate=False) | Q(role=Role.RESEARCHER), name="membership_adjudicates_as_researcher"
            ),
        ]
        indexes = [models.Index(fields=["account", "role"], name="membership_by_account")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.role} of {self.campaign_id}"
