"""`set_status CAMPAIGN open|paused|closed`."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.actions.status import set_status
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from campaigns.models import CampaignStatus

STATES = [CampaignStatus.OPEN, CampaignStatus.PAUSED, CampaignStatus.CLOSED]


class Command(WorkingCommand):
    help = "Opens, pauses or closes a campaign. What was entered is kept, and what comes late is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="name or slug")
        parser.add_argument("status", choices=[str(state) for state in STATES])
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, campaign: str, status: str, **options: Any) -> None:
        row = self.campaign(campaign)
        try:
            set_status(campaign=row, status=status, by=None)
        except InvalidInput as error:
            raise CommandError(str(error)) from error
        about = {"campaign": row.slug, "name": row.name, "status": row.status}
        words = _("“%(name)s” is now: %(status)s.") % {"name": row.name, "status": row.get_status_display()}
        self.stdout.write(json.dumps(about, ensure_ascii=False) if options["json"] else words)
