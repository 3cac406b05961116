"""`set_status CAMPAIGN open|paused|closed`."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.actions.status import set_status
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from campaigns.models import Campaign, CampaignStatus
from campaigns.queries import campaign_called

STATES = [CampaignStatus.OPEN, CampaignStatus.PAUSED, CampaignStatus.CLOSED]


class Command(WorkingCommand):
    help = "Opens, pauses or closes a campaign. What was entered is kept, and what comes late is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="name or slug")
        parser.add_argument("status", choices=[str(state) for state in STATES])
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, campaign: str, status: str, json: bool, **options: Any) -> None:  # noqa: ARG002 - Django's own
        row = campaign_called(campaign)
        if row is None:
            known = ", ".join(Campaign.objects.order_by("name").values_list("name", flat=True)[:20]) or _("none yet")
            message = _("There is no campaign “%(name)s”. Known: %(known)s.")
            raise CommandError(message % {"name": campaign, "known": known})
        try:
            set_status(campaign=row, status=status, by=None)
        except InvalidInput as error:
            raise CommandError(str(error)) from error
        self._print(row, as_json=json)

    def _print(self, campaign: Campaign, *, as_json: bool) -> None:
        if as_json:
            about = {"campaign": campaign.slug, "name": campaign.name, "status": campaign.status}
            self.stdout.write(json.dumps(about, ensure_ascii=False))
            return
        words = {"name": campaign.name, "status": campaign.get_status_display()}
        self.stdout.write(_("“%(name)s” is now: %(status)s.") % words)
