"""When a typed answer is an accepted one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.protocols.gisting import normal_form


@pytest.mark.parametrize(
    ("typed", "accepted"),
    [
        ("  An   Hour. ", "an hour"),
        ("“100 metres!”", "100 metres"),
        ("١٠٠ متر", "100 متر"),
        ("१०० मीटर", "100 मीटर"),
        ("１００ｍ", "100m"),
        ("STRASSE", "straße"),
        ("cafe\u0301", "café"),
        ("office", "office"),
        ("فر\u200eانسه", "فرانسه"),
        ("¿Por qué?", "por qué"),
        ("大雾。", "大雾"),
        ("an\u00a0hour\n", "an hour"),
    ],
)
def test_the_way_it_is_typed_makes_no_difference(typed: str, accepted: str) -> None:
    assert normal_form(typed) == normal_form(accepted)


@pytest.mark.parametrize(
    ("typed", "accepted"),
    [("cafe", "café"), ("hour an", "an hour"), ("1000", "100"), ("3.5", "35"), ("C", "C++"), ("hours", "hour")],
)
def test_words_do(typed: str, accepted: str) -> None:
    assert normal_form(typed) != normal_form(accepted)


def test_nothing_but_punctuation_is_nothing() -> None:
    assert normal_form(" ?! … ") == ""


@given(st.text())
def test_a_normal_form_is_its_own(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)
