"""What a million stored judgments cost, on SQLite and on PostgreSQL: a judgment, an analysis, every page.

One campaign of Direct Assessment with a million judgments and one of MQM with 300,000 are made by statements; in
`--data` they stay for the next time.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from subprocess import Popen
from tempfile import TemporaryDirectory

from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from benchmarks._judging.processor_time import seconds_used
from benchmarks._million.databases import DATABASES, Opened, opened
from benchmarks._million.layout import MARKED, SCORED
from benchmarks._million.report import Part, analysis_part, file_part, import_part, judging_part, page_part
from bootstrap.places import ROOT
from bootstrap.steps import say

PAGE = ROOT / "docs" / "benchmarks.md"
LEAST = 2_000
LOOPS = 200


def main() -> int:
    options = _options()
    parts: dict[str, list[Part]] = {name: [] for name in options.only or MEASURES}
    for kind in options.database or DATABASES:
        with opened(kind, options.judgments, options.data) as place:
            for name, measured in parts.items():
                say(f"measuring {name} on {kind} …")
                measured.append(MEASURES[name](place, options))
    about = f"Measured on {datetime.now(UTC):%Y-%m-%d}, {options.judgments:,} judgments, with {describe_machine()}"
    sys.stdout.write(f"{about}\n")
    for name, measured in parts.items():
        sys.stdout.write(
            "\n".join([f"\n{name}", *_lines(measured), *(each for part in measured for each in part.broken), ""])
        )
        if options.write:
            write_part(PAGE, f"million-{name}", "\n".join([f"- {about}", "", *_lines(measured), *_above(measured)]))
    return 1 if any(part.broken for measured in parts.values() for part in measured) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./assay bench million", description=__doc__)
    parser.add_argument("--database", choices=DATABASES, action="append", help="this one alone")
    parser.add_argument("--judgments", type=int, default=1_000_000, help=f"of the first campaign, at least {LEAST:,}")
    parser.add_argument("--data", type=Path, help="a folder in which what is made stays")
    parser.add_argument("--only", choices=MEASURES, action="append", help="this part alone")
    parser.add_argument("--times", type=int, default=3, help="how often an address is requested (3)")
    parser.add_argument("--without-runs", action="store_true", help="pages before anything was computed: much faster")
    parser.add_argument("--names", nargs="*", default=[], help="of addresses, as the site map has them; without, all")
    parser.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    options = parser.parse_args()
    if options.judgments < LEAST:
        parser.error(f"--judgments: at least {LEAST:,}.")
    return options


def _lines(measured: list[Part]) -> Iterator[str]:
    """One table of the rows of all databases."""
    yield from measured[0].heads
    for part in measured:
        yield from part.rows


def _above(measured: list[Part]) -> Iterator[str]:
    """A list of what broke a promise."""
    broken = [each for part in measured for each in part.broken]
    if broken:
        yield from ("", "Above a bound:", "")
    yield from (f"- {each}" for each in broken)


def _pages(place: Opened, options: argparse.Namespace) -> Part:
    runs = "" if options.without_runs else "runs"
    output = place.run("pages", options.times, runs, *options.names)
    return page_part(place.kind, map(json.loads, output.splitlines()))


def _files(place: Opened, _options: argparse.Namespace) -> Part:
    return file_part(place.kind, json.loads(place.run("files")))


def _imports(place: Opened, _options: argparse.Namespace) -> Part:
    """Without a database beside it that works, and nothing of the first import is left for the second."""
    with TemporaryDirectory(prefix="assay-bench-", dir=place.home) as folder:
        files = [str(Path(folder) / name) for name in ("whole.csv", "tenth.csv")]
        place.run("write", *files)
        costs = []
        for path in files:
            with place.fresh() as empty:
                costs.append(json.loads(empty.run("take", path)))
    return import_part(place.kind, *costs)


def _analyses(place: Opened, _options: argparse.Namespace) -> Part:
    """The processor time of PostgreSQL stands beside that of the process."""
    costs = []
    for name in (SCORED, MARKED):
        before = seconds_used(place.server.pid) if place.server else 0.0
        cost = json.loads(place.run("analyse", name))
        costs.append(cost | {"database_s": (seconds_used(place.server.pid) if place.server else 0.0) - before})
    return analysis_part(place.kind, costs)


def _judging(place: Opened, _options: argparse.Namespace) -> Part:
    """Beside a database of which nothing is judged: a loop here and a loop there in turn."""
    processes = (place.started("judge"), place.empty().started("judge"))
    try:
        costs = [[_answered(process) for process in processes] for _loop in range(LOOPS)]
    finally:
        for process in processes:
            process.communicate()  # without a further line it ends
    full, empty = zip(*costs, strict=True)
    return judging_part(place.kind, full, empty)


def _answered(process: Popen[str]) -> dict[str, float]:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("The process has no pipes.")
    process.stdin.write("\n")
    process.stdin.flush()
    answer: dict[str, float] = json.loads(process.stdout.readline())
    return answer


MEASURES: Mapping[str, Callable[[Opened, argparse.Namespace], Part]] = {
    "judging": _judging,
    "analyses": _analyses,
    "pages": _pages,
    "files": _files,
    "import": _imports,
}


if __name__ == "__main__":
    sys.exit(main())
