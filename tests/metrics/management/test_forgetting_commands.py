"""The operator forgets people, and names whose time is over; workers see to the latter once a day."""

import io
import json

from django.core.management import CommandError, call_command

import pytest
from celery import Celery

from annotation.models import Judgment
from campaigns.models import Account, Campaign, TestSet
from jobs.worker import RunPoller
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    made = make_planned_campaign(test_set, cast, redundancy=2)
    judge(items_to_judge(take(made, cast.annotator))[0], 80)
    return made


def output_of(*words: str) -> str:
    stream = io.StringIO()
    call_command(*words, stdout=stream)
    return stream.getvalue()


def test_a_person_is_made_a_number_and_the_number_erased(campaign: Campaign, cast: Cast) -> None:
    done = json.loads(output_of("forget_person", "anna", "--pseudonymise", "--json"))
    number = Account.objects.get(is_number=True).username
    assert (done["campaigns"], done["numbers"], done["has_no_account"]) == ([campaign.slug], [number], True)
    assert not Account.objects.filter(username="anna").exists()
    assert "the answers are erased, and the account is gone" in output_of(
        "forget_person", number, "--erase", "--campaign", campaign.name
    )
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nobody", "--erase"), "no account"),
        (("anna", "--erase", "--campaign", "nowhere"), "no campaign"),
        (("sasha", "--erase"), "not an annotator in any of your campaigns"),
        (("anna",), "--erase --pseudonymise"),
    ],
)
def test_what_cannot_be_done_is_an_error(campaign: Campaign, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        output_of("forget_person", *words)
    assert Judgment.objects.count() == 1


def test_what_has_had_its_time_is_counted(campaign: Campaign) -> None:
    assert json.loads(output_of("forget_expired", "--json")) == {"people": 0, "entries": 0, "requests": 0}
    assert output_of("forget_expired").startswith("Annotators replaced by numbers: 0.")


def test_a_worker_sees_to_it_at_its_start_and_once_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    now, done = [1000.0], []
    monkeypatch.setattr("metrics.actions.forgetting.forget_expired", lambda: done.append(now[0]))
    monkeypatch.setattr("jobs.worker.time.monotonic", lambda: now[0])
    poller = RunPoller(Celery("nobody"))
    for seconds in (0.0, 0.5, 86_000.0, 500.0, 1.0):
        now[0] += seconds
        poller._work_daily()  # the loop around it waits for a broker
    assert done == [1000.0, 87_500.5]
