"""`import_practice CAMPAIGN FILE`: the items that annotators practise on before their first item."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.actions.practising import set_practice
from annotation.queries.practice import protocol_of
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from exchange.formats.practice_lines import read_practice
from exchange.reading import ImportFileError


class Command(WorkingCommand):
    help = "Replaces the practice items of a campaign by those of a file of JSON lines; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="name or slug")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--pass-mark",
            type=float,
            metavar="SHARE",
            help="share of first answers that must be right before work can start",
        )
        parser.add_argument("--attempts", type=int, default=3, metavar="K")

    def handle(self, **options: Any) -> None:
        campaign = self.campaign(options["campaign"])
        try:
            records = read_practice(options["file"], options["file"].name, protocol_of(campaign), campaign.test_set)
            settings = {"pass_mark": options["pass_mark"], "attempts": options["attempts"]}
            set_practice(campaign=campaign, items=records, **settings, by=None)
        except (ImportFileError, InvalidInput) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            _("“%(name)s” has %(count)d practice items.") % {"name": campaign.name, "count": len(records)}
        )
