"""`check_counts [CAMPAIGN …] [--mend]`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.actions.summaries import recount, wrong_counts
from campaigns.management.working_command import WorkingCommand
from campaigns.models import Campaign


class Command(WorkingCommand):
    help = "Compares the counts that pages read with a recount of all judgments, and replaces what is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaigns", nargs="*", help="names or slugs; without, all campaigns")
        parser.add_argument("--mend", action="store_true", help="replace wrong counts by those of the recount")

    def handle(self, *, campaigns: list[str], mend: bool, **_options: Any) -> None:
        chosen = [self.campaign(name) for name in campaigns] or list(Campaign.objects.order_by("name"))
        wrong = {campaign: count for campaign in chosen if (count := wrong_counts(campaign.pk))}
        for campaign, count in wrong.items():
            if mend:
                recount(campaign.pk)
            words = ngettext("%(count)d wrong count", "%(count)d wrong counts", count) % {"count": count}
            self.stdout.write(f"{campaign}: {words}")
        if not wrong:
            self.stdout.write(_("All counts are right."))
        elif mend:
            self.stdout.write(_("They were replaced by a recount."))
        else:
            raise CommandError(_("Run the command again with --mend to replace them by a recount."))
