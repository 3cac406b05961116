"""`import_archive FILE --campaign NAME`: a campaign rebuilt from a file of `export --format archive`."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from exchange.archive.rebuilding import import_archive
from exchange.reading import ImportFileError


class Command(WorkingCommand):
    help = "Rebuilds a campaign, with its test set, annotators and results, from its archive; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--campaign", required=True, metavar="NAME", help="of the new campaign")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, **options: Any) -> None:
        try:
            campaign = import_archive(options["file"], name=options["campaign"], on_progress=self.report_progress)
        except ImportFileError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            about = {"campaign": campaign.slug, "name": campaign.name, "test_set": campaign.test_set.name}
            self.stdout.write(json.dumps(about, ensure_ascii=False))
            return
        names = {"name": campaign.name, "test_set": campaign.test_set.name}
        self.stdout.write(_("“%(name)s” was rebuilt, on the test set “%(test_set)s”.") % names)
