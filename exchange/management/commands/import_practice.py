"""`import_practice CAMPAIGN FILE`: what annotators practise on before their first item."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.actions import set_practice
from annotation.queries.practice import protocol_of
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from campaigns.queries import campaign_called
from exchange.formats.practice_lines import read_practice
from exchange.reading import ImportFileError


class Command(WorkingCommand):
    help = "Replaces the practice items of a campaign by those of a file of JSON lines; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="name or slug")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--pass-mark", type=float, metavar="SHARE", help="of first answers to be right before the first item"
        )
        parser.add_argument("--attempts", type=int, default=3, metavar="K")

    def handle(self, **options: Any) -> None:
        campaign = campaign_called(options["campaign"])
        if campaign is None:
            raise CommandError(_("There is no campaign “%(name)s”.") % {"name": options["campaign"]})
        try:
            records = read_practice(options["file"], options["file"].name, protocol_of(campaign))
            set_practice(
                campaign=campaign,
                records=records,
                pass_mark=options["pass_mark"],
                attempts=options["attempts"],
                by=None,
            )
        except (ImportFileError, InvalidInput) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            _("“%(name)s” has %(count)d practice items.") % {"name": campaign.name, "count": len(records)}
        )
