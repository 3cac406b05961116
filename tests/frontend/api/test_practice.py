"""Practice through the API: the shapes of items and receipts, and what stays on the server."""

import pytest

from annotation.actions.practising import set_practice
from annotation.models import PracticeAnswer, PracticeItem
from campaigns.models import Campaign, TestSet
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session, by_token, submission
from tests.frontend.api.test_items import FIELDS
from tests.planned_campaign import make_planned_campaign

WHERE = "campaigns/planned-campaign/practice/items"


@pytest.fixture
def practised(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_planned_campaign(test_set, cast)
    expected = {"A": {"score": (41.25, 49.0)}}
    items = [
        PracticeItem(source=f"Source {n}", slots={"A": f"Text {n}"}, expected=expected, feedback=f"secret note {n}")
        for n in range(2)
    ]
    return set_practice(campaign=campaign, items=items, pass_mark=0.5, by=cast.organiser)


@pytest.fixture
def page(practised: Campaign, cast: Cast) -> ApiAnnotator:
    return by_session(cast.annotator)


def test_items_have_the_shape_of_items(page: ApiAnnotator) -> None:
    shown = page.get(WHERE).json()
    assert [set(item) for item in shown["items"]] == [FIELDS | {"skippable"}] * 2
    assert (shown["done"], shown["total"], shown["completion_code"]) == (0, 2, None)
    first, second = shown["items"]
    assert page.get(f"{WHERE}?after={first['id']}").json()["items"] == [second]
    assert page.get(f"{WHERE}?before={second['id']}").json()["items"] == [first]


def test_what_is_right_is_told_after_the_answer_and_not_before(page: ApiAnnotator) -> None:
    shown = page.get(WHERE)
    assert b"secret note" not in shown.content
    assert b"41.25" not in shown.content
    item = shown.json()["items"][0]["id"]
    receipt = page.post(f"{WHERE}/{item}/judgments", submission(70))
    assert receipt.status_code == 201
    told = receipt.json()
    assert (told["revision"], told["done"], told["total"], told["completion_code"]) == (1, 1, 2, None)
    assert (told["feedback"]["is_right"], told["feedback"]["text"]) == (False, "secret note 0")
    assert told["feedback"]["verdicts"][0]["low"] == 41.25


def test_malformed_answers_are_refused_in_words(page: ApiAnnotator) -> None:
    item = page.get(WHERE).json()["items"][0]["id"]
    refused = page.post(f"{WHERE}/{item}/judgments", submission(101))
    assert refused.status_code == 422
    assert set(refused.json()["errors"]) == {"slots.A.score"}
    assert not PracticeAnswer.objects.exists()
    assert page.post(f"{WHERE}/nonsense/judgments", submission(1)).status_code == 404


def test_items_are_held_back_until_practice_is_passed(page: ApiAnnotator) -> None:
    refused = page.post("campaigns/planned-campaign/assignments")
    assert refused.status_code == 403
    assert "practice" in refused.json()["detail"]
    for item in page.get(WHERE).json()["items"]:
        page.post(f"{WHERE}/{item['id']}/judgments", submission(45))
    assert page.post("campaigns/planned-campaign/assignments").status_code == 201


def test_a_program_practises_like_people(practised: Campaign, cast: Cast) -> None:
    answer = by_token(cast.annotator).post("campaigns/planned-campaign/assignments")
    assert (answer.status_code, answer.json()["code"]) == (403, "practice_needed")


def test_strangers_find_nothing(practised: Campaign, cast: Cast) -> None:
    assert by_session(cast.stranger).get(WHERE).status_code == 404


def test_a_skip_is_recorded_and_tells_nothing(page: ApiAnnotator) -> None:
    item = page.get(WHERE).json()["items"][0]["id"]
    skipped = page.post(f"{WHERE}/{item}/skip")
    assert (skipped.status_code, skipped.json()) == (201, {"done": 1, "total": 2, "right": 0})
    assert PracticeAnswer.objects.get().is_skipped
    PracticeItem.objects.update(may_skip=False)
    refused = page.post(f"{WHERE}/{page.get(WHERE).json()['items'][0]['id']}/skip")
    assert refused.status_code == 422
    assert "cannot be skipped" in str(refused.json()["errors"])


def test_an_organiser_tries_an_answer_and_nothing_is_stored(practised: Campaign, cast: Cast) -> None:
    organiser, item = by_session(cast.organiser), practised.practice_items.first()
    assert item is not None
    trial = f"{WHERE}/{item.public_id}/trial"
    told = organiser.post(trial, {"answer": {"slots": {"A": {"score": 70}}}})
    assert told.status_code == 200
    assert (told.json()["is_right"], told.json()["text"]) == (False, "secret note 0")
    assert organiser.post(trial, {"answer": {"slots": {"A": {"score": 45}}}}).json()["is_right"]
    wrong = organiser.post(trial, {"answer": {"slots": {"A": {"score": 101}}}, "more": 1})
    assert wrong.status_code == 422
    assert not PracticeAnswer.objects.exists()
    assert by_session(cast.annotator).post(trial, {"answer": {"slots": {"A": {"score": 45}}}}).status_code == 404
