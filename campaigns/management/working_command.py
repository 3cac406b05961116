"""The base of commands that do a piece of work: they start at once, and share how they name things and report."""

from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q
from django.utils.translation import gettext as _

from campaigns.models import Campaign, TestSet
from campaigns.queries import campaign_called


class WorkingCommand(BaseCommand):
    """Looks at the settings alone: to check every page's address would take longer than most of the work."""

    requires_system_checks = (Tags.security,)

    def campaign(self, name: str) -> Campaign:
        """By its name, or by its slug."""
        campaign = campaign_called(name)
        if campaign is None:
            known = ", ".join(Campaign.objects.order_by("name").values_list("name", flat=True)[:20]) or _("none yet")
            message = _("There is no campaign “%(name)s”. Known: %(known)s.")
            raise CommandError(message % {"name": name, "known": known})
        return campaign

    def test_set(self, name: str) -> TestSet:
        test_set = TestSet.objects.filter(Q(name=name) | Q(slug=name)).order_by("pk").first()
        if test_set is None:
            raise CommandError(_("There is no test set “%(name)s”.") % {"name": name})
        return test_set

    def report_progress(self, share: float, note: str = "") -> None:
        self.stderr.write(f"{share:4.0%} {note}".rstrip())
