"""Names and directions of language tags."""

from django.utils.translation import override

import pytest

from campaigns.languages import common_languages, language_direction, language_name, language_of_code, tag_of_name


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("de", "German"),
        ("DE", "German"),
        ("de-CH", "German (Switzerland)"),
        ("pt_BR", "Portuguese (Brazil)"),
        ("zh-Hant-TW", "Chinese (Traditional, Taiwan)"),
        ("ca-valencia", "Catalan (Valencian)"),
        ("iw", "Hebrew"),
        ("deu-XX", "German (XX)"),
        ("xx", "xx"),
        ("en-x-own", "en-x-own"),
        ("", ""),
    ],
)
def test_a_tag_has_a_name(tag: str, name: str) -> None:
    assert language_name(tag) == name


@pytest.mark.parametrize(
    ("interface", "names"),
    [
        ("de", ["Obersorbisch", "Portugiesisch (Brasilien)", "Ägyptisches Arabisch"]),
        ("ar", ["الصوربية العليا", "البرتغالية (البرازيل)", "العربية المصرية"]),
    ],
)
def test_languages_are_named_in_the_language_of_the_interface(interface: str, names: list[str]) -> None:
    with override(interface):
        assert [language_name(tag) for tag in ("hsb", "pt-BR", "arz")] == names


@pytest.mark.parametrize(
    ("words", "tag"),
    [("German", "de"), (" Deutsch ", "de"), ("Simplified Chinese", "zh-Hans"), ("Bengali", "bn"), ("ga", None)],
)
def test_a_name_becomes_a_tag(words: str, tag: str | None) -> None:
    assert tag_of_name(words) == tag
    with override("ar"):
        assert (tag_of_name(words), tag_of_name("الألمانية")) == (tag, "de")


@pytest.mark.parametrize(
    ("code", "tag"), [("eng", "en"), ("deu", "de"), ("ger", "de"), ("en", "en"), ("hsb", "hsb"), ("qqq", "qqq")]
)
def test_codes_of_languages_become_tags(code: str, tag: str) -> None:
    assert language_of_code(code) == tag


def test_the_languages_offered_stand_in_the_order_of_their_names() -> None:
    with override("de"):
        offered = dict(common_languages())
    assert {"ar": "Arabisch", "bho": "Bhodschpuri", "cs": "Tschechisch", "zh": "Chinesisch"}.items() <= offered.items()
    assert list(offered.values())[:3] == ["Abchasisch", "Afar", "Afrikaans"]
    assert not any("-" in tag for tag in offered)


@pytest.mark.parametrize(
    ("tag", "direction"),
    [
        ("de", "ltr"),
        ("ar", "rtl"),
        ("ar-EG", "rtl"),
        ("he", "rtl"),
        ("iw", "rtl"),
        ("ks", "rtl"),
        ("nqo", "rtl"),
        ("uz-Arab", "rtl"),
        ("az-Latn", "ltr"),
        ("ur-Latn", "ltr"),
        ("pa-PK", "rtl"),
        ("xx", "auto"),
        ("", "auto"),
    ],
)
def test_a_tag_has_a_direction(tag: str, direction: str) -> None:
    assert language_direction(tag) == direction
