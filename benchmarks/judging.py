"""What judging costs: the loop of next and submit over HTTP, on PostgreSQL and on SQLite, beside Pearmut."""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks._judging import tables
from benchmarks._judging.assay import Assay, production
from benchmarks._judging.contestant import BenchmarkFailed, Contestant
from benchmarks._judging.database_copies import PostgresShelf, SqliteShelf
from benchmarks._judging.figures import Cell, Figures, figures
from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from benchmarks._judging.pearmut import Pearmut
from benchmarks._judging.plan import FULL, QUICK, Plan
from benchmarks._judging.rounds import Outcome, take_turns
from bootstrap.places import ROOT
from bootstrap.steps import say
from tests.plugins.postgres import PostgresServer

PROMISED_MILLISECONDS = 20.0  # of Assay's own processes for a loop, on PostgreSQL
PROMISED_COST, PROMISED_SPEED = 3.0, 3.0  # times Pearmut's CPU with nothing stored; its speed with most stored
PAGE = ROOT / "docs" / "benchmarks.md"
ON_POSTGRES, ON_SQLITE = "Assay on PostgreSQL", "Assay on SQLite"


def main() -> int:
    options = _options()
    plan = replace(QUICK if options.quick else FULL, segments=options.segments)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="assay-bench-") as folder,
            _contestants(Path(folder), plan) as taking_part,
        ):
            outcome = take_turns(taking_part, plan)
    except BenchmarkFailed as error:
        say(str(error))
        return 1
    results = {cell: figures(measurements) for cell, measurements in outcome.measured.items()}
    rows = tables.rows(results)
    about = _about(plan, outcome)
    sys.stdout.write("\n".join([*about, "", tables.in_columns(rows), "", _verdict(results), ""]))
    if options.write:
        lists = "\n".join(f"- {line}" for line in about)
        write_part(PAGE, "judging", f"{lists}\n\n{tables.in_markdown(rows)}\n\n{_verdict(results)}")
    beside = [pair for name in (ON_POSTGRES, ON_SQLITE) for pair in [beside_pearmut(results, name)] if pair]
    is_kept = all(cost <= PROMISED_COST and speed >= PROMISED_SPEED for cost, speed in beside)
    return 0 if most_expensive(results) <= PROMISED_MILLISECONDS and (is_kept or options.quick) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./assay bench judging", description=__doc__)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--quick", action="store_true", help="small numbers, that it works and no more")
    choice.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    parser.add_argument(
        "--segments", type=int, choices=(1, 2, 5, 10), default=1, help="of Assay's documents (default: 1, as Pearmut's)"
    )
    return parser.parse_args()


@contextmanager
def _contestants(home: Path, plan: Plan) -> Iterator[list[Contestant]]:
    with ExitStack() as ends:
        server = PostgresServer(durable=True)
        ends.callback(server.stop)
        on_postgres, on_sqlite = home / "postgres", home / "sqlite"
        yield [
            Assay(
                ON_POSTGRES, shelf=PostgresShelf(server), home=on_postgres, plan=plan, variables=production(on_postgres)
            ),
            Assay(ON_SQLITE, shelf=SqliteShelf(on_sqlite), home=on_sqlite, plan=plan, variables={}),
            Pearmut(home=home / "pearmut", plan=plan),
        ]


def _about(plan: Plan, outcome: Outcome) -> list[str]:
    return [
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with {describe_machine()}",
        *(f"{name}: {versions}" for name, versions in outcome.versions.items()),
        *(f"{name} is left out: it could not take part on this machine" for name in outcome.left_out),
        f"Segments of a document: {plan.segments}; texts shown by Assay at a time: whole documents, three of them",
        f"Rounds in turn: {plan.rounds}; a figure is their median, with the least and the greatest in brackets",
    ]


def most_expensive(results: Mapping[Cell, Figures]) -> float:
    return max(results[cell].server.median for cell in results if cell.contestant == ON_POSTGRES)


def beside_pearmut(results: Mapping[Cell, Figures], name: str) -> tuple[float, float] | None:
    """With one annotator: how many times its server CPU with nothing stored, and its loops/s with most stored.

    None where Pearmut was left out.
    """
    sizes = sorted({cell.stored for cell in results})
    few, most = (
        [results.get(Cell(who, stored, 1)) for who in (name, Pearmut.name)] for stored in (sizes[0], sizes[-1])
    )
    if not (few[0] and few[1] and most[0] and most[1]):
        return None
    cost = few[0].server.median / few[1].server.median
    return cost, most[0].loops_per_second.median / most[1].loops_per_second.median


def _verdict(results: Mapping[Cell, Figures]) -> str:
    verdict = (
        f"Promised: at most {PROMISED_MILLISECONDS:.0f} ms of server CPU per loop on PostgreSQL at either size. "
        f"Measured: at most {most_expensive(results):.1f} ms."
    )
    for name in (ON_POSTGRES, ON_SQLITE):
        if beside := beside_pearmut(results, name):
            verdict += (
                f" {name}, one annotator: {beside[0]:.1f} times the server CPU of Pearmut with nothing stored "
                f"(promised: at most {PROMISED_COST:.0f}), {beside[1]:.1f} times its loops/s with most stored "
                f"(promised: at least {PROMISED_SPEED:.0f})."
            )
    return verdict


if __name__ == "__main__":
    sys.exit(main())
