"""Two annotators who take work from a racing pool at once, on connections of their own, while looks are made.

Neither gets a system that was dropped before they asked, and no output is judged twice.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection, transaction
from django.utils import timezone

import pytest

from annotation.actions.claiming import claim_assignment
from annotation.models import Assignment, AssignmentStatus, DrawnScreen, Item, Judgment, RaceSystem
from campaigns.models import Account, Campaign
from tests.cast import Cast, make_cast
from tests.metrics.racing_campaign import BAD, judge_next, make_looks, make_race, shown_to

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]
DOCUMENTS = 30


@dataclass
class Seen:
    """When each assignment was asked for, and what went wrong in a thread."""

    asked: dict[int, datetime] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return make_cast()


@pytest.fixture
def race(cast: Cast) -> Campaign:
    assert connection.vendor == "postgresql", "on SQLite only one connection writes at a time"
    return make_race(cast, documents=DOCUMENTS)


def in_a_thread(seen: Seen, work: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        except BaseException as error:  # a thread's own end would go unseen
            seen.errors.append(repr(error))
        finally:
            connection.close()

    return threading.Thread(target=run)


def judge_at_once(race: Campaign, people: list[Account]) -> Seen:
    """Both begin together and go on until nothing is left; a third connection makes the looks they cause."""
    seen, together, is_over = Seen(), threading.Barrier(len(people)), threading.Event()

    def judge_all(annotator: Account) -> None:
        own = Campaign.objects.get(pk=race.pk)
        together.wait()
        while True:
            asked = timezone.now()
            assignment = judge_next(own, annotator)
            if assignment is None:
                return
            assert seen.asked.setdefault(assignment.pk, asked) is asked, "one assignment was handed out twice"

    def look_on() -> None:
        while not is_over.wait(0.01):
            make_looks()
        make_looks()

    looking = in_a_thread(seen, look_on)
    judging = [in_a_thread(seen, lambda person=person: judge_all(person)) for person in people]  # type: ignore[misc]
    for thread in (looking, *judging):
        thread.start()
    for thread in judging:
        thread.join()
    is_over.set()
    looking.join()
    return seen


def test_neither_of_two_annotators_gets_a_dropped_system_or_one_that_the_other_judges(
    race: Campaign, cast: Cast
) -> None:
    seen = judge_at_once(race, [cast.annotator, cast.second_annotator])
    assert seen.errors == []
    out = RaceSystem.objects.get(race__campaign=race, system__name=BAD)
    assert not out.is_in
    dropped_at = race.audit_entries.get(action="race_system_dropped", detail__system=BAD).at
    later = [pk for pk, asked in seen.asked.items() if asked > dropped_at]
    assert later, "both went on after the drop"
    assert BAD not in shown_to(list(Assignment.objects.filter(pk__in=later)))
    outputs = Judgment.objects.filter(item__assignment__campaign=race).values_list(
        "item__slots__translation", flat=True
    )
    assert len(outputs) == len(set(outputs)), "no output is judged twice"
    drawn = DrawnScreen.objects.filter(assignment__campaign=race).values_list("document", "system")
    assert len(drawn) == len(set(drawn)), "no output is drawn twice"
    done = Assignment.objects.filter(pk__in=seen.asked)
    assert set(done.values_list("status", flat=True)) == {AssignmentStatus.DONE}
    assert {*done.values_list("annotator", flat=True)} == {cast.annotator.pk, cast.second_annotator.pk}
    assert not Item.objects.filter(assignment__in=done, judgments=None).exclude(level="context").exists()


def test_work_that_is_held_for_a_moment_is_waited_for(race: Campaign, cast: Cast) -> None:
    """As a look holds all that waits while it counts what is left: that is not the end of the work."""
    seen, is_held = Seen(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            list(Assignment.objects.filter(campaign=race).select_for_update())
            is_held.set()
            time.sleep(0.4)

    holding = in_a_thread(seen, hold)
    holding.start()
    assert is_held.wait(10)
    assert claim_assignment(campaign=race, annotator=cast.annotator) is not None
    holding.join()
    assert seen.errors == []
