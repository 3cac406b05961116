"""What counts has a form for each number, in every language, and no page writes "1 systems"."""

import re
from gettext import c2py  # the standard library's own reader of plural rules, which Django uses too

import pytest
from babel.messages.catalog import Message

from frontend.words.catalogues import languages
from frontend.words.collecting import is_translated
from tests.frontend.words.collected import collected, messages, texts, translated

NUMBERS = (0, 1, 2, 5)
COUNTED = re.compile(
    r"(?:%\(\w+\)[sd]|\{\w+\}) "
    r"(?:annotators|assignments|attempts|categories|comparisons|documents|errors|items|judgments|people|percentiles|plots|"
    r"problems|references|rows|scores|segments|systems|tags|tasks|texts|translations)\b"
)

LIMIT = re.compile(r"\b(?:at (?:most|least)|Allow from)\b", re.IGNORECASE)


def plurals() -> list[Message]:
    return [message for message in messages(collected()) if not isinstance(message.id, str)]


def test_nothing_counts_without_a_plural() -> None:
    """On pages, in scripts, in messages and commands; a limit ("at most 30 drafts") is never one."""
    wrong = [
        (message.id, message.locations[0][0])
        for message in messages(collected())
        if isinstance(message.id, str)
        and COUNTED.search(message.id)
        and not LIMIT.search(message.id)
        and message.id not in ALWAYS_SEVERAL
    ]
    assert wrong == []


# Said only where there are many.
ALWAYS_SEVERAL = {
    "Shown are the %(shown)s of %(all)s annotators who share most outputs. The CSV has all pairs.",
    "No look yet. The first one is made when {first} documents are finished.",
    "After {documents} documents nobody leads.",
    "Distance to the leader and its bound, %(first)s to %(last)s documents",
    "after %(documents)s documents",
}


@pytest.mark.parametrize("language", ["en", *languages()])
def test_every_form_can_be_said(language: str) -> None:
    """With each number filled in; nothing is left open and nothing is empty."""
    if language == "en":
        forms = {str(message.id[0]): list(message.id) for message in plurals()}
        choose = c2py("n != 1")
    else:
        catalog = translated(language)
        known = filter(is_translated, messages(catalog))
        forms = {texts(one.id)[0]: texts(one.string) for one in known if not isinstance(one.id, str)}
        choose = c2py(catalog.plural_expr)
    for message, said in forms.items():
        for number in NUMBERS:
            shown = re.sub(r"%\(\w+\)[sd]|\{\w+\}", str(number), said[choose(number)])
            assert shown.strip(), (message, number)
            assert not re.search(r"%\(|\{\w*\}", shown), (message, number)
