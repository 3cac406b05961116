"""Nothing large is read from somebody nobody knows, whatever the address; what is small stays in memory."""

from collections.abc import Callable
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.actions.tokens import make_api_token
from campaigns.models import Account
from frontend.large_bodies import BODY_FROM_ANYBODY
from tests.cast import Cast
from tests.frontend.site_map import site_map

PAGE = "text/html"
REFUSED = {401, 413}


@pytest.fixture
def nowhere_to_put_files(settings: Settings, tmp_path: Path) -> None:
    """Whoever tries to keep a file on the disk fails loudly."""
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path / "not there")


def addresses() -> list[str]:
    values = {"int": "1", "slug": "some", "str": "some", "uuid": "6e5d7e5c-61cf-4bb4-8a7a-3d8d7d6d0c55", "path": "some"}
    responses = []
    for route in site_map().values():
        parts = route.split("<")
        responses.append(
            "/" + parts[0] + "".join(values[part.partition(":")[0]] + part.partition(">")[2] for part in parts[1:])
        )
    return responses


def stranger() -> Client:
    """Who has the cookie that every form of ours gives away."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=True)
    client.cookies["csrftoken"] = "a" * 32
    return client


def file_of(size: int) -> dict[str, SimpleUploadedFile]:
    return {"files": SimpleUploadedFile("set.csv", b"x" * size)}


@pytest.mark.usefixtures("nowhere_to_put_files", "db")
def test_no_address_reads_a_large_body_of_a_stranger() -> None:
    client = stranger()
    answers = {address: client.post(address, file_of(BODY_FROM_ANYBODY)).status_code for address in addresses()}
    assert len(answers) > 100
    assert {address: status for address, status in answers.items() if status not in REFUSED} == {}


@pytest.mark.usefixtures("nowhere_to_put_files", "db")
def test_a_strangers_small_file_stays_in_memory() -> None:
    client = stranger()
    answers = {client.post(address, file_of(1000)).status_code for address in addresses()}
    assert answers
    assert max(answers) < 500


@pytest.mark.usefixtures("nowhere_to_put_files", "db")
@pytest.mark.parametrize("token", ["Token wrong", "Token", "Bearer wrong", "Basic d3Jvbmc6d3Jvbmc="])
def test_a_token_that_opens_nothing_lets_nothing_large_in(token: str) -> None:
    for address in ("/api/v1/uploads", "/api/v1/campaigns", "/sign-in/"):
        answer = stranger().post(address, file_of(BODY_FROM_ANYBODY), headers={"Authorization": token})
        assert answer.status_code == 401
        assert answer.json()["detail"]


def test_who_is_known_may_send_files(cast: Cast, client_of: Callable[[Account], Client]) -> None:
    body = file_of(3 * BODY_FROM_ANYBODY)
    assert client_of(cast.organiser).post("/settings/", body).status_code not in REFUSED
    _token, secret = make_api_token(account=cast.organiser, name="A program", by=cast.organiser)
    answer = stranger().post("/api/v1/uploads", body, headers={"Authorization": f"Token {secret}"})
    assert answer.status_code not in REFUSED


def test_a_programs_file_arrives_that_is_too_large_for_the_memory(
    cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.UPLOAD_DIR = tmp_path
    _token, secret = make_api_token(account=cast.organiser, name="A program", by=cast.organiser)
    body = file_of(settings.FILE_UPLOAD_MAX_MEMORY_SIZE + 1)
    answer = stranger().post("/api/v1/uploads", body, headers={"Authorization": f"Token {secret}"})
    assert (answer.status_code, answer.json()["files"][0]["size"]) == (201, body["files"].size)


def test_nobody_sends_more_than_the_installation_takes(
    cast: Cast, client_of: Callable[[Account], Client], settings: Settings
) -> None:
    settings.UPLOAD_MEGABYTES = 1
    answer = client_of(cast.organiser).post("/settings/", file_of(2_100_000))
    assert answer.status_code == 413
    assert "At most 1 MB" in answer.text


def test_the_answer_says_what_to_do(db: None) -> None:
    page = stranger().post("/sign-in/", file_of(BODY_FROM_ANYBODY))
    assert "Sign in first: from others at most 64 kB are read." in page.text
    assert "Content-Security-Policy" in page.headers
