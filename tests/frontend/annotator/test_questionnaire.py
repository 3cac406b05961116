"""A questionnaire as an annotator finds it: consent, questions, answers to read and to correct."""

from collections.abc import Callable
from dataclasses import replace

from django.test import Client
from django.utils import timezone

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.models import Assignment, AssignmentStatus
from campaigns.actions.crowds import readmit_screened_out
from campaigns.actions.questionnaires import ask_questionnaire, set_questionnaire
from campaigns.models import Account, Campaign, CampaignStatus, CrowdPlace, FormAnswer, Membership, QuestionnaireReply
from campaigns.queries import answers_of
from tests.cast import Cast
from tests.sample_crowd import make_crowd
from tests.sample_questionnaire import QUESTIONS, answer_questionnaire, make_questionnaire

ENTRY = "/campaigns/harbour-campaign/questionnaire/entry/"
EXIT = "/campaigns/harbour-campaign/questionnaire/exit/"
NEXT = "/campaigns/harbour-campaign/next/"
SENT = {"act": "send", "answer-native": "yes", "answer-work": ["editor"], "answer-skill": "4", "answer-years": "2,5"}


def make_screening(campaign: Campaign) -> None:
    native, *others = QUESTIONS
    questions = [replace(native, screens_out=("No",)), *others]
    set_questionnaire(campaign=campaign, moment="entry", questions=questions, consent="", by=None)
    ask_questionnaire(campaign=campaign, moment="entry", is_asked=True, by=None)


def join_place(campaign: Campaign, annotator: Account) -> CrowdPlace:
    crowd, place = make_crowd(campaign), Membership.objects.get(campaign=campaign, account=annotator)
    return CrowdPlace.objects.create(crowd=crowd, membership=place, participant="P1", joined_at=timezone.now())


@pytest.fixture
def client(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.annotator)


@pytest.fixture
def work(campaign: Campaign, cast: Cast, make_assignment: Callable[..., Assignment]) -> Assignment:
    return make_assignment(campaign, cast.annotator)


def test_it_comes_before_the_first_task(client: Client, campaign: Campaign, work: Assignment, cast: Cast) -> None:
    form = make_questionnaire(campaign)
    assert client.post(NEXT)["Location"] == ENTRY
    assert client.get(f"/assignments/{work.pk}/")["Location"] == ENTRY
    page = client.get(ENTRY).text
    assert "What is stored" in page
    assert "Until <strong>May</strong>." in page
    assert "Is German your native language?" not in page
    assert client.post(ENTRY, {"act": "agree"})["Location"] == ENTRY
    page = client.get(ENTRY).text
    assert "Is German your native language?" in page
    assert "checked" not in page
    assert client.post(ENTRY, SENT)["Location"] == ENTRY
    assert answers_of(form, cast.annotator.pk) == {"native": "yes", "work": ["editor"], "skill": 4, "years": 2.5}
    page = client.get(ENTRY).text
    assert "Go on to the tasks" in page
    assert "data-draft-done" in page
    assert client.post(NEXT)["Location"] == f"/assignments/{work.pk}/"
    assert client.get(f"/assignments/{work.pk}/").status_code == 200


def test_who_refuses_leaves_no_trace(client: Client, campaign: Campaign) -> None:
    make_questionnaire(campaign)
    page = client.post(ENTRY, {"act": "refuse"}).text
    assert "Nothing was stored" in page
    assert not QuestionnaireReply.objects.exists()
    assert "What is stored" in client.get(ENTRY).text


def test_answers_without_consent_are_not_taken(client: Client, campaign: Campaign) -> None:
    make_questionnaire(campaign)
    assert "What is stored" in client.post(ENTRY, SENT).text
    assert not QuestionnaireReply.objects.exists()
    assert not FormAnswer.objects.exists()


def test_what_is_missing_is_named_with_a_way_to_it_and_nothing_is_lost(client: Client, campaign: Campaign) -> None:
    make_questionnaire(campaign)
    client.post(ENTRY, {"act": "agree"})
    answer = client.post(ENTRY, {"act": "send", "answer-work": ["editor"], "answer-years": "many"})
    assert answer.status_code == 422
    page = answer.text
    assert '<a href="#q-native">' in page
    assert 'id="q-native"' in page
    assert "Please answer this question." in page
    assert 'value="many"' in page
    assert 'value="editor" checked' in page
    assert "data-fresh" not in page
    assert not FormAnswer.objects.exists()


def test_answers_can_be_read_and_corrected(client: Client, campaign: Campaign, cast: Cast) -> None:
    form = make_questionnaire(campaign)
    answer_questionnaire(campaign, cast.annotator)
    page = client.get(ENTRY).text
    assert "I met Zelda." in page
    assert "Translator" in page
    change = client.get(f"{ENTRY}?change").text
    assert 'value="yes" checked' in change
    assert 'value="12"' in change
    client.post(f"{ENTRY}?change", SENT | {"answer-native": "no"})
    assert answers_of(form, cast.annotator.pk)["native"] == "no"
    Campaign.objects.filter(pk=campaign.pk).update(status=CampaignStatus.CLOSED)
    closed = client.get(f"{ENTRY}?change").text
    assert "Your answers can be read, but not changed." in closed
    assert '<form class="stack-l"' not in closed
    assert client.post(ENTRY, SENT).status_code == 422
    assert answers_of(form, cast.annotator.pk)["native"] == "no"


def test_the_exit_questionnaire_waits_for_the_last_task(
    client: Client, campaign: Campaign, work: Assignment, cast: Cast
) -> None:
    make_questionnaire(campaign, "exit")
    assert "after your last task" in client.get(EXIT).text
    assert client.post(EXIT, {"act": "agree"}).status_code == 200
    assert not QuestionnaireReply.objects.exists()
    assert client.get(f"/assignments/{work.pk}/").status_code == 200
    Assignment.objects.filter(pk=work.pk).update(status=AssignmentStatus.DONE, done=6, completion_code="ABCD")
    assert EXIT in client.get(f"/assignments/{work.pk}/done/").text
    home = client.get("/").text
    assert "Exit questionnaire" in home
    assert EXIT in home
    assert client.post(EXIT, {"act": "agree"}).status_code == 302
    client.post(EXIT, SENT)
    assert "Read your answers" in client.get("/").text
    assert EXIT not in client.get(f"/assignments/{work.pk}/done/").text


def test_what_is_not_asked_is_not_found(client: Client, campaign: Campaign, cast: Cast) -> None:
    assert client.get(ENTRY).status_code == 404
    assert client.get(ENTRY.replace("entry", "middle")).status_code == 404
    make_questionnaire(campaign, is_asked=False)
    assert client.get(ENTRY).status_code == 404
    ask_questionnaire(campaign=campaign, moment="entry", is_asked=True, by=None)
    answer_questionnaire(campaign, cast.annotator)
    ask_questionnaire(campaign=campaign, moment="entry", is_asked=False, by=None)
    assert "I met Zelda." in client.get(ENTRY).text


def test_programs_are_not_asked_and_people_agree_to_the_campaign_first(client: Client, campaign: Campaign) -> None:
    make_questionnaire(campaign)
    Membership.objects.update(is_program=True)
    assert client.get(ENTRY).status_code == 404
    Membership.objects.update(is_program=False, consented_at=None)
    assert client.get(ENTRY)["Location"] == "/campaigns/harbour-campaign/guidelines/"


def test_it_costs_few_queries(
    client: Client, campaign: Campaign, cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make_questionnaire(campaign)
    answer_questionnaire(campaign, cast.annotator)
    with django_assert_max_num_queries(12):
        client.get(f"{ENTRY}?change")


def test_who_does_not_qualify_is_told_kindly_and_gets_no_work(
    client: Client, campaign: Campaign, work: Assignment, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    make_screening(campaign)
    place = join_place(campaign, cast.annotator)
    assert client.post(ENTRY, {"act": "agree"})["Location"] == ENTRY
    own = f"/api/v1/campaigns/{campaign.slug}/questionnaires/entry/own"
    for seen in (client.get(ENTRY).text, client.get(own).text):
        assert "screens_out" not in seen
        assert "qualify" not in seen
    client.post(ENTRY, SENT | {"answer-native": "no"})
    page = client.get(ENTRY).text
    assert "Thank you for your answers." in page
    assert "https://crowd.example/out?pid=P1" in page
    assert "data-draft-done" in page
    assert client.get(own).json()["is_screened_out"] is True
    for address in (NEXT, f"/campaigns/{campaign.slug}/practice/skip/"):
        assert client.post(address).status_code == 302
    assert client.post(NEXT)["Location"] == ENTRY
    assert client.get(f"/assignments/{work.pk}/").status_code != 200
    refused = client.post(f"/api/v1/campaigns/{campaign.slug}/assignments")
    assert refused.status_code == 403
    assert "no task for you" in refused.json()["detail"]
    work.refresh_from_db()
    place.refresh_from_db()
    assert work.status != AssignmentStatus.OPEN
    assert place.screened_out_at is not None
    home = client.get("/").text
    assert f'action="{NEXT}"' not in home
    client.post(ENTRY, SENT)  # again, with an answer that qualifies
    assert client.post(NEXT)["Location"] == ENTRY
    readmit_screened_out(campaign)
    place.refresh_from_db()
    assert place.screened_out_at is not None
    people = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/people/").text
    assert people.count("screened out") == 1
    entry = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/questionnaires/entry/").text
    assert "1 does not qualify." in entry
    member = f"/campaigns/{campaign.slug}/members/{place.membership_id}/"
    assert "Let them in" in client_of(cast.organiser).get(member).text
    assert client_of(cast.organiser).post(f"{member}let-in/")["Location"] == member
    assert "Let them in" not in client_of(cast.organiser).get(member).text
    assert type(place).objects.filter(pk=place.pk, screened_out_at=None).exists()
    assert client.post(NEXT)["Location"] != ENTRY


def test_a_correction_screens_nobody_out(client: Client, campaign: Campaign, work: Assignment) -> None:
    make_screening(campaign)
    client.post(ENTRY, {"act": "agree"})
    client.post(ENTRY, SENT)
    client.post(ENTRY, SENT | {"answer-native": "no"})
    assert client.post(NEXT)["Location"] == f"/assignments/{work.pk}/"
    assert QuestionnaireReply.objects.get().screened_out_at is None
