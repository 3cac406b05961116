"""The page and the address by which pictures, audio and video come beside the texts of a test set."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign, Medium
from tests import sample_media as sample
from tests.cast import Cast

PAGE, API = "/test-sets/harbour-and-orchard/media/", "/api/v1/test-sets/harbour-and-orchard/media"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.UPLOAD_DIR, settings.MEDIA_DIR = tmp_path / "uploads", tmp_path / "media"
    return tmp_path


@pytest.fixture
def client(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def files(**contents: bytes) -> dict[str, Any]:
    return {"files": [SimpleUploadedFile(name.replace("__", "."), content) for name, content in contents.items()]}


def test_the_page_takes_files_and_says_what_became_of_them(client: Client, folder: Path) -> None:
    page = client.post(PAGE, files(harbour__wav=sample.wav(), notes__txt=b"x"))
    assert page.status_code == 200
    for sentence in ("Added: 1. Replaced: 0. There before: 0.", "Audio: 1", "Documents without any: 1"):
        assert sentence in page.text
    assert "notes.txt" in page.text
    assert Medium.objects.get().document.name == "harbour"
    assert not list((folder / "uploads").glob("incoming/*"))


def test_errors_are_listed_and_nothing_is_stored(client: Client) -> None:
    page = client.post(PAGE, files(harbour__wav=sample.wav(), orchard__png=b"<svg onload=alert(1)>"))
    assert page.status_code == 422
    assert "Nothing was stored." in page.text
    assert "orchard.png: This is not a PNG, JPEG" in page.text
    assert client.post(PAGE, {}).status_code == 422
    assert not Medium.objects.exists()


def test_a_folder_and_a_zip_file_of_a_folder_are_taken_from_within(client: Client, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("all/harbour.wav", sample.wav())
    sent = {"files": [SimpleUploadedFile("all.zip", (tmp_path / "all.zip").read_bytes())]}
    assert "Added: 1." in client.post(PAGE, sent).text
    sent = files(harbour__wav=sample.wav(), orchard__png=sample.png())
    assert (
        "Added: 1. Replaced: 0. There before: 1."
        in client.post(PAGE, sent | {"paths": ["all/harbour.wav", "all/orchard.png"]}).text
    )


def test_a_path_that_leads_out_of_a_folder_is_refused(client: Client) -> None:
    page = client.post(PAGE, files(harbour__wav=sample.wav()) | {"paths": ["all/../../harbour.wav"]})
    assert page.status_code == 422
    assert "The path must lie below the folder" in page.text
    assert not Medium.objects.exists()


def test_a_program_gets_the_same_as_json(client: Client) -> None:
    answer = client.post(API, files(harbour__wav=sample.wav(), notes__txt=b"x"))
    assert (answer.status_code, answer.json()) == (
        201,
        {"added": 1, "replaced": 0, "unchanged": 0, "unused": ["notes.txt"], "unequal": []}
        | {"documents_without": ["orchard"]},
    )
    refused = client.post(API, files(harbour__png=b"GIF"))
    assert refused.status_code == 422
    assert refused.json()["errors"]["files"][0].startswith("harbour.png: This is not a PNG")


def test_others_do_not_find_the_page(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> None:
    for account in (cast.annotator, cast.researcher, cast.stranger):
        assert client_of(account).post(PAGE, files(harbour__wav=sample.wav())).status_code == 404
        assert client_of(account).post(API, files(harbour__wav=sample.wav())).status_code == 404
    assert not Medium.objects.exists()
