"""`analyse CAMPAIGN`: the campaign's numbers, computed now, as text or as one JSON object."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from campaigns.models import Campaign
from exchange.tables.terminal import as_text
from jobs.actions import perform_now, queue_run
from jobs.models import RunStatus
from jobs.queries import whole_result
from jobs.run_kinds import InvalidRun
from metrics.recipes import (
    BY,
    CHOICES,
    HIGHEST,
    LOWEST,
    METRIC,
    NAMES,
    OPTIONS,
    RECIPES,
    SHARES,
    SWITCHES,
    TERMS,
    THRESHOLD,
    TOLERANCE,
    WHERE,
)


class Command(WorkingCommand):
    help = "Computes a campaign's ranking and what is known of its annotators; see docs/statistics.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="name or slug")
        parser.add_argument("--analysis", "--only", action="append", dest="analyses", help="may be repeated")
        parser.add_argument("--recipe", help=f"a set of options: {', '.join(RECIPES)}")
        for name, values in CHOICES.items():
            more = " or entry.NAME, exit.NAME, label.NAME: an answer or a label of annotators" if name == BY else ""
            parser.add_argument(_flag(name), help=f"one of {', '.join(values)}{more}")
        for name, low in LOWEST.items():
            parser.add_argument(_flag(name), help=f"a whole number from {low} to {HIGHEST[name]}")
        for name in SHARES:
            parser.add_argument(_flag(name), help="a number from 0 to 1; 0 drops nobody")
        for name in SWITCHES:
            parser.add_argument(_flag(name), action="store_true", default=None, help="count surplus judgments too")
        for name in NAMES:
            parser.add_argument(_flag(name), action="append", metavar="ANNOTATOR", help="in this run; may be repeated")
        parser.add_argument(
            _flag(WHERE), metavar="FILTER", help="only such judgments, as: domain = news and length > 99"
        )
        parser.add_argument(
            _flag(TOLERANCE), help="penalty points allowed: 25 in 1,000 words, or two agreed points, as 250=3,1000=8"
        )
        parser.add_argument(
            _flag(THRESHOLD), help="scores from which on metrics call a translation free of errors: chrf=60,bleu=30"
        )
        parser.add_argument(_flag(TERMS), help="random terms of the mixed model: annotator,document,segment,…")
        parser.add_argument(_flag(METRIC), help="sharpens means (analysis assisted): name it before you look")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--background", action="store_true", help="only queue the run and print its number")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = self.campaign(options["campaign"])
        chosen = {name: options[name] for name in OPTIONS if options[name] is not None}
        arguments = {"recipe": options["recipe"], "analyses": options["analyses"], "options": chosen}
        try:
            if options["background"]:
                run = queue_run(kind="analysis", campaign=campaign, arguments=arguments)
                self.stdout.write(json.dumps({"run": run.pk}) if options["json"] else str(run.pk))
                return
            result = self._performed(campaign, arguments)
        except InvalidRun as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(json.dumps(result, ensure_ascii=False) if options["json"] else as_text(result))

    def _performed(self, campaign: Campaign, arguments: dict[str, Any]) -> dict[str, Any]:
        run = perform_now(kind="analysis", campaign=campaign, arguments=arguments, watch=self._report)
        if run.status != RunStatus.DONE or run.result is None:
            raise CommandError(run.error or _("The run was cancelled."))
        return whole_result(run)

    def _report(self, share: float, note: str) -> None:
        if note:
            self.report_progress(share, note)


def _flag(option: str) -> str:
    return "--" + option.replace("_", "-")
