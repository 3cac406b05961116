"""Terms of a glossary where a reader finds them: whole words in any case, characters in scripts without spaces."""

import pytest

from annotation.beside.glossary_hits import TermHits, glossary_hits
from campaigns.actions.text_guidance import GlossaryTerm


def hits(
    terms: list[GlossaryTerm], source: str, *outputs: str, languages: tuple[str, str] = ("en", "de")
) -> list[TermHits]:
    return glossary_hits(tuple(terms), source, outputs, source_language=languages[0], target_language=languages[1])


def words(text: str, term: str, language: str = "en") -> list[str]:
    found = hits([GlossaryTerm(term, ("x",))], text, languages=(language, "de"))
    return [text[start:end] for each in found for start, end in each.source]


@pytest.mark.parametrize(
    ("text", "term", "language", "expected"),
    [
        ("The ferry left. FERRY!", "Ferry", "en", ["ferry", "FERRY"]),
        ("ferryman, ferry-boat", "ferry", "en", ["ferry"]),
        ("the night  ferry", "night ferry", "en", []),
        ("C++ and .NET, not ANET", ".net", "en", [".NET"]),
        ("Straße STRASSE straße", "straße", "de", ["Straße", "straße"]),
        ("cafe\u0301 cafe", "cafe", "fr", ["cafe"]),
        ("IŞIK ışık isik", "ışık", "tr", ["IŞIK", "ışık"]),
        ("ΟΔΟΣ οδός οδος", "οδος", "el", ["ΟΔΟΣ", "οδος"]),
        ("العبّارة وصلت", "العبّارة", "ar", ["العبّارة"]),
        ("والعبّارة", "العبّارة", "ar", []),
        ("夜行フェリーは出ません", "フェリー", "ja", ["フェリー"]),
        ("フェリーAPIとCAPI", "API", "ja", ["API"]),
        ("용어를 번역", "용어", "ko", ["용어"]),
        ("İstanbul İ x", "x", "en", ["x"]),
        ("𠮷野家 a 𠮷野家", "𠮷野家", "zh", ["𠮷野家", "𠮷野家"]),
        ("", "ferry", "en", []),
    ],
)
def test_a_term_is_found_as_a_word_of_its_script(text: str, term: str, language: str, expected: list[str]) -> None:
    assert words(text, term, language) == expected


def test_each_output_says_what_it_has_of_the_term() -> None:
    ferry = GlossaryTerm("ferry", ("Fähre", "Fährschiff"), ("Schiff", "Boot"))
    [found] = hits(
        [ferry, GlossaryTerm("quay", ("Kai",))], "The ferry is a ferry.", "Die fähre.", "Das Boot, Schiff.", ""
    )
    assert found.source == ((4, 9), (15, 20))
    assert [(each.required, each.forbidden) for each in found.outputs] == [
        (((4, 9),), ()),
        ((), ((4, 8), (10, 16))),
        ((), ()),
    ]


def test_a_forbidden_word_within_a_longer_required_one_does_not_count() -> None:
    term = GlossaryTerm("machine translation", ("maschinelle Übersetzung",), ("Übersetzung",))
    [inside] = hits([term], "machine translation", "Die maschinelle Übersetzung.")
    assert (len(inside.outputs[0].required), inside.outputs[0].forbidden) == (1, ())
    [beside] = hits([term], "machine translation", "Maschinelle Übersetzung, Übersetzung.")
    assert beside.outputs[0].forbidden == ((25, 36),)


def test_terms_come_in_the_order_of_the_source_the_longer_first() -> None:
    terms = [GlossaryTerm(text, ("x",)) for text in ("quay", "ferry", "ferry line")]
    assert [each.term.term for each in hits(terms, "The ferry line has a quay.")] == ["ferry line", "ferry", "quay"]


def test_a_term_among_five_thousand_is_found_everywhere() -> None:
    terms = [GlossaryTerm(f"term number {place}", (f"Begriff {place}",)) for place in range(5000)]
    [found] = hits(terms, "A term number 4711, and another term number 4711. " * 50, "Begriff 4711")
    assert (len(found.source), found.outputs[0].required) == (100, ((0, 12),))
