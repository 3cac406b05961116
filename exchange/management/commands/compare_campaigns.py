"""`compare_campaigns A B`: two campaigns on one test set side by side, as text or as one JSON object."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from exchange.tables.terminal import comparison_as_text
from metrics.comparison import compare_campaigns
from metrics.results.codec import to_json


class Command(WorkingCommand):
    help = "Compares two campaigns on the same test set: systems, their order, and how far judgments agree."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("first", help="name or slug of a campaign")
        parser.add_argument("second", help="name or slug of another one on the same test set")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: Any, **options: Any) -> None:
        first, second = self.campaign(options["first"]), self.campaign(options["second"])
        if first.pk == second.pk:
            raise CommandError(_("Name two different campaigns."))
        if first.test_set_id != second.test_set_id:
            message = _(
                "Only campaigns on the same test set can be compared: “%(first)s” is on “%(test_set)s”, “%(second)s” "
                "on “%(other)s”."
            )
            names = {"first": first.name, "second": second.name}
            raise CommandError(message % {**names, "test_set": first.test_set.name, "other": second.test_set.name})
        comparison = compare_campaigns(first, second)
        if options["json"]:
            self.stdout.write(json.dumps(to_json(comparison), ensure_ascii=False))
        else:
            self.stdout.write(comparison_as_text(comparison))
