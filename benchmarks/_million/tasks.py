"""What is done in a process of its own: `python -m … TASK ARGUMENTS`, on the database of the environment."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict

import django
from django.core.management import call_command


def make(judgments: str) -> None:
    from django.db import connection  # noqa: PLC0415 - settings must stand before models

    from benchmarks._million.making import make_million, make_unjudged  # noqa: PLC0415

    os.nice(10)
    migrate()
    if int(judgments):
        make_million(int(judgments))
    else:
        make_unjudged()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def migrate() -> None:
    call_command("migrate", verbosity=0)


def pages(times: str, runs: str, *names: str) -> None:
    """A line an address, and one for who waits; `runs` is empty for pages as they are before any was computed."""
    from benchmarks._million.pages import page_costs  # noqa: PLC0415

    for cost in page_costs(int(times), set(names), has_runs=bool(runs)):
        sys.stdout.write(json.dumps(cost.as_dict()) + "\n")
        sys.stdout.flush()
        costs = f"{cost.queries} queries, {cost.cpu_ms:.0f} ms of CPU, at first {cost.first_ms:.0f} ms"
        sys.stderr.write(f"{cost.campaign}: {cost.path}: {', '.join([costs, *cost.scans])}\n")


def analyse(name: str) -> None:
    """Ranking and agreement, from the first query to the stored result; of marked errors, when penalties are stored."""
    from benchmarks._million.analyses import analysis_cost  # noqa: PLC0415

    sys.stdout.write(json.dumps(analysis_cost(name)) + "\n")


def files() -> None:
    from benchmarks._million.files import file_cost  # noqa: PLC0415

    sys.stdout.write(json.dumps(asdict(file_cost())) + "\n")


def write(whole: str, tenth: str) -> None:
    from benchmarks._million.imports import write_files  # noqa: PLC0415

    write_files(whole, tenth)


def take(path: str) -> None:
    """Imports the file into the database, which is empty."""
    from benchmarks._million.imports import import_cost  # noqa: PLC0415

    sys.stdout.write(json.dumps(asdict(import_cost(path))) + "\n")


def judge() -> None:
    """Judges once for each line that comes in, and answers with its cost; the first is the number of statements."""
    from benchmarks._million.judging import loops  # noqa: PLC0415

    costs = loops()
    for _line in sys.stdin:
        sys.stdout.write(json.dumps(next(costs)) + "\n")
        sys.stdout.flush()


TASKS: dict[str, Callable[..., None]] = {
    "make": make,
    "migrate": migrate,
    "pages": pages,
    "analyse": analyse,
    "files": files,
    "write": write,
    "take": take,
    "judge": judge,
}


def main() -> int:
    task, *arguments = sys.argv[1:]
    os.environ["ASSAY_API_REQUESTS_PER_MINUTE"] = "1000000"
    django.setup()
    TASKS[task](*arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
