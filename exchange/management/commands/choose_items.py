"""`choose_items TEST_SET --method variance --metric chrf --budget 100`: which segments are worth judging, and why."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.item_choice import ALL, BY_SCORES, METHODS, UNITS, WHOLES, ItemRequest, item_chooser
from annotation.protocols import PROTOCOLS
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from campaigns.queries import systems_of
from exchange.tables.terminal import columns_of
from metrics.item_choice import ItemTable
from metrics.item_expectation import curve_of, curve_table, selection_of
from metrics.results.codec import to_json


class Command(WorkingCommand):
    help = "Chooses the segments or documents of a test set that are worth judging; see docs/statistics.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        methods = [name for name in METHODS if name != ALL]
        parser.add_argument("test_set", help="name or slug")
        parser.add_argument("--method", required=True, choices=methods, help="what chooses")
        parser.add_argument(
            "--metric", default="", help=f"whose stored scores choose; needed for {', '.join(BY_SCORES)}"
        )
        parser.add_argument("--budget", type=int, required=True, help="how much is chosen, in the unit")
        parser.add_argument("--unit", default="segments", choices=list(UNITS), help="default: segments")
        parser.add_argument("--of", default="documents", choices=list(WHOLES), help="default: whole documents")
        parser.add_argument("--system", action="append", dest="systems", help="may be repeated; default: all")
        parser.add_argument("--protocol", default="esa", choices=list(PROTOCOLS), help="for seconds; default: esa")
        parser.add_argument("--seed", type=int, default=0, help="of random choices; 0")
        parser.add_argument("--curve", action="store_true", help="what to expect of other budgets, too")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: Any, **options: Any) -> None:
        request = self._request(options)
        problems = item_chooser().problems(request)
        if problems:
            raise CommandError("\n".join(problems.values()), returncode=2)
        table = ItemTable(request)
        try:
            selection = selection_of(table)
        except InvalidInput as error:
            raise CommandError(str(error), returncode=2) from error
        curve = curve_of(table) if options["curve"] else ()
        if options["json"]:
            as_json = {**to_json(selection), **({"curve": to_json(curve)} if curve else {})}
            self.stdout.write(json.dumps(as_json, ensure_ascii=False))
            return
        for each in selection.segments:
            if each.chosen:
                self.stdout.write(f"{each.document}\t{each.segment}")
        if curve:
            self.stdout.write(f"\n{columns_of(curve_table(curve))}")

    def _request(self, options: dict[str, Any]) -> ItemRequest:
        test_set = self.test_set(options["test_set"])
        if options["budget"] < 1:
            raise CommandError(_("A budget is a whole number from 1."), returncode=2)
        known = list(systems_of(test_set).order_by("name").values_list("name", flat=True))
        unknown = sorted(set(options["systems"] or ()) - set(known))
        if unknown:
            raise CommandError(_("Not in this test set: %(names)s.") % {"names": ", ".join(unknown)}, returncode=2)
        return ItemRequest(
            test_set=test_set,
            method=options["method"],
            budget=options["budget"],
            unit=options["unit"],
            whole=options["of"],
            metric=options["metric"],
            systems=tuple(options["systems"] or known),
            seconds_per_output=PROTOCOLS[options["protocol"]].seconds_per_item,
            needs_questions=PROTOCOLS[options["protocol"]].asks_questions,
            seed=options["seed"],
        )
