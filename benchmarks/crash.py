"""kill -9 of the server under load, and PostgreSQL stopped at once: whatever was acknowledged must be there, once."""

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from bootstrap.places import ROOT
from bootstrap.steps import say
from tests.crash.campaign import Plan, annotators_of, open_campaign
from tests.crash.crowd import Crowd
from tests.crash.figures import Figures
from tests.crash.killing import kill_again_and_again
from tests.crash.outage import PATIENCE, hold_against, stop_again_and_again
from tests.crash.sites import Site, gunicorn_on_postgres, served_on_sqlite
from tests.plugins.postgres import PostgresServer

PAGE = ROOT / "docs" / "benchmarks.md"
PLAN = Plan(outputs=2000, redundancy=8, items_per_assignment=20, annotators=8)
CROWD, LEAVING = Plan(outputs=2000, redundancy=3, items_per_assignment=10, annotators=16, planning="pool"), 5
TOLD_EVERY = 10  # kills
HEADINGS = ("", "times", "acknowledged", "lost", "doubled", "drafts kept", "unanswered", "of these stored", "start, s")

Results = Mapping[str, Figures]


def main() -> int:
    options = _options()
    say(f"seed {options.seed}")
    results: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder, ExitStack() as ends:
        home = Path(folder)
        postgres = PostgresServer(durable=True)
        ends.callback(postgres.stop)
        sites = [served_on_sqlite(_made(home / "sqlite")), gunicorn_on_postgres(_made(home / "postgres"), postgres)]
        for site in sites:
            ends.callback(site.kill)
            results[f"kill -9 of {site.name}"] = _kill(site, home / site.log.parent.name, options)
            site.kill()
        crowded = served_on_sqlite(_made(home / "crowd"))
        ends.callback(crowded.kill)
        results[f"a crowd on {crowded.name}"] = _judge_as_crowd(crowded, home / "crowd", options)
        results["immediate stop of PostgreSQL"] = _stop(postgres, _made(home / "stopped"), options, ends)
    table = in_markdown(results)
    sys.stdout.write("\n".join([table, *all_wrong(results), ""]))
    if options.write:
        about = f"Measured on {datetime.now(UTC):%Y-%m-%d} with {describe_machine()}; seed {options.seed}."
        write_part(PAGE, "crash", f"{about}\n\n{table}")
    return 1 if all_wrong(results) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./assay bench crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="of each server (default: 100)")
    parser.add_argument("--stops", type=int, default=20, help="of PostgreSQL (default: 20)")
    parser.add_argument("--seed", type=int, help="of the moments and of what is sent (default: another every time)")
    parser.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(2**32)
    return options


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _kill(site: Site, home: Path, options: argparse.Namespace) -> Figures:
    say(f"{site.name}: {options.kills} kills …")
    annotators = annotators_of(site, open_campaign(site, home, PLAN), seed=options.seed)
    site.start()

    def tell(figures: Figures) -> None:
        if figures.times % TOLD_EVERY == 0:
            say(f"{figures.times} kills, {figures.acknowledged} judgments acknowledged, {figures.lost} lost")

    rng = random.Random(options.seed)  # noqa: S311 - moments, not secrets
    return kill_again_and_again(site, annotators, times=options.kills, rng=rng, tell=tell)


def _judge_as_crowd(site: Site, home: Path, options: argparse.Namespace) -> Figures:
    """Until every output has its judgments; some annotators leave in the middle and come back late."""
    say(f"{site.name}: {CROWD.annotators} annotators at once …")
    annotators = annotators_of(site, open_campaign(site, home, CROWD), seed=options.seed, patience=5)
    site.start()
    Crowd(site.database, annotators, leaving=LEAVING).judge_everything()
    figures = Figures(times=1)
    hold_against(site.database, annotators, figures)
    return figures


def _stop(postgres: PostgresServer, home: Path, options: argparse.Namespace, ends: ExitStack) -> Figures:
    say(f"{options.stops} immediate stops of PostgreSQL …")
    site = gunicorn_on_postgres(home, postgres)
    ends.callback(site.kill)
    annotators = annotators_of(site, open_campaign(site, home, PLAN), seed=options.seed, patience=PATIENCE)
    site.start()
    rng = random.Random(options.seed)  # noqa: S311 - moments, not secrets
    return stop_again_and_again(postgres, site.database, annotators, times=options.stops, rng=rng)


def all_wrong(results: Results) -> list[str]:
    return [f"WRONG, {what}: {wrong}" for what, figures in results.items() for wrong in figures.wrong]


def in_markdown(results: Results) -> str:
    rule = ["---", *["--:"] * (len(HEADINGS) - 1)]
    rows = [_row(what, figures) for what, figures in results.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in [HEADINGS, rule, *rows])


def _row(what: str, figures: Figures) -> tuple[str, ...]:
    counted = (figures.times, figures.acknowledged, figures.lost, figures.doubled, figures.kept_drafts)
    arrived = "–" if figures.arrived is None else f"{figures.arrived:,}"
    starts = f"{statistics.median(figures.restarts):.1f} ({max(figures.restarts):.1f})" if figures.restarts else "–"
    return (what, *(f"{number:,}" for number in (*counted, figures.unanswered)), arrived, starts)


if __name__ == "__main__":
    sys.exit(main())
