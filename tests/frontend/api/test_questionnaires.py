"""Questionnaires for programs: organisers describe them and read answers, annotators send their own."""

from collections.abc import Callable
from typing import Any

from django.test import Client

import pytest

from annotation.models import Assignment, AssignmentStatus
from campaigns.models import Account, Campaign, FormAnswer, QuestionnaireReply
from campaigns.queries import questionnaire_of, questions_of
from tests.cast import Cast
from tests.sample_questionnaire import ANSWERS, QUESTIONS, answer_questionnaire, make_questionnaire

URL = "/api/v1/campaigns/harbour-campaign/questionnaires/entry"
EXIT = URL.replace("entry", "exit")
BODY: dict[str, Any] = {
    "consent": "Until **May**.",
    "is_asked": True,
    "questions": [
        {"kind": "single", "text": "Is German your native language?", "choices": [{"label": "Yes"}, {"label": "No"}]},
        {"name": "years", "kind": "number", "text": "For how many years?", "required": False, "low": 0},
    ],
}


@pytest.fixture
def organiser(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


@pytest.fixture
def annotator(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.annotator)


def put(client: Client, address: str, body: object) -> Any:
    return client.put(address, body, content_type="application/json")


def test_organisers_describe_a_questionnaire(organiser: Client, campaign: Campaign) -> None:
    assert organiser.get(URL).status_code == 404
    answer = put(organiser, URL, BODY)
    assert answer.status_code == 200
    assert answer.json()["questions"][0]["name"] == "is-german-your-native-language"
    assert (answer.json()["is_asked"], answer.json()["sent"]) == (True, 0)
    assert organiser.get(URL).json() == answer.json()
    assert put(organiser, URL, answer.json() | {"agreed": 0}).status_code == 422  # counts are not sent
    assert put(organiser, URL, {"questions": []}).json()["questions"] == []
    assert questionnaire_of(campaign, "entry") is None


def test_all_that_is_wrong_has_its_place(organiser: Client) -> None:
    wrong = {"questions": [BODY["questions"][0] | {"choices": []}, {"kind": "scale", "text": "?", "low": 3, "high": 1}]}
    errors = put(organiser, URL, wrong).json()["errors"]
    assert set(errors) == {"1.choices", "2.high"}
    assert put(organiser, URL, {"questions": [{"kind": "poem"}]}).status_code == 422


def test_organisers_read_answers(organiser: Client, campaign: Campaign, cast: Cast) -> None:
    make_questionnaire(campaign)
    answer_questionnaire(campaign, cast.annotator)
    rows = organiser.get(f"{URL}/answers").json()["results"]
    assert {row["question"]: row["value"] for row in rows} == {**ANSWERS, "work": ["translator", "editor"]}
    assert {row["annotator"] for row in rows} == {"anna"}
    body = organiser.get(URL).json()
    assert (body["agreed"], body["sent"]) == (1, 1)


def test_annotators_send_their_own_answers(annotator: Client, campaign: Campaign) -> None:
    form = make_questionnaire(campaign)
    refused = annotator.post("/api/v1/campaigns/harbour-campaign/assignments")
    assert (refused.status_code, refused.json()["code"]) == (403, "questionnaire_needed")
    own = annotator.get(f"{URL}/own").json()
    assert (len(own["questions"]), own["answers"], own["sent_at"]) == (len(questions_of(form)), {}, None)
    assert put(annotator, f"{URL}/own", {"agree": False, "answers": ANSWERS}).status_code == 422
    assert not QuestionnaireReply.objects.exists()
    errors = put(annotator, f"{URL}/own", {"agree": True, "answers": {"skill": 9}}).json()["errors"]
    assert set(errors) == {"native", "skill"}
    assert not FormAnswer.objects.exists()
    sent = put(annotator, f"{URL}/own", {"agree": True, "answers": ANSWERS}).json()
    assert sent["answers"]["years"] == 12
    assert sent["may_change"]
    assert annotator.post("/api/v1/campaigns/harbour-campaign/assignments").status_code == 204


def test_the_exit_questionnaire_comes_last(
    annotator: Client, campaign: Campaign, cast: Cast, make_assignment: Callable[..., Assignment]
) -> None:
    make_questionnaire(campaign, "exit")
    work = make_assignment(campaign, cast.annotator)
    assert put(annotator, f"{EXIT}/own", {"agree": True, "answers": ANSWERS}).status_code == 422
    assert not QuestionnaireReply.objects.exists()
    Assignment.objects.filter(pk=work.pk).update(status=AssignmentStatus.DONE)
    assert put(annotator, f"{EXIT}/own", {"agree": True, "answers": ANSWERS}).status_code == 200


def test_nobody_reads_the_answers_of_others(
    annotator: Client, campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    make_questionnaire(campaign)
    assert len(QUESTIONS) == 5
    for client in (annotator, client_of(cast.researcher), client_of(cast.stranger)):
        assert client.get(f"{URL}/answers").status_code == 404
        assert client.get(URL).status_code == 404
    assert client_of(cast.researcher).get(f"{URL}/own").status_code == 404
