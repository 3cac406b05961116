"""Names and directions of language tags."""

import pytest

from campaigns.languages import language_direction, language_name


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("de", "German"),
        ("DE", "German"),
        ("de-CH", "German (Switzerland)"),
        ("pt_BR", "Portuguese (Brazil)"),
        ("zh-Hant-TW", "Chinese (traditional, Taiwan)"),
        ("en-ZA", "English (ZA)"),
        ("tlh", "tlh"),
        ("", ""),
    ],
)
def test_a_tag_has_a_name(tag: str, name: str) -> None:
    assert language_name(tag) == name


@pytest.mark.parametrize(
    ("tag", "direction"),
    [
        ("de", "ltr"),
        ("ar", "rtl"),
        ("ar-EG", "rtl"),
        ("he", "rtl"),
        ("ks", "rtl"),
        ("uz-Arab", "rtl"),
        ("az-Latn", "ltr"),
        ("ur-Latn", "ltr"),
        ("tlh", "auto"),
        ("", "auto"),
    ],
)
def test_a_tag_has_a_direction(tag: str, direction: str) -> None:
    assert language_direction(tag) == direction
