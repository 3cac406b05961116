"""`extend_campaign CAMPAIGN --redundancy K`."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.actions.extending import extend_campaign
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand


class Command(WorkingCommand):
    help = "Plans further rounds of a campaign that runs; nobody is asked again what they judged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="name or slug")
        parser.add_argument("--redundancy", type=int, required=True, metavar="K", help="judgments of each output then")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, campaign: str, redundancy: int, **options: Any) -> None:
        row = self.campaign(campaign)
        try:
            extend_campaign(campaign=row, redundancy=redundancy, by=None)
        except InvalidInput as error:
            raise CommandError(str(error)) from error
        about = {"campaign": row.slug, "redundancy": row.redundancy, "assignments": row.assignments.count()}
        words = _("“%(campaign)s” is extended. Judgments per output: %(redundancy)d, assignments: %(assignments)d.")
        self.stdout.write(json.dumps(about) if options["json"] else words % about)
