"""Assay takes part: gunicorn as docker-compose.yml starts it, with two processes, and annotators by the API."""

import csv
import os
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from benchmarks._judging.contestant import BenchmarkFailed, Opened
from benchmarks._judging.database_copies import Shelf
from benchmarks._judging.invented_texts import write_test_set
from benchmarks._judging.json_connection import Connection
from benchmarks._judging.plan import Plan
from benchmarks._judging.server import serving
from tests.processes import free_port, run_commands, run_python

PROCESSES = 2
GUNICORN = (
    "--worker-class config.buffering_worker.BufferingWorker --threads 8 --timeout 120 --keep-alive 5 "
    "--worker-tmp-dir /dev/shm --no-control-socket"
)
CAMPAIGN = "judging"
LANGUAGES = ["--source-language", "en", "--target-language", "de"]


class AssayAnnotator:
    """An annotator who is a program, and gets what comes next with the receipt of every judgment."""

    def __init__(self, port: int, token: str) -> None:
        self.acknowledged: list[str] = []
        self._connection = Connection(port, {"Authorization": f"Token {token}"})
        taken = self._connection.ask("POST", f"/api/v1/campaigns/{CAMPAIGN}/assignments", expected=201)
        self._items = f"/api/v1/assignments/{taken['id']}/items"
        self._page = self._connection.ask("GET", self._items)

    def loop(self) -> None:
        item = next(item for item in self._page["items"] if item["answer"] is None)
        client_id = str(uuid.uuid4())
        judgment = {
            "client_id": client_id,
            "base_revision": item["revision"],
            "answer": {"slots": {"A": {"score": 73}}, "comment": "", "cannot_judge": None},
            "started": "2026-11-21T08:00:00Z",
            "elapsed_ms": 9000,
            "active_ms": 8000,
        }
        address = f"{self._items}/{item['id']}/judgments?next_after={item['id']}"
        self._page = self._connection.ask("POST", address, judgment, expected=201)["next"]
        self.acknowledged.append(client_id)

    def hang_up(self) -> None:
        self._connection.close()


class Assay:
    is_ours = True

    def __init__(self, name: str, *, shelf: Shelf, home: Path, plan: Plan, variables: dict[str, str]) -> None:
        self.name = name
        self._shelf = shelf
        self._home = home
        self._plan = plan
        self._variables = variables
        home.mkdir()

    @property
    def versions(self) -> str:
        python = ".".join(map(str, sys.version_info[:3]))
        return f"{self._shelf.version}, Django {version('django')}, gunicorn {version('gunicorn')}, Python {python}"

    def prepare(self) -> None:
        """Made by the documented commands; at the other sizes, what was judged before is added."""
        url = self._shelf.make("planned")
        write_test_set(self._home / "set.csv", count=self._plan.texts, segments=self._plan.segments)
        plan = ["--items-per-assignment", str(self._plan.assignment), "--seed", "7", "--open"]
        judged_by = ["--test-set", CAMPAIGN, "--protocol", "direct_assessment"]
        people = ["--annotators", str(max(self._plan.crowds)), "--output", str(self._home / "links.csv")]
        done = run_commands(
            ["migrate", "--no-input", "--verbosity", "0"],
            ["import_test_set", str(self._home / "set.csv"), "--name", CAMPAIGN, *LANGUAGES],
            ["create_campaign", CAMPAIGN, *judged_by, *plan],
            ["invite", CAMPAIGN, *people, "--api-tokens"],
            environment=self._environment(url),
        )
        if done.returncode:
            raise BenchmarkFailed(f"{self.name} could not be prepared: {done.stderr}")
        for stored in self._plan.sizes:
            self._prepare_size(stored)

    def _prepare_size(self, stored: int) -> None:
        name = _with_stored(stored)
        url = self._shelf.make(name, like="planned")
        if stored:
            code = "from benchmarks._judging.earlier_judgments import judge_in_the_past\n"
            code += f"judge_in_the_past({CAMPAIGN!r}, judgments={stored})"
            run_python(code, environment=self._environment(url))
        self._shelf.settle(name)

    @contextmanager
    def opened(self, *, stored: int, annotators: int) -> Iterator[Opened]:
        url = self._shelf.make("measured", like=_with_stored(stored))
        try:
            with self._served(url) as (port, process):
                people = [AssayAnnotator(port, token) for token in self._tokens()[:annotators]]
                yield Opened(people, process, self._shelf.process, lambda: self._shelf.client_ids("measured"))
        finally:
            self._shelf.drop("measured")

    @contextmanager
    def _served(self, url: str) -> Iterator[tuple[int, int]]:
        port = free_port()
        place = ["--bind", f"127.0.0.1:{port}", "--workers", str(PROCESSES)]
        command = [sys.executable, "-m", "gunicorn", "config.wsgi:application", *GUNICORN.split(), *place]
        with serving(
            command,
            environment=self._environment(url),
            address=f"http://127.0.0.1:{port}/health/",
            log=self._home / "gunicorn.log",
        ) as process:
            yield port, process

    def _tokens(self) -> list[str]:
        with (self._home / "links.csv").open(encoding="utf-8") as stream:
            return [row["token"] for row in csv.DictReader(stream)]

    def _environment(self, url: str) -> dict[str, str]:
        foreign = ("ASSAY_", "DJANGO_", "DATABASE_URL", "REDIS_URL", "GUNICORN_", "WEB_CONCURRENCY")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        own = {"DJANGO_SETTINGS_MODULE": "config.settings", "ASSAY_DATA_DIR": str(self._home / "data")}
        return inherited | own | self._variables | {"DATABASE_URL": url}


def _with_stored(stored: int) -> str:
    return f"stored_{stored}"


def production(home: Path) -> dict[str, str]:
    """As in docker-compose.yml; judging never speaks to the broker, so none is started."""
    return {
        "ASSAY_PRODUCTION": "true",
        "ASSAY_SECRET_KEY": "k" * 50,
        "ASSAY_BASE_URL": "https://assay.example.org",
        "ASSAY_ALLOWED_HOSTS": "assay.example.org,127.0.0.1",
        "ASSAY_BEHIND_PROXY": "true",
        "ASSAY_LOG_FORMAT": "json",
        "ASSAY_STATIC_ROOT": str(home),
        "REDIS_URL": "redis://127.0.0.1:6379/0",
    }
