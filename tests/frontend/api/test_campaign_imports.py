"""A campaign of Pearmut by the API: a run makes it and reports, or says everything that is wrong."""

from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Campaign
from jobs.models import RunStatus
from tests.cast import Cast
from tests.frontend.organiser.test_new_campaign import perform
from tests.frontend.organiser.test_pearmut_files import campaign_file

LANGUAGES = {"source_language": "en", "target_language": "de"}


@pytest.fixture
def client(cast: Cast, client: Client, settings: Settings, tmp_path: Path) -> Client:
    settings.UPLOAD_DIR = tmp_path / "uploads"
    client.force_login(cast.organiser)
    return client


def test_the_run_has_the_campaign_and_its_report(client: Client) -> None:
    body = {"name": "Moved", "file": SimpleUploadedFile("c.json", campaign_file().encode()), **LANGUAGES}
    answer = client.post("/api/v1/campaign-imports", body)
    assert answer.status_code == 202
    result = perform().result or {}
    assert (result["campaign"], result["report"]["attention_checks"]) == ("moved", 1)
    assert Campaign.objects.get(slug="moved").assignments.count() == 1


def test_a_file_that_cannot_be_fails_with_every_reason(client: Client) -> None:
    file = SimpleUploadedFile("c.json", campaign_file(protocol="rank", users=["ash", "ash"]).encode())
    client.post("/api/v1/campaign-imports", {"name": "Moved", "file": file, **LANGUAGES})
    run = perform()
    assert run.status == RunStatus.FAILED
    assert "info.protocol" in run.error
    assert "info.users[1]" in run.error
    assert not Campaign.objects.exists()
