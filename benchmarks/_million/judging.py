"""What a judgment costs beside a million stored ones: as the page sends it, in this process, without a web server."""

import time
from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchmarks._million.layout import SCORED
from benchmarks._pages.addresses import ANNOTATOR
from benchmarks._pages.request_costs import clients_of
from campaigns.models import Account, Campaign, Membership, Questionnaire, Role
from tests.frontend.api.api_annotator import ApiAnnotator, submission

WARM_UP = 10


def loops() -> Iterator[dict[str, float]]:
    """Seconds of each loop, and `queries` of the first, when all is warm.

    By a new annotator, who takes one of the waiting assignments. PostgreSQL's own time is in the wall alone.
    """
    campaign = Campaign.objects.get(name=SCORED)
    Questionnaire.objects.filter(campaign=campaign).delete()  # one comes with what pages are measured on
    person = Account.objects.create_user(f"judge-{time.time_ns()}")
    now = timezone.now()
    Membership.objects.create(campaign=campaign, account=person, role=Role.ANNOTATOR, consented_at=now)
    page = ApiAnnotator(clients_of({ANNOTATOR: person})[ANNOTATOR])
    taken = page.take(campaign.slug)
    items = page.items(taken)["items"]
    for _loop in range(WARM_UP):
        items = _judge(page, taken, items)
    queries = 0
    with CaptureQueriesContext(connection) as captured:
        items = _judge(page, taken, items)
        queries = len(captured)
    while True:
        wall, cpu = time.perf_counter(), time.process_time()
        items = _judge(page, taken, items)
        yield {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "queries": queries}


def _judge(page: ApiAnnotator, assignment: int, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first that waits; the answer brings those after it."""
    item = next(each["id"] for each in items if each["answer"] is None)
    answer = page.post(f"assignments/{assignment}/items/{item}/judgments?next_after={item}", submission())
    if answer.status_code != 201:
        raise RuntimeError(f"a judgment was answered with {answer.status_code}: {answer.content[:200]}")
    following: list[dict[str, Any]] = answer.json()["next"]["items"]
    return following
