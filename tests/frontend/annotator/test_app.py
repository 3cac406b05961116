"""What a browser must know to install Assay as an app."""

from collections.abc import Callable

from django.contrib.staticfiles import finders
from django.test import Client

import pytest

from campaigns.models import Account, Theme
from tests.cast import Cast

ClientOf = Callable[[Account], Client]


def _size(path: str) -> str:
    """A PNG's, from its header."""
    with open(path, "rb") as file:  # noqa: PTH123 - the finder gives a string
        head = file.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return f"{int.from_bytes(head[16:20])}x{int.from_bytes(head[20:24])}"


@pytest.mark.parametrize(("language", "direction", "tasks"), [("en", "ltr", "My tasks"), ("ar", "rtl", "مهامي")])
def test_the_manifest_speaks_the_language_in_its_address(language: str, direction: str, tasks: str) -> None:
    response = Client().get(f"/app/{language}.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    manifest = response.json()
    assert (manifest["lang"], manifest["dir"]) == (language, direction)
    assert manifest["shortcuts"][0] == {"name": tasks, "url": "/"}
    assert Client().get("/app/xx.webmanifest").status_code == 404


def test_each_icon_is_as_large_as_the_manifest_says() -> None:
    icons = Client().get("/app/en.webmanifest").json()["icons"]
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for icon in icons:
        found = finders.find(f"img/{icon['src'].rpartition('/')[2]}")
        assert found is not None
        assert _size(found) == icon["sizes"]


def test_pages_of_people_name_it_with_the_colours_of_their_theme(client_of: ClientOf, cast: Cast) -> None:
    assert "webmanifest" not in Client().get("/sign-in/").text
    client = client_of(cast.annotator)
    text = client.get("/").text
    assert '<link rel="manifest" href="/app/en.webmanifest">' in text
    assert text.count('name="theme-color"') == 2
    Account.objects.filter(pk=cast.annotator.pk).update(theme=Theme.DARK)
    assert '<meta name="theme-color" content="#141518">' in client.get("/").text


def test_the_app_begins_at_the_tasks(client_of: ClientOf, cast: Cast) -> None:
    assert client_of(cast.annotator).get("/assignments/")["Location"] == "/"
    assert Client().get("/assignments/")["Location"].startswith("/sign-in/")
