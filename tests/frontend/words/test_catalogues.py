"""What server and scripts make of the translators' files."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

from django.core.management import call_command
from django.test import Client
from django.utils.translation import gettext, ngettext, override

import pytest
from pytest_django import Settings

from annotation.models import Assignment
from campaigns.models import Account, Campaign
from frontend.words.catalogues import (
    SCRIPT_FILE,
    SERVER_FILE,
    STATE_FILE,
    TRANSLATORS_FILE,
    folder_of,
    languages,
    script_words,
)
from frontend.words.collecting import update
from frontend.words.compiling import compile_words
from tests.cast import Cast
from tests.frontend.words.collected import collected


@pytest.fixture(scope="session", autouse=True)
def _words_in_place() -> None:
    """As set-up leaves them, also where the tests are called without it."""
    if not all(_is_compiled(folder_of(language)) for language in languages()):
        call_command("compile_words")


def _is_compiled(folder: Path) -> bool:
    made = [folder / name for name in (SERVER_FILE, SCRIPT_FILE, STATE_FILE)]
    return all(file.exists() for file in made) and (
        min(file.stat().st_mtime for file in made) > (folder / TRANSLATORS_FILE).stat().st_mtime
    )


def test_server_and_script_say_the_same() -> None:
    with override("de"):
        assert gettext("Guidelines") == "Richtlinien"
        assert ngettext("%(minutes)d minute", "%(minutes)d minutes", 2) == "%(minutes)d Minuten"
    assert script_words("de")["Guidelines"] == "Richtlinien"
    assert script_words("en") == {}


def test_scripts_get_the_words_of_options_and_none_of_the_organisers() -> None:
    words = script_words("ar")
    assert {"all meaning", "Nothing", "The text is broken or missing"} <= set(words)
    assert "Sign in" not in words


def test_before_words_are_in_place_scripts_speak_english(tmp_path: Path, settings: Settings) -> None:
    settings.LOCALE_PATHS = [tmp_path]
    script_words.cache_clear()
    assert script_words("ar") == {}
    script_words.cache_clear()


def test_plurals_stand_under_the_names_browsers_give_them() -> None:
    forms = script_words("ar")["Your {n} judgment is saved."]
    assert isinstance(forms, dict)
    assert set(forms) == {"zero", "one", "two", "few", "many", "other"}
    assert forms["two"] == "حكماك محفوظان."
    assert forms["few"] == "أحكامك الـ{n} محفوظة."


def test_what_is_not_translated_stays_english(tmp_path: Path) -> None:
    path = tmp_path / "django.po"
    update(path, "de", collected())
    compile_words(path, "de")
    assert json.loads((tmp_path / SCRIPT_FILE).read_text(encoding="utf-8")) == {}
    assert (tmp_path / SERVER_FILE).stat().st_size < 1_000, "an empty plural would be shown as nothing"


def test_bringing_a_file_up_to_date_keeps_what_is_translated(tmp_path: Path) -> None:
    path = tmp_path / "django.po"
    path.write_bytes((folder_of("de") / "django.po").read_bytes())
    update(path, "de", collected())
    first = path.read_bytes()
    assert "Richtlinien" in first.decode()
    update(path, "de", collected())
    assert path.read_bytes() == first


def test_the_browsers_language_is_the_first_guess(client: Client, db: None) -> None:
    text = client.get("/sign-in/", headers={"accept-language": "ar-EG,en;q=0.5"}).text
    assert '<html lang="ar"' in text
    assert 'dir="rtl"' in text
    assert "تسجيل الدخول" in text
    assert '<html lang="en"' in client.get("/sign-in/", headers={"accept-language": "xx"}).text


def test_a_language_chosen_at_the_foot_of_a_page_stays(client: Client, db: None) -> None:
    response = client.post("/language/", {"language": "de", "next": "/sign-in/"})
    assert response["location"] == "/sign-in/"
    text = client.get("/sign-in/", headers={"accept-language": "ar"}).text
    assert "Anmelden" in text
    assert 'value="de" lang="de" aria-current="true"' in text
    assert 'lang="ar" >العربيّة' in text


def test_a_choice_leads_to_no_other_site(client: Client, db: None) -> None:
    response = client.post("/language/", {"language": "de", "next": "https://elsewhere.example/"})
    assert response["location"] == "/"


def test_the_workbench_is_handed_its_words(
    client_of: Callable[[Account], Client],
    cast: Cast,
    campaign: Campaign,
    make_assignment: Callable[..., Assignment],
) -> None:
    address = f"/assignments/{make_assignment(campaign, cast.annotator).pk}/"
    client = client_of(cast.annotator)
    assert '"Guidelines": "Richtlinien"' in client.get(address, headers={"accept-language": "de"}).text
    assert '"catalogue": {}' in client.get(address).text


def test_the_page_of_languages_lists_what_is_untranslated(cast: Cast, tmp_path: Path, settings: Settings) -> None:
    settings.LOCALE_PATHS = [tmp_path]
    settings.LANGUAGES = [("en", "English"), ("es", "español")]
    folder = folder_of("es")
    update(folder / "django.po", "es", collected())
    compile_words(folder / "django.po", "es")
    client = Client()
    client.force_login(cast.annotator)
    page = client.get("/settings/languages/?of=es").content.decode()
    assert "Untranslated: español" in page
    assert "Reviewed by a native speaker" in page
    rows = list(csv.reader(client.get("/settings/languages/es.csv").content.decode().splitlines()))
    assert rows[0] == ["english", "files"]
    assert ["Sign in", "frontend/templates/people/sign_in.html"] in [[row[0], row[1].split()[-1]] for row in rows[1:]]
    assert client.get("/settings/languages/?of=tlh").status_code == 404
