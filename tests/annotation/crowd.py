"""Sixteen programs judge one campaign at the same time: eight annotators, each in two tabs.

In one process with a thread for each tab, through the API with all its layers. Run as a module it uses the database
that the environment names, empty and migrated, and prints what came of it as JSON: a process of its own has no
transaction around everything.
"""

import json
import random
import sys
import threading
import uuid
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

ANNOTATORS = 8
TABS = 2
REDUNDANCY = 4
MOST_CLAIMS = 200


@dataclass
class Crowd:
    """What all tabs share, and what they were answered."""

    slug: str
    statuses: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: str, status: int) -> None:
        with self.lock:
            self.statuses[f"{what} {status}"] += 1

    def failed(self, error: BaseException) -> None:
        with self.lock:
            self.failures.append(repr(error))


def judge_all_at_once() -> dict[str, Any]:
    """Makes a campaign, lets the crowd loose on it, and counts."""
    from tests.cast import make_cast
    from tests.sample_test_set import make_test_set

    cast = make_cast()
    from tests.planned_campaign import make_planned_campaign

    campaign = make_planned_campaign(
        make_test_set(), cast, name="Crowd", redundancy=REDUNDANCY, items_per_assignment=3, repeats_share=0.2
    )
    crowd = Crowd(campaign.slug)
    together = threading.Barrier(ANNOTATORS * TABS)
    threads = [
        threading.Thread(target=_tab, args=(crowd, header, together, seed))
        for number, header in enumerate(_tokens(campaign))
        for seed in range(number * TABS, number * TABS + TABS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return _counted(crowd, campaign)


def _tokens(campaign: Any) -> list[str]:
    from campaigns.actions.tokens import make_api_token
    from tests.cast import make_person
    from tests.planned_campaign import add_annotator

    headers = []
    for number in range(ANNOTATORS):
        account = make_person(f"crowd-{number}", f"Crowd {number}")
        add_annotator(campaign, account)
        headers.append(f"Token {make_api_token(account=account, name='tab', by=None)[1]}")
    return headers


def _tab(crowd: Crowd, header: str, together: threading.Barrier, seed: int) -> None:
    from django.db import connection

    try:
        together.wait()
        _judge_until_nothing_is_left(crowd, header, random.Random(seed))
    except BaseException as error:  # a thread's own end would go unseen
        crowd.failed(error)
    finally:
        connection.close()


def _judge_until_nothing_is_left(crowd: Crowd, header: str, rng: random.Random) -> None:
    from django.test import Client

    client = Client(headers={"Authorization": header})
    for _ in range(MOST_CLAIMS):
        claimed = client.post(f"/api/v1/campaigns/{crowd.slug}/assignments")
        crowd.note("claim", claimed.status_code)
        if claimed.status_code == 204:
            return
        assignment = claimed.json()["id"]
        while waiting := _unanswered(client, assignment):
            item = rng.choice(waiting)
            _submit(crowd, client, f"/api/v1/assignments/{assignment}/items/{item}", rng)
    raise AssertionError("the same assignments are handed out again and again")


def _unanswered(client: Any, assignment: int) -> list[str]:
    items = client.get(f"/api/v1/assignments/{assignment}/items").json()["items"]
    return [item["id"] for item in items if item["answer"] is None]


def _submit(crowd: Crowd, client: Any, path: str, rng: random.Random) -> None:
    """A draft, a judgment, and now and then the same judgment again, as after a lost answer."""
    answer = {"slots": {"A": {"score": rng.randrange(101)}}, "comment": "", "cannot_judge": None}
    payload = {"client_id": str(uuid.uuid4()), "base_revision": 0, "answer": answer, "elapsed_ms": 1, "active_ms": 1}
    kind = "application/json"
    if rng.random() < 0.3:
        draft = client.put(f"{path}/draft", {"answer": answer, "base_revision": 0}, content_type=kind)
        crowd.note("draft", draft.status_code)
    if rng.random() < 0.2:
        _twice_at_once(crowd, client, f"{path}/judgments", payload)
        return
    first = client.post(f"{path}/judgments", payload, content_type=kind).status_code
    crowd.note("submit", first)
    if rng.random() < 0.3:
        again = client.post(f"{path}/judgments", payload, content_type=kind).status_code
        crowd.note(f"after {first}", again)


def _twice_at_once(crowd: Crowd, client: Any, path: str, payload: dict[str, Any]) -> None:
    """A retry while the first attempt is still on its way."""
    from django.db import connection
    from django.test import Client

    def send() -> None:
        other = Client(HTTP_AUTHORIZATION=client.defaults["HTTP_AUTHORIZATION"])
        crowd.note("submit", other.post(path, payload, content_type="application/json").status_code)
        connection.close()

    twins = [threading.Thread(target=send) for _ in range(2)]
    for twin in twins:
        twin.start()
    for twin in twins:
        twin.join()


def _counted(crowd: Crowd, campaign: Any) -> dict[str, Any]:
    from django.db.models import Count, F

    from annotation.models import Assignment, AssignmentStatus, Item, ItemLevel, Judgment, Score

    items = Item.objects.filter(assignment__campaign=campaign).exclude(level=ItemLevel.CONTEXT)
    own = Assignment.objects.filter(campaign=campaign)
    credited = items.annotate(counts_for=1 + Count("slots__credits"))
    return {
        "statuses": dict(crowd.statuses),
        "failures": crowd.failures,
        "items": items.count(),
        "judgments": Judgment.objects.count(),
        "judged_once": items.annotate(times=Count("judgments")).filter(times=1, revision=1).count(),
        "scores": Score.objects.count(),
        "scores_expected": sum(credited.values_list("counts_for", flat=True)),
        "assignments": own.count(),
        "done": own.filter(status=AssignmentStatus.DONE, done=F("total")).exclude(completion_code="").count(),
        "content_twice": own.values("annotator", "content").annotate(times=Count("pk")).filter(times__gt=1).count(),
        "two_in_hand": _two_in_hand(list(own.values_list("annotator", "claimed_at", "finished_at"))),
        "codes": own.values("completion_code").distinct().count(),
    }


def _two_in_hand(spans: list[tuple[Any, Any, Any]]) -> int:
    """How often one annotator was handed an assignment before the one before it was finished."""
    in_order = sorted(span for span in spans if span[2])
    return sum(earlier[0] == later[0] and later[1] < earlier[2] for earlier, later in pairwise(in_order))


def main() -> None:
    import django

    django.setup()
    from django.test.utils import setup_test_environment

    setup_test_environment()
    sys.stdout.write(json.dumps(judge_all_at_once()))


if __name__ == "__main__":
    main()
