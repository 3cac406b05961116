"""Several machines, tried on one: two web servers, two workers, a replica; one of each is killed by turns."""

import argparse
import csv
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from bootstrap.places import ROOT
from bootstrap.steps import say
from tests.crash.annotator import Annotator, at_work
from tests.crash.audit import audit
from tests.crash.campaign import Plan, annotators_of, open_campaign
from tests.crash.ledger import Books
from tests.crash.program import Program
from tests.crash.sites import Site, gunicorn_on_postgres
from tests.plugins.postgres import PostgresServer
from tests.plugins.postgres_replica import PostgresReplica
from tests.plugins.valkey import ValkeyServer
from tests.processes import free_port, wait_for

PAGE = ROOT / "docs" / "benchmarks.md"
PLAN = Plan(outputs=2000, redundancy=8, items_per_assignment=20, annotators=8)
PATIENCE = 120.0  # seconds for which annotators ask again
QUEUES = ("default", "metrics")
QUICKLY = {"ASSAY_RUN_HEARTBEAT_SECONDS": "1", "ASSAY_RUN_STALE_SECONDS": "5", "ASSAY_RUN_MAX_ATTEMPTS": "20"}
BEHIND_SECONDS = 60.0


@dataclass
class Worker:
    environment: dict[str, str]
    queue: str
    log: Path
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        words = ["celery", "--app", "config", "worker", "--queues", self.queue, "--concurrency", "1"]
        command = [sys.executable, "-m", *words, "--loglevel", "warning", "--hostname", f"{self.queue}@here"]
        with self.log.open("ab") as stream:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=stream, stderr=stream, start_new_session=True
            )

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder, ExitStack() as ends:
        sites, workers = _several(Path(folder), ends)
        tokens = open_campaign(sites[0], Path(folder), PLAN)
        token = _organiser(sites[0])
        olive = Program(sites[0].url, token, patience=PATIENCE)
        people = [
            each
            for place, site in enumerate(sites)
            for each in annotators_of(
                site, tokens[place :: len(sites)], seed=options.seed + 1000 * place, patience=PATIENCE
            )
        ]
        for site in sites:
            site.start()
        for worker in workers:
            worker.start()
        runs = []
        with at_work(people):
            for turn in range(options.turns):
                runs.append(_killed(sites[turn % 2], workers[turn % 2], olive, random.Random(options.seed + turn)))  # noqa: S311 - moments, not secrets
                say(f"{turn + 1} of {options.turns} turns")
        wrong, told = _looked_at(sites[0], people, olive, runs)
        judged = int(sites[0].database.rows("SELECT COUNT(DISTINCT item_id) FROM annotation_judgment")[0][0])
        what = "the file from the replica to have every judgment"
        wait_for(lambda: _exported(sites[0], token) >= judged, what=what, seconds=BEHIND_SECONDS)
    about = f"Measured on {datetime.now(UTC):%Y-%m-%d} with {describe_machine()}; seed {options.seed}; {told}"
    sys.stdout.write("\n".join([about, *(f"WRONG: {each}" for each in wrong), ""]))
    if options.write and not wrong:
        write_part(PAGE, "machines", about)
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./assay bench machines", description=__doc__)
    parser.add_argument("--turns", type=int, default=20, help="of a web server and a worker each (default: 20)")
    parser.add_argument("--seed", type=int, default=7, help="of the moments and of what is sent (default: 7)")
    parser.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    return parser.parse_args()


def _several(home: Path, ends: ExitStack) -> tuple[list[Site], list[Worker]]:
    """On one PostgreSQL with its replica and one Valkey."""
    postgres, valkey = PostgresServer(durable=True), ValkeyServer()
    ends.callback(postgres.stop)
    ends.callback(valkey.stop)
    first = gunicorn_on_postgres(home, postgres)
    replica = PostgresReplica(postgres)
    ends.callback(replica.stop)
    name = first.environment["DATABASE_URL"].rpartition("/")[2]
    first.environment.update(QUICKLY, REDIS_URL=valkey.url(), ASSAY_REPLICA_URL=replica.url(name))
    port = free_port()
    command = [*first.command[:-1], f"127.0.0.1:{port}"]
    second = replace(first, name="the other gunicorn", command=command, port=port, log=home / "other.log")
    workers = [Worker(first.environment, queue, home / f"{queue}.log") for queue in QUEUES]
    for end in (first.kill, second.kill, *(worker.kill for worker in workers)):
        ends.callback(end)
    return [first, second], workers


def _organiser(site: Site) -> str:
    """A token of somebody who may see every campaign."""
    site.manage(["create_account", "olive"])
    site.database.rows("UPDATE campaigns_account SET is_superuser = true WHERE username = 'olive' RETURNING id")
    return site.manage(["make_token", "olive"])[-1]


def _killed(site: Site, worker: Worker, olive: Program, rng: random.Random) -> int:
    """The run that was queued before."""
    body = {"analyses": ["ranking"]}
    status, run = olive.ask("POST", "campaigns/crowd/runs", body)
    if status not in (200, 202):
        raise SystemExit(f"no run was queued: {status} {run}")
    time.sleep(rng.uniform(0.2, 1.5))
    site.kill()
    worker.kill()
    time.sleep(rng.uniform(0.2, 1.5))
    worker.start()
    site.start()
    return int(run["id"])


def _looked_at(site: Site, people: list[Annotator], olive: Program, runs: list[int]) -> tuple[list[str], str]:
    books = Books([each.ledger for each in people])
    for each in people:
        each.resend()
    findings = audit(site.database, books)
    wrong = [f"{what}: {found}" for what, found in findings.wrong.items()] + books.surprises
    wait_for(lambda: all(_is_done(olive, run) for run in runs), what="every run", seconds=600)
    stored = len(books.acknowledged)
    told = (
        f"{len(runs)} turns, {stored:,} judgments acknowledged, {len(findings.lost)} lost, {len(findings.doubled)} "
        f"doubled; {len(set(runs))} analyses, every one performed; the file from the replica has every judgment."
    )
    return wrong, told


def _is_done(olive: Program, run: int) -> bool:
    status, answer = olive.ask("GET", f"runs/{run}")
    if status == 200 and answer["status"] == "failed":
        raise SystemExit(f"run {run} failed: {answer}")
    return status == 200 and answer["status"] == "done"


def _exported(site: Site, token: str) -> int:
    """Judgments in the file that is read from the replica."""
    address = f"{site.url}/api/v1/campaigns/crowd/exports/csv"
    request = urllib.request.Request(address, headers={"Authorization": f"Token {token}"})  # noqa: S310 - our own server
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:  # noqa: S310 - as above
        return sum(1 for _ in csv.reader(response.read().decode().splitlines())) - 1


if __name__ == "__main__":
    sys.exit(main())
