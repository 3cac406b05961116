"""Which language a text is surely in; nothing is said of short texts and of close languages."""

import pytest

from metrics.flagging.languages import are_alike, base_language, knows_language, other_language

GERMAN = "Die Fähre legte gestern Abend mit einer Stunde Verspätung ab."
ENGLISH = "The ferry left the harbour an hour late yesterday evening."


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        (ENGLISH, "de", "en"),
        (GERMAN, "ja", "de"),
        ("Le ferry a quitté le port avec une heure de retard hier soir.", "pt-BR", "fr"),
        ("昨日の夜、フェリーは一時間遅れて港を出ました。", "zh_Hans_CN", "ja"),
    ],
)
def test_a_whole_sentence_in_another_language_is_told(text: str, expected: str, found: str) -> None:
    told = other_language(text, expected)
    assert told is not None
    assert (told.name, told.probability > 0.9) == (found, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GERMAN, "de"),
        (GERMAN, "de-AT"),
        ("昨日の夜、フェリーは一時間遅れて港を出ました。", "ja"),
        ("昨晚渡轮晚了一个小时才离开港口。", "zh-Hant-TW"),
        ("Ferja forlot havna en time for sent i går kveld.", "da"),
    ],
)
def test_a_text_in_the_expected_language_or_a_close_one_is_not(text: str, expected: str) -> None:
    assert other_language(text, expected) is None


@pytest.mark.parametrize(
    "text",
    [
        "OK",
        "The ferry left.",
        "https://example.org/the-ferry-left-the-harbour-late",
        "@harbour_news #ferries {{ferry_name}}",
    ],
)
def test_nothing_is_told_of_short_texts_addresses_and_codes(text: str) -> None:
    assert other_language(text, "de") is None


def test_a_tag_is_read_as_far_as_its_language() -> None:
    assert [base_language(tag) for tag in ("pt-BR", "zh_Hant_TW", "nb", "EN")] == ["pt", "zh", "no", "en"]
    assert are_alike("yue", "zh")
    assert not are_alike("de", "nl")
    assert knows_language("de-CH")
    assert not knows_language("tlh")
