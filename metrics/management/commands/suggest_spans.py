"""`suggest_spans CAMPAIGN --metric comet:NAME`."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from metrics.actions.suggesting import suggest_spans


class Command(WorkingCommand):
    help = "Lets annotators of a campaign start from the errors that a metric such as XCOMET marked."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="name or slug")
        parser.add_argument("--metric", required=True, metavar="NAME", help="such as comet:XCOMET-XL")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, campaign: str, metric: str, **options: Any) -> None:
        row = self.campaign(campaign)
        try:
            suggested = suggest_spans(campaign=row, metric=metric, by=None)
        except InvalidInput as error:
            raise CommandError(str(error)) from error
        about = {"campaign": row.slug, **asdict(suggested)}
        words = _(
            "Annotators of “%(campaign)s” start from the spans of %(metric)s. Spans: %(spans)d, outputs: %(outputs)d, "
            "outputs without a score: %(unscored)d, severities made milder: %(milder)d."
        )
        self.stdout.write(json.dumps(about) if options["json"] else words % about)
