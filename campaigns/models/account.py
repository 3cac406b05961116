from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class Theme(models.TextChoices):
    SYSTEM = "system", _("As the device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Account(AbstractUser):
    """A person or a program. What it may do is said per campaign, by Membership; making campaigns is said here."""

    name = models.CharField(_("name"), max_length=150, blank=True)
    may_create_campaigns = models.BooleanField(default=False)
    single_keys = models.BooleanField(_("single-key shortcuts"), default=True)
    languages = models.JSONField(_("languages"), default=list, blank=True, help_text="BCP 47, as an organiser said")
    made_for = models.ForeignKey(
        "campaigns.Campaign",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="whose organisers made the account, and may replace its password",
    )
    is_number = models.BooleanField(
        default=False, help_text="nobody's: a number under which answers are kept whose annotator is not known any more"
    )
    password_came_of = models.ForeignKey(
        "campaigns.Invitation",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="the link with which its holder set the first password, which ends with the link",
    )
    theme = models.CharField(_("theme"), max_length=10, choices=Theme, default=Theme.SYSTEM)

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
