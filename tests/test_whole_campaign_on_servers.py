"""The same campaign as in production: PostgreSQL, Redis' protocol, gunicorn, a Celery worker of its own that performs
runs and sends webhooks' messages and mail, and programs that judge through the API."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

import pytest
from pytest_django import Settings

from annotation.models import Assignment
from campaigns.actions.webhooks import add_webhook, secret_of, signature_of
from campaigns.models import Account, Campaign, DeliveryStatus, HookEvent, Mail, MailStatus, Webhook
from jobs.models import Run, RunStatus
from jobs.queries import parts_of
from tests.hook_receiver import HookReceiver, hook_receiver
from tests.mail_server import MailServer, mail_server
from tests.processes import FAST_RUNS, ROOT, free_port, is_healthy, started, wait_for
from tests.sample_mail import make_mail

pytestmark = [pytest.mark.servers, pytest.mark.django_db(transaction=True)]

DOCUMENTS, SEGMENTS, SYSTEMS, ANNOTATORS = 4, 3, ("Heron", "Kestrel", "Rook"), 3


@pytest.fixture
def hooks(settings: Settings) -> Iterator[HookReceiver]:
    settings.WEBHOOK_HTTP, settings.WEBHOOK_NETWORKS = True, ["127.0.0.0/8"]
    with hook_receiver() as known:
        yield known


@pytest.fixture
def post_office() -> Iterator[MailServer]:
    with mail_server() as known:
        yield known


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def environment(hooks: HookReceiver, post_office: MailServer, port: int) -> dict[str, str]:
    assert connection.vendor == "postgresql", "this test needs the servers that ./assay test starts"
    assert settings.REDIS_URL, "this test needs the servers that ./assay test starts"
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    return {
        **os.environ,
        **FAST_RUNS,
        "DATABASE_URL": database,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "ASSAY_BASE_URL": f"http://127.0.0.1:{port}",
        "ASSAY_WEBHOOK_HTTP": "1",
        "ASSAY_WEBHOOK_NETWORKS": "127.0.0.0/8",
        "ASSAY_MAIL": "smtp",
        "ASSAY_MAIL_HOST": "127.0.0.1",
        "ASSAY_MAIL_PORT": str(post_office.port),
        "ASSAY_MAIL_SECURITY": "none",
        "ASSAY_MAIL_FROM": "Assay <assay@example.org>",
    }


@pytest.fixture
def site(environment: dict[str, str], port: int, tmp_path: Path) -> Iterator[str]:
    web = [
        "-m",
        "gunicorn",
        "config.wsgi",
        "-b",
        f"127.0.0.1:{port}",
        "-k",
        "config.buffering_worker.BufferingWorker",
        "-w",
        "2",
        "--threads",
        "4",
    ]
    worker = ["-m", "celery", "-A", "config", "worker", "-Q", "default,metrics", "-c", "1"]
    with (
        started(web, environment=environment, log=tmp_path / "web.log"),
        started(worker, environment=environment, log=tmp_path / "worker.log"),
    ):
        site = f"http://127.0.0.1:{port}"
        wait_for(lambda: is_healthy(site), what="the web server")
        yield site


def manage(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


class Program:
    """An annotator that is a program: one token, the documented addresses and nothing else."""

    def __init__(self, site: str, token: str) -> None:
        self.api, self.token = f"{site}/api/v1", token

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        request = urllib.request.Request(
            f"{self.api}/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Token {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
                return response.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    def judge_everything(self, slug: str) -> int:
        """Takes what there is to take and answers it, every answer sent twice, as after a lost reply."""
        judged = 0
        while True:
            status, assignment = self.ask("POST", f"campaigns/{slug}/assignments")
            if status == 204:
                return judged
            assert status == 201, assignment
            judged += self._judge_assignment(assignment["id"])

    def _judge_assignment(self, assignment: int) -> int:
        judged = 0
        while True:
            status, page = self.ask("GET", f"assignments/{assignment}/items")
            assert status == 200, page
            waiting = [item for item in page["items"] if item["answer"] is None]
            if not waiting:
                assert page["completion_code"]
                return judged
            for item in waiting:
                self._judge(assignment, item)
                judged += 1

    def _judge(self, assignment: int, item: dict[str, Any]) -> None:
        score = 40 + len(item["slots"][0]["text"]) % 50
        body = {
            "client_id": str(uuid.uuid4()),
            "base_revision": item["revision"],
            "answer": {"slots": {"A": {"score": score}}, "comment": "", "cannot_judge": None},
            "started": "2026-11-21T08:00:00Z",
            "elapsed_ms": 9000,
            "active_ms": 8000,
        }
        path = f"assignments/{assignment}/items/{item['id']}/judgments"
        first, again = self.ask("POST", path, body), self.ask("POST", path, body)
        assert (first[0], again[0]) == (201, 200)
        assert first[1] == again[1]


def write_test_set(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["document", "segment", "source", "reference", *(f"system:{name}" for name in SYSTEMS)])
        for document in range(DOCUMENTS):
            for segment in range(SEGMENTS):
                outputs = [f"{name} {'sagt ' * (document + segment + place)}es." for place, name in enumerate(SYSTEMS)]
                table.writerow([f"d{document}", segment + 1, f"Source {segment}.", f"Quelle {segment}.", *outputs])


def expect_signed_messages(hooks: HookReceiver, webhook: Webhook, *events: str) -> None:
    """Each once, in any order."""
    wait_for(lambda: len(hooks.received) >= len(events), what=f"{len(events)} messages, not {hooks.received}")
    for headers, body in hooks.received:
        expected = signature_of(secret_of(webhook), headers["Assay-Timestamp"], body)
        assert headers["Assay-Signature"] == f"v1={expected}"
    assert sorted(json.loads(body)["event"] for _headers, body in hooks.received) == sorted(events)
    delivered = webhook.deliveries.filter(status=DeliveryStatus.DELIVERED, attempts=1)
    wait_for(lambda: delivered.count() == len(events), what="the log of what was delivered")


def expect_mail_with_a_link(post_office: MailServer, mail: Mail) -> None:
    """Sent once, to whom it may concern; what stands in for the link in the database is one that opens."""
    wait_for(lambda: Mail.objects.filter(pk=mail.pk, status=MailStatus.SENT).exists(), what="the mail")
    (message,) = post_office.received
    assert f"To: {mail.address}" in message
    link = re.search(r"Here: (http://\S+/invitations/\S+)", message)
    assert link, message
    with urllib.request.urlopen(link[1], timeout=30) as page:
        assert page.status == 200


def test_a_campaign_runs_through_the_api_on_real_servers(
    site: str, environment: dict[str, str], hooks: HookReceiver, post_office: MailServer, tmp_path: Path
) -> None:
    write_test_set(tmp_path / "set.csv")
    languages = ["--source-language", "en", "--target-language", "de"]
    manage(environment, "import_test_set", str(tmp_path / "set.csv"), "--name", "served", *languages)
    plan = ["--redundancy", "2", "--items-per-assignment", "9", "--repeats", "0.1", "--open"]
    manage(environment, "create_campaign", "Served", "--test-set", "served", "--protocol", "direct_assessment", *plan)
    links = tmp_path / "links.csv"
    manage(environment, "invite", "served", "--annotators", str(ANNOTATORS), "--output", str(links), "--api-tokens")
    with links.open(encoding="utf-8") as stream:
        programs = [Program(site, row["token"]) for row in csv.DictReader(stream)]
    campaign = Campaign.objects.get(slug="served")
    told = [HookEvent.ASSIGNMENT_DONE, HookEvent.RUN_FINISHED]
    webhook, _secret = add_webhook(campaign=campaign, address=hooks.address, events=told, by=None)
    mail = make_mail(campaign, Account.objects.filter(memberships__campaign=campaign)[0], body="Here: {link}")

    with ThreadPoolExecutor(ANNOTATORS) as together:
        judged = sum(together.map(lambda program: program.judge_everything("served"), programs))
    assert programs[0].ask("GET", "assignments")[1]["results"][0]["status"] == "done"
    assert Program(site, "wrong").ask("GET", "assignments")[0] == 401

    rows = list(
        csv.DictReader(io.StringIO(manage(environment, "export", "served", "--format", "csv", "--output", "-")))
    )
    assert len({row["judgment"] for row in rows}) == judged
    regular = Counter((row["document"], row["segment"], row["system"]) for row in rows if row["kind"] == "regular")
    assert len(regular) == DOCUMENTS * SEGMENTS * len(SYSTEMS)
    assert set(regular.values()) == {2}

    manage(environment, "analyse", "served", "--background")
    run = Run.objects.get(kind="analysis")
    wait_for(lambda: Run.objects.filter(pk=run.pk, status=RunStatus.DONE).exists(), what="the worker's analysis")
    run.refresh_from_db()
    by_system = {system["system"]: system for system in parts_of(run, "ranking")["ranking"]["systems"]}
    assert set(by_system) == set(SYSTEMS)
    for name, system in by_system.items():
        of_segment: dict[tuple[str, str], list[float]] = {}
        for row in rows:
            if row["system"] == name and row["kind"] == "regular":
                of_segment.setdefault((row["document"], row["segment"]), []).append(float(row["value"]))
        means = [sum(values) / len(values) for values in of_segment.values()]
        assert system["mean"] == pytest.approx(sum(means) / len(means))
    done = Assignment.objects.filter(campaign=campaign, status="done").count()
    expect_signed_messages(hooks, webhook, *["assignment_done"] * done, "run_finished")
    expect_mail_with_a_link(post_office, mail)
