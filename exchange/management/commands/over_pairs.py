"""`over_pairs CAMPAIGN…`: one order of systems over campaigns of several language pairs."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from campaigns.management.working_command import WorkingCommand
from exchange.tables.terminal import columns_of
from metrics.over_pairs import over_pairs, over_pairs_table
from metrics.recipes import RECIPES, AnalysisError
from metrics.results.codec import to_json


class Command(WorkingCommand):
    help = "Orders systems over several campaigns by how many systems are above them; see docs/statistics.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaigns", nargs="+", metavar="campaign", help="name or slug, one for each language pair")
        parser.add_argument("--recipe", default="wmt26", help=f"a set of options: {', '.join(RECIPES)}; default: wmt26")
        parser.add_argument("--lowest-fit", help="a number from 0 to 1; 0 drops nobody")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: Any, **options: Any) -> None:
        found, problems = [], []
        for name in options["campaigns"]:
            try:
                found.append(self.campaign(name))
            except CommandError as error:
                problems.append(str(error))
        if problems:
            raise CommandError("\n".join(problems), returncode=2)
        try:
            result = over_pairs(found, recipe=options["recipe"], options={"lowest_fit": options["lowest_fit"]})
        except AnalysisError as error:
            raise CommandError(str(error), returncode=2) from error
        as_json = options["json"]
        self.stdout.write(
            json.dumps(to_json(result), ensure_ascii=False) if as_json else columns_of(over_pairs_table(result))
        )
