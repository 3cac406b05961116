"""Practice: the first answers of an attempt count, and who reaches the mark is let in for good."""

import uuid
from typing import Any

import pytest

from annotation.actions.practising import PracticeReceipt, answer_practice, begin_attempt, set_practice, skip_practice
from annotation.models import Judgment, PracticeAnswer, PracticeItem
from annotation.queries.practice import (
    must_practise,
    practice_by_annotator,
    practice_progress,
    practice_rows,
    protocol_of,
    shown_item,
)
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Membership, Role
from tests.cast import Cast
from tests.planned_campaign import score_of


def practice_items(count: int = 4) -> list[PracticeItem]:
    """A right score is below 50."""
    expected = {"A": {"score": (0.0, 49.0)}}
    return [
        PracticeItem(source=f"Source {n}", slots={"A": f"Text {n}"}, expected=expected, feedback=f"Note {n}")
        for n in range(count)
    ]


@pytest.fixture
def practised(planned: Campaign, cast: Cast) -> Campaign:
    return set_practice(campaign=planned, items=practice_items(), pass_mark=0.75, attempts=2, by=cast.organiser)


@pytest.fixture
def place(practised: Campaign, cast: Cast) -> Membership:
    return Membership.objects.select_related("campaign", "account").get(
        campaign=practised, account=cast.annotator, role=Role.ANNOTATOR
    )


def answer(place: Membership, number: int, score: int, **fields: Any) -> PracticeReceipt:
    item = PracticeItem.objects.get(campaign=place.campaign, position=number)
    protocol = protocol_of(place.campaign)
    parsed = protocol.parse_answer(fields.pop("payload", score_of(score)), shown_item(item, protocol))
    sent: dict[str, Any] = {"client_id": uuid.uuid4()} | fields
    return answer_practice(membership=place, item=item, answer=parsed, **sent)


def test_the_receipt_says_whether_an_answer_is_right_and_why(place: Membership) -> None:
    receipt = answer(place, 1, 80)
    assert (receipt.lesson.is_right, receipt.lesson.feedback) == (False, "Note 0")
    (verdict,) = receipt.lesson.verdicts.numbers
    assert (verdict.slot, verdict.low, verdict.high, verdict.value) == ("A", 0, 49, 80)
    assert answer(place, 2, 20).lesson.is_right
    assert not Judgment.objects.exists()


def test_who_reaches_the_mark_is_let_in_and_stays_in(place: Membership, practised: Campaign) -> None:
    assert must_practise(place)
    for number, score in enumerate((10, 10, 10, 90), start=1):
        receipt = answer(place, number, score)
    assert (receipt.progress.right, receipt.progress.is_qualified) == (3, True)
    assert not must_practise(place)
    set_practice(campaign=practised, items=practice_items(2), pass_mark=1.0, by=None)
    place.refresh_from_db()
    assert not must_practise(place)


def test_another_try_teaches_and_does_not_count(place: Membership) -> None:
    answer(place, 1, 80)
    assert answer(place, 1, 10).lesson.is_right
    assert practice_progress(place).right == 0
    assert PracticeAnswer.objects.count() == 1


def test_the_same_answer_sent_twice_is_one(place: Membership) -> None:
    client_id = uuid.uuid4()
    for _ in range(2):
        answer(place, 1, 10, client_id=client_id)
    answer(place, 1, 90)
    assert list(PracticeAnswer.objects.values_list("is_right", flat=True)) == [True]


def test_what_cannot_be_judged_is_not_right(place: Membership) -> None:
    payload = {"slots": {}, "comment": "", "cannot_judge": "broken_text"}
    assert not answer(place, 1, 0, payload=payload).lesson.is_right


def test_there_are_as_many_attempts_as_allowed(place: Membership) -> None:
    with pytest.raises(InvalidInput):
        begin_attempt(membership=place)
    for _ in range(4):
        for number in range(1, 5):
            answer(place, number, 90)
        if not practice_progress(place).may_try_again:
            break
        begin_attempt(membership=place)
    assert place.practice_attempt == 2
    assert practice_progress(place).is_shut_out
    with pytest.raises(InvalidInput):
        begin_attempt(membership=place)


def test_practice_may_be_voluntary(planned: Campaign, cast: Cast) -> None:
    set_practice(campaign=planned, items=practice_items(), pass_mark=None, by=None)
    place = Membership.objects.select_related("campaign").get(
        campaign=planned, account=cast.annotator, role=Role.ANNOTATOR
    )
    assert not must_practise(place)


@pytest.mark.parametrize(
    ("marks", "named"), [({"pass_mark": 1.1}, "pass_mark"), ({"pass_mark": 0.5, "attempts": 0}, "attempts")]
)
def test_a_mark_that_cannot_be_is_refused(planned: Campaign, marks: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        set_practice(campaign=planned, items=practice_items(), by=None, **marks)
    assert list(refused.value.errors) == [named]
    assert not PracticeItem.objects.exists()


def test_nothing_is_told_before_an_answer_is_stored(place: Membership) -> None:
    """Whatever revision a page says its answer has: without a first one, this is the first."""
    answer(place, 1, 80)
    answer(place, 1, 10)
    answer(place, 1, 20)
    stored = PracticeAnswer.objects.get()
    assert (stored.is_right, stored.tries, stored.right_at) == (False, 3, 2)


def test_a_skip_is_the_answer_that_counts_and_tells_nothing(place: Membership, practised: Campaign) -> None:
    PracticeItem.objects.filter(campaign=practised, position=3).update(row=2)
    item = PracticeItem.objects.get(campaign=practised, position=3)
    answer(place, 2, 10)
    skip_practice(membership=place, item=item)
    assert [row.skipped for row in practice_by_annotator(practised) if row.account == place.account] == [(3,)]
    progress = practice_progress(place)
    assert (progress.answered, progress.right) == (2, 1)
    assert answer(place, 3, 10).lesson.is_right
    assert practice_progress(place).right == 1
    row = next(row for row in practice_rows(practised) if row.item == 3)
    assert (row.screen, row.is_right, row.is_skipped, row.tries, row.right_at) == (2, False, True, 1, 1)


def test_a_screen_that_must_be_answered_cannot_be_skipped(place: Membership, practised: Campaign) -> None:
    PracticeItem.objects.filter(campaign=practised).update(may_skip=False)
    with pytest.raises(InvalidInput):
        skip_practice(membership=place, item=PracticeItem.objects.filter(campaign=practised)[0])
    assert not PracticeAnswer.objects.exists()
