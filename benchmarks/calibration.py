"""How often each recipe is wrong where no system is better: all designs, worlds and recipes, simulated.

A run that was cut goes on where it ended; each part is in a file as soon as it is done.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import django

from benchmarks._calibration.cells import jobs_left, parts_of, perform
from benchmarks._judging.page_section import write_part
from bootstrap.places import ROOT
from bootstrap.steps import say

PAGE = ROOT / "docs" / "statistics.md"
FILE = ROOT / ".assay" / "calibration.jsonl"


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from benchmarks._calibration.tables import calibration_tables, cells_of_page  # noqa: PLC0415 - settings must stand before models
    from metrics.analyses.calibrated import FILE as SHOWN  # noqa: PLC0415
    from metrics.calibration.outcomes import DECIDING, RECIPE_NAMES  # noqa: PLC0415
    from metrics.calibration.worlds import DESIGNS, WORLDS  # noqa: PLC0415

    options = _parser([*DESIGNS], [*WORLDS]).parse_args()
    wanted = {
        name: options.campaigns if name in DECIDING else min(options.campaigns, options.reproducing)
        for name in RECIPE_NAMES
    }
    jobs = jobs_left(options.file, wanted, options.design or [*DESIGNS], options.world or [*WORLDS])
    for done in perform(jobs, options.file, options.processes) if jobs and not options.no_run else ():
        if done % 10 == 0 or done == len(jobs):
            say(f"{done} of {len(jobs)} parts")
    text = calibration_tables(parts_of(options.file))
    sys.stdout.write(f"{text}\n")
    if options.write:
        write_part(PAGE, "calibration", text)
        lines = ",\n".join(json.dumps(cell) for cell in cells_of_page(parts_of(options.file)))
        SHOWN.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return 0


def _parser(designs: list[str], worlds: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./assay bench calibration", description=__doc__)
    parser.add_argument("--campaigns", type=int, default=2_000, help="of each cell, by recipes that decide")
    parser.add_argument("--reproducing", type=int, default=400, help="of each cell, by recipes that reproduce others")
    parser.add_argument("--design", action="append", choices=designs, help="may be repeated; default: all")
    parser.add_argument("--world", action="append", choices=worlds, help="may be repeated; default: all")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)), help="niced, at the same time")
    parser.add_argument("--file", type=Path, default=FILE, help="where parts are kept")
    parser.add_argument("--no-run", action="store_true", help="only the tables of what is done")
    parser.add_argument(
        "--write", action="store_true", help=f"put the tables into docs/{PAGE.name}, and what Results says"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
