"""`calibrate --design pool --recipe assay-raw`: how often a recipe is wrong on campaigns where nobody is better."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from metrics.calibration.outcomes import COVERAGES, FIGURES, RECIPE_NAMES, Counts, calibrated
from metrics.calibration.worlds import DESIGNS, WORLDS
from metrics.results.codec import to_json
from metrics.results.values import Missing, interval_ends


class Command(BaseCommand):
    help = (
        "Simulates campaigns of equal systems and counts the differences that a recipe finds; see docs/statistics.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--design", choices=[*DESIGNS], default="full", help="who judges what")
        parser.add_argument("--world", choices=[*WORLDS], default="esa", help="whose noise the scores have")
        parser.add_argument("--recipe", default="assay-raw", help=f"one of {', '.join(RECIPE_NAMES)}")
        parser.add_argument("--campaigns", type=int, default=400, help="how many are simulated")
        parser.add_argument("--seed", type=int, default=12345)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: Any, **options: Any) -> None:
        recipe, campaigns = options["recipe"], options["campaigns"]
        problems = []
        if recipe not in RECIPE_NAMES:
            message = _("Unknown recipe “%(name)s”. Allowed: %(known)s.")
            problems.append(message % {"name": recipe, "known": ", ".join(RECIPE_NAMES)})
        if campaigns < 1:
            problems.append(_("--campaigns must be at least 1, not %(number)d.") % {"number": campaigns})
        if options["seed"] < 0:
            problems.append(_("--seed must be at least 0, not %(number)d.") % {"number": options["seed"]})
        if problems:
            raise CommandError("\n".join(problems), returncode=2)
        counts = calibrated(options["design"], options["world"], [recipe], campaigns=campaigns, seed=options["seed"])[
            recipe
        ]
        if options["json"]:
            about = {name: options[name] for name in ("design", "world", "recipe", "seed")}
            self.stdout.write(json.dumps({**about, **as_json(counts)}))
            return
        for name in FIGURES:
            self.stdout.write(f"{name:20} {_in_percent(counts, name)}")


def as_json(counts: Counts) -> dict[str, Any]:
    """Shares from 0 to 1; `intervals` are for Monte-Carlo error, null where there is one campaign."""
    ends = {name: interval_ends(counts.interval(name)) for name in FIGURES}
    return {
        "campaigns": counts.campaigns,
        **{name: counts.share(name) for name in FIGURES if name not in COVERAGES},
        "coverage": {name: counts.share(name) for name in COVERAGES},
        "intervals": {name: None if isinstance(one, Missing) else to_json(one) for name, one in ends.items()},
    }


def _in_percent(counts: Counts, name: str) -> str:
    interval = interval_ends(counts.interval(name))
    ends = "" if isinstance(interval, Missing) else f" ({100 * interval[0]:.1f} to {100 * interval[1]:.1f})"
    return f"{100 * counts.share(name):.1f} %{ends}"
