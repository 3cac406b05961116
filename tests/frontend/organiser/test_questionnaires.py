"""The page on which an organiser builds a questionnaire."""

import json
from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Account, Campaign, Membership, Questionnaire, Role, TestSet
from campaigns.queries import questionnaire_of, questions_of
from tests.cast import Cast
from tests.sample_questionnaire import QUESTIONS, answer_questionnaire, make_questionnaire

URL = "/campaigns/harbour-campaign/questionnaires/entry/"
ONE = {
    "act": "question",
    "text": "Which languages do you speak?",
    "kind": "multiple",
    "choices": "German\nModern Greek\n",
}


@pytest.fixture
def client(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def names(campaign: Campaign) -> list[str]:
    form = questionnaire_of(campaign, "entry")
    return [each.name for each in questions_of(form)] if form else []


def send(client: Client, text: str, name: str = "entry.json") -> Any:
    return client.post(URL, {"act": "upload", "file": SimpleUploadedFile(name, text.encode())})


def test_questions_are_added_changed_moved_and_removed(client: Client, campaign: Campaign) -> None:
    assert "No questions yet" in client.get(URL).text
    assert client.post(URL, ONE).status_code == 302
    client.post(
        URL, {"act": "question", "text": "Years?", "kind": "number", "low": "0", "name": "years", "choices": "x\ny"}
    )
    form = questionnaire_of(campaign, "entry")
    assert form is not None
    first, second = questions_of(form)
    assert (first.name, [each.name for each in first.choices]) == (
        "which-languages-do-you-speak", ["german", "modern-greek"],
    )  # fmt: skip
    assert not first.is_required
    assert (second.low, second.high, second.choices) == (0, None, ())
    client.post(URL, {"act": "up", "question": "years"})
    assert names(campaign) == ["years", "which-languages-do-you-speak"]
    page = client.get(f"{URL}?question=years").text
    assert 'value="years"' in page
    client.post(
        URL, {"act": "question", "question": "years", "text": "How many years?", "kind": "number", "name": "years"}
    )
    assert questions_of(form)[0].text == "How many years?"
    assert client.post(URL, {"act": "up", "question": "years"}).status_code == 422
    client.post(URL, {"act": "remove", "question": "which-languages-do-you-speak"})
    assert names(campaign) == ["years"]


def test_what_is_wrong_with_a_question_stands_at_its_fields(client: Client, campaign: Campaign) -> None:
    answer = client.post(URL, {"act": "question", "text": " ", "kind": "scale", "low": "5", "high": "1", "name": "A b"})
    assert answer.status_code == 422
    assert "This field is required." in answer.text
    answer = client.post(URL, {"act": "question", "text": "?", "kind": "scale", "low": "5", "high": "1", "name": "A b"})
    assert "The highest value must be above the lowest." in answer.text
    assert "small letters a to z" in answer.text
    assert not Questionnaire.objects.exists()


def test_annotators_are_asked_when_the_organiser_says_so(client: Client, campaign: Campaign) -> None:
    assert client.post(URL, {"act": "ask"}).status_code == 422
    client.post(URL, ONE)
    client.post(URL, {"act": "consent", "consent": "Until **May**."})
    assert "Annotators are not asked yet." in client.get(URL).text
    client.post(URL, {"act": "ask"})
    form = questionnaire_of(campaign, "entry")
    assert form is not None
    assert (form.is_asked, form.consent) == (True, "Until **May**.")
    client.post(URL, ONE | {"text": "Another?"})
    form.refresh_from_db()
    assert form.is_asked
    client.post(URL, {"act": "stop"})
    assert "Annotators are not asked yet." in client.get(URL).text


def test_questions_come_from_a_file_and_go_into_one(client: Client, campaign: Campaign) -> None:
    make_questionnaire(campaign)
    in_json, in_csv = client.get(f"{URL}questions.json").text, client.get(f"{URL}questions.csv").text
    Questionnaire.objects.all().delete()
    assert send(client, in_json).status_code == 302
    form = questionnaire_of(campaign, "entry")
    assert form is not None
    assert (questions_of(form), form.consent) == (list(QUESTIONS), "Until **May**.")
    assert send(client, in_csv, "entry.csv").status_code == 302
    form.refresh_from_db()
    assert (questions_of(form), form.consent) == (list(QUESTIONS), "Until **May**.")


def test_all_that_is_wrong_with_a_file_is_shown_and_nothing_changes(client: Client, campaign: Campaign) -> None:
    make_questionnaire(campaign)
    answer = send(client, json.dumps([{"kind": "scale", "text": "?"}, {"kind": "poem", "text": "?"}]))
    assert answer.status_code == 422
    assert "A scale needs a lowest and a highest value." in answer.text
    assert "questions[1].kind" in answer.text
    assert len(names(campaign)) == 5


def test_questions_come_from_another_campaign_of_theirs(
    client: Client, campaign: Campaign, cast: Cast, test_set: TestSet
) -> None:
    other = Campaign.objects.create(name="Other", slug="other", test_set=test_set, protocol="esa")
    make_questionnaire(other)
    assert client.post(URL, {"act": "copy", "campaign": "other"}).status_code == 404
    assert "Other</option>" not in client.get(URL).text
    Membership.objects.create(campaign=other, account=cast.organiser, role=Role.ORGANISER)
    assert "Other</option>" in client.get(URL).text
    assert client.post(URL, {"act": "copy", "campaign": "other"}).status_code == 302
    assert len(names(campaign)) == 5


def test_once_somebody_answers_only_words_change(client: Client, campaign: Campaign, cast: Cast) -> None:
    form = make_questionnaire(campaign)
    answer_questionnaire(campaign, cast.annotator)
    page = client.get(URL).text
    assert "only the words" in page
    assert 'value="remove"' not in page
    assert "Sent by 1 of 2." in page
    assert client.post(URL, {"act": "remove", "question": "native"}).status_code == 422
    words = {"act": "question", "question": "native", "text": "Native in German?", "choices": "Yes, I am\nNo"}
    assert client.post(URL, words).status_code == 302
    native = questions_of(form)[0]
    assert native.text == "Native in German?"
    assert [(each.name, each.label) for each in native.choices] == [("yes", "Yes, I am"), ("no", "No")]
    assert client.post(URL, words | {"choices": "Yes\nNo\nPerhaps"}).status_code == 422


def test_the_preview_shows_all_of_it(client: Client, campaign: Campaign) -> None:
    make_questionnaire(campaign, is_asked=False)
    page = client.get(f"{URL}preview/").text
    assert "What is stored" in page
    assert all(question.text in page for question in QUESTIONS)
    assert client.get(URL.replace("entry", "middle")).status_code == 404
    assert "No questions yet" in client.get(URL.replace("entry", "exit")).text


def test_it_costs_few_queries(
    client: Client, campaign: Campaign, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make_questionnaire(campaign)
    with django_assert_max_num_queries(14):
        client.get(f"{URL}?question=native")
