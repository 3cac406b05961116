"""`forget_expired`: names whose time on record is over, as ASSAY_LOG_DAYS and ASSAY_PARTICIPANT_DAYS say."""

import json as json_module
from argparse import ArgumentParser
from typing import Any

from campaigns.management.working_command import WorkingCommand
from metrics.actions import forget_expired


class Command(WorkingCommand):
    help = "Forgets names and addresses whose time is over. Workers do it once a day; see docs/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the counts as JSON")

    def handle(self, *, json: bool, **options: Any) -> None:  # noqa: ARG002 - Django's own
        counts = forget_expired()
        if json:
            self.stdout.write(json_module.dumps(counts))
            return
        self.stdout.write(
            f"{counts['people']} annotators are numbers now, {counts['entries']} entries of the record name nobody any "
            f"more, {counts['requests']} attempts to sign in and answers to programs are gone."
        )
