"""Every word people read is translated, and says what the code says."""

import re
from html.parser import HTMLParser
from pathlib import Path

from django.conf import settings

import pytest

from frontend.words.catalogues import languages
from frontend.words.collecting import is_translated
from tests.frontend.words.collected import collected, messages, texts, translated

ROOT = Path(__file__).resolve().parents[3]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|%%")
EACH_LANGUAGE = pytest.mark.parametrize("language", languages())


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(f"{tag} {attrs}")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")


def test_no_words_of_scripts_are_within_those_of_others() -> None:
    """Their collector does not see a call within the arguments of another."""
    known = {texts(message.id)[0] for message in messages(collected())}
    scripts = [path for path in (ROOT / "frontend" / "src").rglob("*.tsx") if ".test." not in path.name]
    called = re.compile(r'\btn?\(\s*"((?:[^"\\]|\\.)*)"\s*[,)]')
    lost = [(path.name, words) for path in scripts for words in called.findall(path.read_text("utf-8"))]
    assert len(lost) > 200
    assert [each for each in lost if each[1].replace('\\"', '"') not in known] == []


def test_these_are_the_languages() -> None:
    assert languages() == ["ar", "cs", "de", "es", "fr", "hi", "ja", "uk", "zh-hans"]


def test_words_of_python_templates_and_scripts_are_collected() -> None:
    collected_messages = {texts(message.id)[0]: message for message in messages(collected())}
    assert (
        collected_messages["This account is not an annotator in this campaign."].locations[0][0].endswith("claiming.py")
    )
    skip = {path for path, _line in collected_messages["Skip to the content"].locations}
    assert {"frontend/src/workbench/render/workbench_page.tsx", "frontend/templates/base.html"} <= skip
    assert collected_messages["Your {n} judgment is saved."].id == (
        "Your {n} judgment is saved.",
        "Your {n} judgments are saved.",
    )
    assert collected_messages["all meaning"].locations[0][0] == "annotation/protocols/likert.py"


@EACH_LANGUAGE
def test_the_translators_file_has_the_messages_of_the_code(language: str) -> None:
    """./assay manage collect_words brings it up to date."""
    theirs = {(str(message.id), message.context) for message in messages(translated(language))}
    ours = {(str(message.id), message.context) for message in messages(collected())}
    assert ours - theirs == set()
    assert theirs - ours == set()


@pytest.mark.parametrize("language", ["ar", "de"])
def test_nothing_is_left_in_english(language: str) -> None:
    assert [message.id for message in messages(translated(language)) if not is_translated(message)] == []


@EACH_LANGUAGE
def test_hardly_anything_is_left_in_english(language: str) -> None:
    """In languages whose drafts follow the words a little later; the page of languages lists the rest."""
    every = messages(translated(language))
    assert sum(map(is_translated, every)) > 0.9 * len(every)


@EACH_LANGUAGE
def test_a_language_has_a_glossary_and_says_whether_it_was_reviewed(language: str) -> None:
    assert settings.LANGUAGES_REVIEWED_BY.get(language) or "not reviewed by a native speaker" in (
        translated(language).header_comment
    )
    assert (ROOT / "docs" / "glossary" / f"{language}.md").exists()


@EACH_LANGUAGE
def test_a_translation_fills_in_what_the_english_fills_in(language: str) -> None:
    wrong = []
    for message in filter(is_translated, messages(translated(language))):
        english = texts(message.id)[-1]
        known, needed = set(PLACEHOLDER.findall(english)), sorted(PLACEHOLDER.findall(english))
        for text in texts(message.string):
            placeholders = PLACEHOLDER.findall(text)
            is_whole = sorted(placeholders) == needed if isinstance(message.id, str) else set(placeholders) <= known
            if not is_whole or sorted(Tags(text).tags) != sorted(Tags(english).tags):
                wrong.append((english, text))
    assert wrong == []


@EACH_LANGUAGE
def test_a_language_has_all_its_plurals(language: str) -> None:
    catalog = translated(language)
    plurals = [message for message in messages(catalog) if not isinstance(message.id, str) and is_translated(message)]
    assert plurals
    assert {len(texts(message.string)) for message in plurals} == {catalog.num_plurals}
