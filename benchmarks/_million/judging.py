"""What a judgment costs beside a million stored ones: as the page sends it, in this process, without a web server."""

import statistics
import time
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchmarks._judging.figures import percentile
from benchmarks._million.layout import SCORED
from benchmarks._pages.addresses import ANNOTATOR
from benchmarks._pages.request_costs import clients_of
from campaigns.models import Account, Campaign, Membership, Questionnaire, Role
from tests.frontend.api.api_annotator import ApiAnnotator, submission

LOOPS, WARM_UP = 200, 10


def judging_cost() -> dict[str, Any]:
    """By a new annotator, who takes one of the waiting assignments. PostgreSQL's own time is in the wall alone."""
    campaign = Campaign.objects.get(name=SCORED)
    Questionnaire.objects.filter(campaign=campaign).delete()  # one comes with what pages are measured on
    person = Account.objects.create_user(f"judge-{time.time_ns()}")
    now = timezone.now()
    Membership.objects.create(campaign=campaign, account=person, role=Role.ANNOTATOR, consented_at=now)
    page = ApiAnnotator(clients_of({ANNOTATOR: person})[ANNOTATOR])
    taken = page.take(campaign.slug)
    items = page.items(taken)["items"]
    statements, walls, cpus = 0, [], []
    for loop in range(LOOPS + WARM_UP):
        item = next(each for each in items if each["answer"] is None)
        if loop == WARM_UP:
            with CaptureQueriesContext(connection) as captured:
                items = _judge(page, taken, item["id"])
            statements = len(captured)
            continue
        wall, cpu = time.perf_counter(), time.process_time()
        items = _judge(page, taken, item["id"])
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    measured = slice(WARM_UP, None)
    return {
        "queries": statements,
        "p50_ms": 1_000 * statistics.median(walls[measured]),
        "p95_ms": 1_000 * percentile(walls[measured], 95),
        "cpu_ms": 1_000 * statistics.mean(cpus[measured]),
    }


def _judge(page: ApiAnnotator, assignment: int, item: str) -> list[dict[str, Any]]:
    answer = page.post(f"assignments/{assignment}/items/{item}/judgments?next_after={item}", submission())
    if answer.status_code != 201:
        raise RuntimeError(f"a judgment was answered with {answer.status_code}: {answer.content[:200]}")
    items: list[dict[str, Any]] = answer.json()["next"]["items"]
    return items
