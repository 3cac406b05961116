"""A new campaign with comprehension questions: the file they stand in, what it adds up to, what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.test import Client

import pytest
from pytest_django import Settings

from annotation.models import Assignment
from campaigns.models import Account, Campaign, Question, TestSet
from jobs.models import RunStatus
from tests.cast import Cast
from tests.frontend.organiser.test_new_campaign import FORM, TABLE, drop, perform
from tests.sample_questions import ask_questions

QUESTIONS = """document,question,choices,accepted
d0,Why?,Fog|A strike,Fog
d0,How?,,slowly
d1,Who?,,nobody|no one
d2,When?,,noon
"""
GISTING_FORM: dict[str, str] = {key: value for key, value in FORM.items() if "direct" not in key} | {
    "protocol": "gisting",
    "redundancy": "1",
    "items_per_assignment": "",
    "gisting-when_asked": "while_reading",
    "gisting-read_source": "on",
}


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"


@pytest.fixture
def client(cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def sums(client: Client, **fields: Any) -> str:
    return client.get("/new-campaign/sums/", GISTING_FORM | fields).content.decode()


def test_a_file_of_questions_is_known_by_its_name_and_imported_with_the_table(client: Client) -> None:
    drop(client, ("news.csv", TABLE), ("questions.csv", QUESTIONS))
    run = perform()
    assert run.status == RunStatus.DONE
    assert [file["side"] for file in run.arguments["files"]] == ["whole", "questions"]
    page = client.get(f"/new-campaign/uploads/{run.arguments['upload']}/").content.decode()
    assert "4 questions on 3 documents" in page
    response = client.post("/new-campaign/", GISTING_FORM | {"upload": run.arguments["upload"]})
    assert response.status_code == 302
    assert perform().status == RunStatus.DONE
    campaign = Campaign.objects.get()
    assert Question.objects.count() == 4
    assert sorted(campaign.systems.values_list("name", flat=True)) == ["Heron", "Rook", "source"]
    assert campaign.items_per_assignment == 12
    assert list(Assignment.objects.values_list("total", flat=True)) == [3, 3, 3]


def test_errors_in_a_question_are_reported_with_their_line(client: Client) -> None:
    drop(client, ("news.csv", TABLE), ("questions.csv", QUESTIONS + "d9,Where?,,here\nd1,,,\n"))
    run = perform()
    page = client.get(f"/new-campaign/uploads/{run.arguments['upload']}/").content.decode()
    for words in ("No document “d9” was read", "Empty question", "2 rows cannot be used"):
        assert words in page


def test_a_whole_test_set_beside_a_side_of_another_is_refused(client: Client) -> None:
    drop(client, ("news.csv", TABLE), ("source.txt", "One.\n"))
    run = perform()
    assert run.status == RunStatus.FAILED
    assert "Leave out source.txt." in run.error


def test_the_sums_count_readings_and_the_people_they_need(client: Client, test_set: TestSet, cast: Cast) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    chosen = {"test_set": str(test_set.pk), "redundancy": "2"}
    assert "No document has questions" in sums(client, **chosen)
    ask_questions(test_set)
    shown = sums(client, **chosen)
    assert "Documents with questions × texts: 2 × 4" in shown
    assert "At least 8 annotators" in shown
    for number in (8, 16):
        assert f'<td class="num">{number}</td>' in shown


def test_control_items_and_a_test_set_without_questions_are_refused_in_words(
    client: Client, test_set: TestSet, cast: Cast
) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    response = client.post("/new-campaign/", GISTING_FORM | {"test_set": str(test_set.pk), "repeats": "10"})
    assert response.status_code == 422
    errors = response.context["form"].errors
    assert set(errors) == {"repeats", "test_set"}
    assert "cannot use repeated items" in errors["repeats"][0]
    assert "No document has questions" in errors["test_set"][0]
