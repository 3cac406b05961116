"""Whether control items can be told from regular ones without reading: an adversary looks at all that is served.

For each protocol campaigns are made from seeds drawn beforehand, every assignment is fetched by the annotator's API to
its end, and boosted trees that were shown other campaigns with their secrets say of each item how much they suspect it.
Texts are taken out, and what follows from them: that a text comes again is for whoever reads it.
"""

import argparse
import os
import random
import secrets
import sys
import tempfile
from datetime import UTC, datetime

import django
from django.core.management import call_command

from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from bootstrap.places import ROOT
from bootstrap.steps import say

PAGE = ROOT / "docs" / "benchmarks.md"
CAMPAIGNS, DOCUMENTS = 15, 60


def main() -> int:
    parser = argparse.ArgumentParser(prog="./assay bench blindness", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="drawn anew each time")
    parser.add_argument("--campaigns", type=int, default=CAMPAIGNS, help=f"of each protocol ({CAMPAIGNS})")
    parser.add_argument("protocols", nargs="*", help="without them all that plant control items")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        os.environ |= {"ASSAY_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ.pop("DATABASE_URL", None)
        django.setup()
        call_command("migrate", verbosity=0)
        return _measure(options)


def _measure(options: argparse.Namespace) -> int:
    from benchmarks._blindness.adversary import look_for_controls  # noqa: PLC0415 - settings must stand before models
    from benchmarks._blindness.campaigns import OPTIONS, watched_campaigns  # noqa: PLC0415

    rows, is_blind = [], True
    for protocol in options.protocols or OPTIONS:
        rng = random.Random(f"{options.seed} {protocol}")  # noqa: S311 - to be repeated, not secret
        search = look_for_controls(
            watched_campaigns(protocol, rng, campaigns=options.campaigns, documents=DOCUMENTS), seed=options.seed
        )
        is_blind &= search.is_blind
        cells = f"{search.controls:,} | {search.regular:,} | {search.area:.3f} | {search.low:.3f} to {search.high:.3f}"
        rows.append(f"| {protocol} | {cells} |")
        say(f"{protocol}: {search}")
    about = f"- Measured on {datetime.now(UTC):%Y-%m-%d} with {describe_machine()}; seed {options.seed}"
    head = "| protocol | control items | regular items | area under the curve | 95 % interval |\n|---|--:|--:|--:|--:|"
    verdict = (
        "Every interval contains 0.5 and lies within 0.45 to 0.55." if is_blind else "Control items can be recognised."
    )
    text = "\n\n".join([about, "\n".join([head, *rows]), verdict])
    sys.stdout.write(f"{text}\n")
    if options.write:
        write_part(PAGE, "blindness", text)
    return 0 if is_blind else 1


if __name__ == "__main__":
    sys.exit(main())
