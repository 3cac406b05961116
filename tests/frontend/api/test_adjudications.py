"""Decisions by the API: made, looked at, undone."""

from campaigns.models import Campaign
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator
from tests.planned_campaign import items_to_judge, judge, take
from tests.sample_test_set import WOMBAT

PATH = "campaigns/planned-campaign/adjudications"
PLACE = {"document": "orchard", "segment": "1", "system": WOMBAT, "reason": "A slip of the hand."}


def test_an_answer_is_decided_read_and_undone(olive: ApiAnnotator, rhea: ApiAnnotator) -> None:
    made = olive.post(PATH, PLACE | {"answer": {"score": 81}})
    assert made.status_code == 201, made.content
    (listed,) = rhea.get(PATH).json()["results"]
    assert (listed["answer"], listed["decided_by"], listed["undone_at"]) == ({"score": 81}, "olive", None)
    assert olive.delete(f"{PATH}/{listed['id']}").status_code == 204
    assert rhea.get(PATH).json()["results"][0]["undone_at"]
    assert olive.delete(f"{PATH}/{listed['id']}").status_code == 422


def test_an_annotators_answer_is_taken_whole(olive: ApiAnnotator, planned: Campaign, cast: Cast) -> None:
    for score, item in enumerate(items_to_judge(take(planned, cast.annotator)), start=30):
        judge(item, score)
    query = f"document=orchard&segment=1&system={WOMBAT}"
    (judgment,) = olive.get(f"campaigns/planned-campaign/judgments?{query}").json()["results"]
    made = olive.post(PATH, PLACE | {"based_on": judgment["id"]}).json()
    assert made["answer"] == judgment["answer"]["slots"]["A"]
    assert made["based_on"] == judgment["id"]


def test_what_cannot_be_decided_is_said(olive: ApiAnnotator) -> None:
    for wish, field in (
        (PLACE | {"system": "Nobody", "answer": {"score": 1}}, "system"),
        (PLACE | {"based_on": "00000000-0000-4000-8000-000000000000"}, "based_on"),
        ({**PLACE, "reason": "", "answer": {"score": 1}}, "reason"),
    ):
        answer = olive.post(PATH, wish)
        assert answer.status_code == 422
        assert field in answer.json()["errors"]
    assert olive.post(PATH, PLACE | {"answer": {"score": 1000}}).status_code == 422
