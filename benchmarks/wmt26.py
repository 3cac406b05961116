"""An installation as large as WMT26: campaigns, annotators at the page's own pace, an organiser; then at full speed."""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from benchmarks._wmt26.annotator_at_work import AnnotatorAtWork
from benchmarks._wmt26.audit import Findings, audit, last_judgment
from benchmarks._wmt26.made_installation import CAMPAIGNS, SEGMENTS, SYSTEMS
from benchmarks._wmt26.organiser_at_work import OrganiserAtWork
from benchmarks._wmt26.page_requests import Browser, Times
from benchmarks._wmt26.phases import KINDS, Phase, perform
from benchmarks._wmt26.thinking import read_thinking
from bootstrap.places import ROOT
from bootstrap.steps import say
from tests.crash.sites import Site, gunicorn_on_postgres, served_on_sqlite
from tests.plugins.postgres import PostgresServer
from tests.plugins.valkey import ValkeyServer

PAGE = ROOT / "docs" / "benchmarks.md"
POSTGRES, SQLITE = DATABASES = ("postgresql", "sqlite")
PACED, HURRIED = "as people think", "without a thought"
PROMISED = {"next": 150.0, "submit": 150.0, "overview": 1000.0}  # ms, p95, as people think
WORKER = "celery --app config worker --queues default,metrics --concurrency 1 --loglevel warning"
HEADINGS = ("database", "pace", "judgments", "a second", *(f"{kind} p95 ms" for kind in KINDS), "CPU ms", "errors")


@dataclass(frozen=True)
class Plan:
    campaigns: int
    segments: int
    annotators: int
    minutes: float
    hurried_minutes: float


@dataclass(frozen=True)
class Outcome:
    phases: tuple[Phase, ...]
    findings: Findings


def main() -> int:
    options = _options()
    plan = Plan(CAMPAIGNS, SEGMENTS, options.annotators, options.minutes, options.hurried_minutes)
    if options.quick:
        plan = replace(plan, campaigns=2, segments=2 * 551, annotators=8, minutes=0.5, hurried_minutes=0.2)
    outcomes = {kind: _measured(kind, plan) for kind in options.database or DATABASES}
    table = "\n".join(f"| {' | '.join(row)} |" for row in [HEADINGS, ["---"] * len(HEADINGS), *_rows(outcomes)])
    wrong = [f"WRONG, {kind}: {each}" for kind, outcome in outcomes.items() for each in _wrong(outcome)]
    about = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with {describe_machine()}: {plan.campaigns} campaigns, "
        f"{plan.segments:,} segments, {SYSTEMS} systems, {plan.annotators} annotators; {plan.minutes:g} minutes "
        f"{PACED}, {plan.hurried_minutes:g} {HURRIED}."
    )
    verdicts = [_audited(kind, outcome.findings) for kind, outcome in outcomes.items()]
    sys.stdout.write("\n".join([about, "", table, "", *verdicts, *wrong, ""]))
    if options.write:
        write_part(PAGE, "wmt26", f"{about}\n\n{table}\n\n" + "\n".join(f"- {each}" for each in [*verdicts, *wrong]))
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./assay bench wmt26", description=__doc__)
    parser.add_argument("--minutes", type=float, default=15, help="at the pace of people (default: 15)")
    parser.add_argument("--hurried-minutes", type=float, default=2, help="without thinking (default: 2)")
    parser.add_argument("--annotators", type=int, default=60, help="at once (default: 60)")
    parser.add_argument("--database", action="append", choices=DATABASES, help="one of them (default: both)")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--quick", action="store_true", help="small numbers, that it works and no more")
    choice.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    return parser.parse_args()


def _measured(kind: str, plan: Plan) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder, _opened(kind, Path(folder)) as (site, others):
        say(f"{kind}: making {plan.campaigns} campaigns …")
        numbers = map(str, (plan.campaigns, plan.segments, plan.annotators))
        command = [sys.executable, "-m", "benchmarks._wmt26.made_installation", *numbers]
        made = subprocess.run(
            command, cwd=ROOT, env=site.environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        site.start()
        return _judged(site, json.loads(made), plan, others, kind)


def _judged(site: Site, made: Any, plan: Plan, others: Sequence[int], kind: str) -> Outcome:
    times, thinking, before = Times(), read_thinking(), last_judgment(site.database)
    rng = random.Random(kind)  # noqa: S311 - which overview and which answer, no secrets
    people = [
        AnnotatorAtWork(Browser(site.port, session, times), slug, thinking, random.Random(rng.getrandbits(64)))  # noqa: S311 - as above
        for slug, session in made["people"]
    ]
    organiser = OrganiserAtWork(site.port, str(made["organiser"]), made["campaigns"], times, rng)

    def processes() -> list[int]:
        return [site.processes()[0], *others]

    phases = []
    for name, minutes, thinks in ((PACED, plan.minutes, True), (HURRIED, plan.hurried_minutes, False)):
        say(f"{kind}: {len(people)} annotators, {minutes:g} minutes {name} …")
        phases.append(perform(name, people, organiser, times, minutes=minutes, thinks=thinks, processes=processes))
    return Outcome(tuple(phases), audit(site.database, people, before=before))


@contextmanager
def _opened(kind: str, home: Path) -> Iterator[tuple[Site, list[int]]]:
    """With the first of its other processes: the database's and the worker's."""
    with ExitStack() as ends:
        if kind == SQLITE:
            site = served_on_sqlite(home)
            ends.callback(site.kill)
            yield site, []
            return
        postgres, valkey = PostgresServer(durable=True), ValkeyServer()
        ends.callback(postgres.stop)
        ends.callback(valkey.stop)
        site = gunicorn_on_postgres(home, postgres)
        site.environment["REDIS_URL"] = valkey.url()
        ends.callback(site.kill)
        worker = _worker(site.environment, home / "worker.log")
        ends.callback(_ended, worker)
        yield site, [postgres.pid, worker.pid]


def _worker(environment: dict[str, str], log: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", *WORKER.split()]
    with log.open("ab") as stream:
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=stream, stderr=stream, start_new_session=True
        )


def _ended(process: "subprocess.Popen[bytes]") -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _rows(outcomes: dict[str, Outcome]) -> Iterator[list[str]]:
    for kind, outcome in outcomes.items():
        for phase in outcome.phases:
            figures = [f"{phase.judged:,}", f"{phase.per_second:.1f}", *(f"{phase.p95[each]:.0f}" for each in KINDS)]
            yield [kind, phase.name, *figures, f"{phase.cpu:.1f}", f"{len(phase.errors):,}"]


def _audited(kind: str, findings: Findings) -> str:
    return (
        f"{kind}: {findings.acknowledged:,} judgments acknowledged, {findings.lost} of them lost, {findings.doubled} "
        "doubled or changed."
    )


def _wrong(outcome: Outcome) -> Iterator[str]:
    findings = outcome.findings
    if findings.lost or findings.doubled:
        yield f"{findings.lost} judgments are lost, {findings.doubled} doubled or changed"
    yield from findings.half_done
    for phase in outcome.phases:
        yield from phase.errors[:5]
    paced = outcome.phases[0]
    for kind, most in PROMISED.items():
        if not paced.p95[kind] < most:
            yield f"p95 of {kind} is {paced.p95[kind]:.0f} ms (promised: under {most:.0f})"


if __name__ == "__main__":
    sys.exit(main())
