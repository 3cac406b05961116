"""Answers to a questionnaire: who has sent it, what was said, and the file without names."""

from collections.abc import Callable

from django.test import Client

import pytest
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Account, Campaign
from campaigns.queries import questions_of
from exchange.exported_judgments import ExportChoice
from exchange.exports import export_rows
from frontend.organiser.questionnaire_answers import distributions
from metrics.pseudonyms import codes_of
from tests.cast import Cast
from tests.sample_questionnaire import answer_questionnaire, make_questionnaire

URL = "/campaigns/harbour-campaign/questionnaires/entry/"


@pytest.fixture
def client(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    make_questionnaire(campaign)
    answer_questionnaire(campaign, cast.annotator)
    return client_of(cast.organiser)


def test_the_page_says_who_has_answered_and_what(client: Client) -> None:
    page = client.get(f"{URL}answers/").text
    assert "Answered by 1 of 2" in page
    assert "Anna Weidner" in page
    assert "Translator, Editor" in page
    assert "not yet" in page
    assert "Mean 12, median 12, from 12 to 12" in page


def test_a_question_has_counts_of_its_answers(client: Client, campaign: Campaign, cast: Cast) -> None:
    answer_questionnaire(campaign, cast.second_annotator, native="no", work=["editor"], skill=2, years="", remarks="")
    form = campaign.questionnaires.get()
    native, work, skill, years, remarks = distributions(form, questions_of(form))
    assert list(native.counts) == [("Yes", 1, 0.5), ("No", 1, 0.5)]
    assert list(work.counts) == [("Translator", 1, 0.5), ("Editor", 2, 1.0), ("Teacher", 0, 0.0)]
    assert [number for _label, number, _share in skill.counts] == [0, 1, 0, 1, 0]
    assert (years.answered, list(years.counts)) == (1, [("12", 1, 1.0)])
    assert (remarks.answered, list(remarks.counts)) == (1, [])
    rows = client.get(f"{URL}distribution.csv").text.splitlines()
    assert rows[:3] == ["question,answer,annotators,share", "native,Yes,1,0.5", "native,No,1,0.5"]


def test_the_organisers_table_has_names_and_texts(client: Client) -> None:
    header, anna, ben = client.get(f"{URL}answers.csv").text.splitlines()
    columns = "annotator,name,agreed,sent,screened_out"
    assert header == f"{columns},entry.native,entry.work,entry.skill,entry.years,entry.remarks"
    assert anna.startswith("anna,Anna Weidner,")
    assert anna.endswith(",yes,translator|editor,4,12,I met Zelda.")
    assert ben == "ben,Ben Achterberg,,,,,,,,"


def test_the_file_for_others_has_codes_and_no_texts(client: Client, campaign: Campaign, cast: Cast) -> None:
    file = b"".join(export_rows(campaign, "questionnaires-csv")).decode()
    header, *rows = file.splitlines()
    assert header == "annotator,questionnaire,question,kind,reply,label,text,answered"
    code = codes_of(campaign)["anna"]
    assert rows[0].startswith(f"{code},entry,native,single,yes,Yes,Is German your native language?,")
    assert len(rows) == 4
    assert "anna" not in file.replace("annotator", "")
    assert "Zelda" not in file
    left_out = ExportChoice(left_out=frozenset({cast.annotator.pk}))
    assert len(b"".join(export_rows(campaign, "questionnaires-csv", left_out)).splitlines()) == 1


def test_without_a_questionnaire_there_are_no_answers(client: Client) -> None:
    assert client.get(URL.replace("entry", "exit") + "answers/").status_code == 404
    assert client.get(URL.replace("entry", "middle") + "answers/").status_code == 404


def test_it_costs_few_queries(client: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_max_num_queries(14):
        client.get(f"{URL}answers/")
