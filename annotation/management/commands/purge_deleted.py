"""`purge_deleted [--now]`."""

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone
from django.utils.translation import ngettext

from annotation.actions.housekeeping import purge_deleted
from campaigns.management.working_command import WorkingCommand


class Command(WorkingCommand):
    help = "Erases campaigns that were deleted more than seven days ago, with all their judgments."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--now", action="store_true", help="also those deleted since then")

    def handle(self, *, now: bool, **_options: Any) -> None:
        count = purge_deleted(before=timezone.now() if now else None)
        self.stdout.write(
            ngettext("%(count)d campaign erased.", "%(count)d campaigns erased.", count) % {"count": count}
        )
