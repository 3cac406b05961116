"""People by list on the pages: errors beside the list, results shown once, passwords kept nowhere."""

import csv
from collections.abc import Callable
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign, Invitation, Session, TestSet
from campaigns.reading.people_list import read_people
from frontend.sessions import SessionStore
from jobs.actions import claim_run, perform_run
from jobs.models import Run, RunStatus
from tests.cast import Cast
from tests.frontend.organiser.test_new_campaign import FORM
from tests.workbooks import rows_of_texts, workbook

ClientOf = Callable[[Account], Client]
PASSWORD = "nine patient otters"
LIST = f"name,email,username,password\nAna Duarte,ana@example.org,ana,{PASSWORD}\nBen Ito,,,\n"


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.organiser)


def test_a_list_is_invited_and_shown_once(client: Client, campaign: Campaign) -> None:
    fields = {"people": LIST, "role": "annotator", "access": "password", "count": "3"}
    response = client.post(f"/campaigns/{campaign.slug}/people/invite/", fields)
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    page = response.content.decode()
    made = response.context["admitted"][1]
    assert made.password in page
    assert f"harbour-campaign-01,Ben Ito,,{made.password}" in page
    assert PASSWORD not in page
    assert not Invitation.objects.exists()
    again = client.get(f"/campaigns/{campaign.slug}/people/").content.decode()
    assert made.password not in again
    assert "ana@example.org" in again
    assert Account.objects.get(username="ana").check_password(PASSWORD)


@pytest.mark.parametrize(
    ("access", "contents"),
    [("password", "contains passwords in plain text"), ("link", "contains links; anyone who opens")],
)
def test_the_page_says_what_the_file_contains_and_to_delete_it(
    client: Client, campaign: Campaign, access: str, contents: str
) -> None:
    fields = {"people": "name\nBen Ito\n", "role": "annotator", "access": access, "count": "3"}
    page = client.post(f"/campaigns/{campaign.slug}/people/invite/", fields).text
    assert f"The file {contents}" in page
    assert "then delete the file." in page


def test_no_cell_of_the_file_is_run_by_a_spreadsheet(
    client: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaigns.actions.enrolment.new_password", lambda: "=1+1")
    monkeypatch.setattr("campaigns.actions.tokens.new_token", lambda: "@SUM(1)")
    fields = {"people": "name,email\n=cmd,+a@example.org\n", "role": "annotator", "access": "password", "count": "3"}
    response = client.post(f"/campaigns/{campaign.slug}/people/invite/", {**fields, "are_programs": "on"})
    [header, row] = list(csv.reader(response.context["admitted_csv"].splitlines()))
    assert header == ["annotator", "name", "email", "password", "token"]
    assert row == ["harbour-campaign-01", "'=cmd", "'+a@example.org", "'=1+1", "'@SUM(1)"]


def test_errors_in_a_list_are_shown_beside_it(client: Client, campaign: Campaign) -> None:
    fields = {"people": "name,username,email\nAna,olive,\nBen,,nowhere\n", "role": "annotator", "count": "3"}
    response = client.post(f"/campaigns/{campaign.slug}/people/invite/", fields)
    page = response.content.decode()
    assert (response.status_code, response["Cache-Control"]) == (422, "no-store")
    assert "The list has 2 errors" in page
    assert "This user name is taken" in page
    assert "not an e-mail address" in page
    assert "Ben,,nowhere" in page
    assert not Invitation.objects.exists()


def test_neither_a_number_nor_a_list_is_refused(client: Client, campaign: Campaign) -> None:
    response = client.post(f"/campaigns/{campaign.slug}/people/invite/", {"role": "annotator", "count": ""})
    assert "Enter a number" in response.content.decode()


def test_people_listed_with_a_new_campaign_are_let_in_afterwards(client: Client, test_set: TestSet, cast: Cast) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    fields = FORM | {"test_set": str(test_set.pk), "people": LIST, "access": "both"}
    place = client.post("/new-campaign/", fields)["Location"]
    stored = repr(
        [*Run.objects.values_list(), *(SessionStore().decode(each.session_data) for each in Session.objects.all())]
    )
    assert PASSWORD not in stored
    run = claim_run(Run.objects.get(status=RunStatus.QUEUED).pk)
    assert run is not None
    assert perform_run(run).status == RunStatus.DONE
    run.refresh_from_db()
    assert (run.arguments["people"], run.arguments["form"]) == ([], {})
    assert client.get(place).context["access"] == "both"
    assert [account.name for account in client.get("/campaigns/fresh-news/people/").context["waiting"]] == ["Ben Ito"]
    assert Account.objects.get(username="ana").check_password(PASSWORD)
    admitted = client.post("/campaigns/fresh-news/people/admit/", {"access": "link"}).context["admitted"]
    assert [bool(each.link) for each in admitted] == [True]
    assert client.post("/campaigns/fresh-news/people/admit/", {"access": "no"}).status_code == 302


def test_a_campaign_that_fails_gives_its_list_back_without_passwords(
    client: Client, test_set: TestSet, cast: Cast
) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    place = client.post("/new-campaign/", FORM | {"test_set": str(test_set.pk), "people": LIST})["Location"]
    Account.objects.create(username="ANA")
    run = claim_run(Run.objects.get(status=RunStatus.QUEUED).pk)
    assert run is not None
    assert perform_run(run).error.startswith("line 2, username: This user name is taken")
    page = client.get(place).content.decode()
    assert "name,email,username\nAna Duarte,ana@example.org,ana\nBen Ito,," in page
    assert "The passwords in the list were not saved" in page
    assert not Campaign.objects.exists()
    run.refresh_from_db()
    assert run.arguments["people"] == []


def _read(client: Client, content: bytes) -> tuple[int, str]:
    file = SimpleUploadedFile("people.xlsx", content)
    response = client.post("/new-campaign/people/", {"file": file})
    return response.status_code, response.content.decode()


def test_a_workbook_becomes_a_list_whose_lines_have_the_numbers_of_its_rows(client: Client) -> None:
    rows = rows_of_texts(["name", "email"], ["Duarte,\nAna", "ana@example.org"], [], ["Ben Ito"])
    status, text = _read(client, workbook({"People": rows}))
    assert (status, text) == (200, 'name,email\n"Duarte, Ana",ana@example.org\n\nBen Ito,\n')
    assert [(person.name, person.line) for person in read_people(text)[0]] == [("Duarte, Ana", 2), ("Ben Ito", 4)]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (workbook({"People": rows_of_texts(["name"], ["Ana"])})[:-40], "damaged"),
        (b"PK" + bytes(2_000_000), "at most 2 MB"),
        (
            workbook({"People": rows_of_texts(["name"]) + '<row r="2"><c r="A2"><f>B1</f></c></row>'}),
            "formula without a value",
        ),
    ],
)
def test_a_workbook_that_cannot_be_read_is_refused_with_the_reason(client: Client, content: bytes, why: str) -> None:
    status, page = _read(client, content)
    assert status == 422
    assert why in page
