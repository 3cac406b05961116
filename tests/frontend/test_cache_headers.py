"""What is not there is kept by no browser and no proxy; style sheets are. Every address: `test_permissions.py`."""

from django.contrib.staticfiles import finders
from django.test import Client

from pytest_django import Settings


def test_a_missing_page_may_not_be_cached(client: Client, db: None) -> None:
    assert client.get("/nowhere/")["Cache-Control"] == "no-store"
    assert client.get("/api/v1/nowhere/")["Cache-Control"] == "no-store"


def test_style_sheets_keep_their_time(client: Client, db: None, settings: Settings) -> None:
    settings.WHITENOISE_USE_FINDERS = True
    settings.WHITENOISE_MAX_AGE = 60
    assert finders.find("css/assay.css")
    response = client.get("/static/css/assay.css")
    assert list(response.streaming_content)  # type: ignore[attr-defined]  # and the file is closed
    assert response["Cache-Control"] == "max-age=60, public"
