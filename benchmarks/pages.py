"""What every page and list costs the server at 100,000 judgments, on SQLite and on PostgreSQL.

Two campaigns are made, one of scores by 200 annotators, one of marked errors by 24, with 200 of everything that stands
beside judgments. Every address that is read is asked with all its filters and orders when all runs
have been computed, and without them before any run, and while they are computed anew.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from benchmarks._pages.cost_table import MOST_MS, MOST_QUERIES, broken, table_of
from bootstrap.places import ROOT
from tests.plugins.postgres import PostgresServer

PAGE = ROOT / "docs" / "benchmarks.md"
DATABASES = ("sqlite", "postgresql")
Costs = list[dict[str, Any]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="./assay bench pages", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    parser.add_argument("--database", choices=DATABASES, action="append", help="this one alone")
    parser.add_argument("--quick", action="store_true", help="a tenth of the judgments: that it works, and no more")
    parser.add_argument("--times", type=int, default=5, help="a figure is the median of so many (5)")
    parser.add_argument("names", nargs="*", help="of addresses, as the site map has them; without them all")
    options = parser.parse_args()
    costs = {name: _measured(name, options) for name in options.database or DATABASES}
    about = f"Measured on {datetime.now(UTC):%Y-%m-%d} with {describe_machine()}"
    errors = [error for name, costs_of_database in costs.items() for error in broken(name, costs_of_database)]
    summary = f"Above {MOST_QUERIES} queries or {MOST_MS} ms: {len(errors) or 'none'}."
    text = "\n\n".join([f"- {about}\n- {summary}", table_of(costs)])
    sys.stdout.write("\n".join([text, *errors, ""]))
    if options.write:
        write_part(PAGE, "pages", text)
    return 1 if errors else 0


def _measured(database: str, options: argparse.Namespace) -> Costs:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder, _server(database) as url:
        environment = {**os.environ, "ASSAY_DATA_DIR": folder}
        environment.pop("DATABASE_URL", None)
        if url:
            environment["DATABASE_URL"] = url
        command = [sys.executable, "-m", "benchmarks._pages.measure_pages"]
        make = [*command, "make", *(["quick"] if options.quick else [])]
        subprocess.run(make, check=True, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        measure = [*command, "measure", str(options.times), *options.names]
        output = subprocess.check_output(measure, cwd=ROOT, env=environment, text=True)
    return [json.loads(line) for line in output.splitlines()]


@contextmanager
def _server(database: str) -> Iterator[str]:
    """The address of a database with the settings it comes with; none for SQLite, which has Assay's."""
    if database == "sqlite":
        yield ""
        return
    server = PostgresServer(durable=True)
    try:
        yield server.url()
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
