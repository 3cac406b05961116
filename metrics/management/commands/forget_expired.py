"""`forget_expired`: deletes names after ASSAY_LOG_DAYS and ASSAY_PARTICIPANT_DAYS."""

import json as json_module
from argparse import ArgumentParser
from typing import Any

from campaigns.management.working_command import WorkingCommand
from metrics.actions.forgetting import forget_expired


class Command(WorkingCommand):
    help = "Deletes names and addresses that were stored long enough. Workers do it daily; see docs/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the counts as JSON")

    def handle(self, *, json: bool, **options: Any) -> None:  # noqa: ARG002 - Django's own
        counts = forget_expired()
        if json:
            self.stdout.write(json_module.dumps(counts))
            return
        self.stdout.write(
            f"Annotators replaced by numbers: {counts['people']}. Entries of the audit log that lost their names: "
            f"{counts['entries']}. Sign-in attempts and stored answers to programs that were deleted: "
            f"{counts['requests']}."
        )
