"""Inline codes as programs write them; what looks like one in prose is none."""

import re
from pathlib import Path

import pytest

from annotation.beside.inline_codes import MARKUP, codes_in, lost_codes, without_markup
from config.settings import BASE_DIR


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello {name}, {{count}} items, ${cost}", ["{name}", "{{count}}", "${cost}"]),
        ("%s of %d, %1$s, %(user)s, %.2f%%", ["%s", "%d", "%1$s", "%(user)s", "%.2f"]),
        ('Press <b>Save</b> or <x id=1/><g id="2">now</g>', ["<b>", "</b>", "<x id=1/>", '<g id="2">', "</g>"]),
        ("100% sure, 50%discount, 5 < 6 and 7 > 3, 100%d", []),
        ("a set {a, b} and { } and }{", []),
        ("<p>One.</p>\n<P class='x'>Two.</P>", []),
        ("<pre>x</pre>", ["<pre>", "</pre>"]),
        ("plain text", []),
    ],
)
def test_placeholders_and_tags_are_found(text: str, expected: list[str]) -> None:
    assert [code.text for code in codes_in(text)] == expected
    assert all(text[code.start : code.end] == code.text for code in codes_in(text))


def test_keys_of_json_are_found_with_their_quotes() -> None:
    text = '```json\n{\n  "cart.title": "Your basket",\n  "cart.items": "{{count}} items"\n}\n```'
    codes = codes_in(text)
    assert [(code.kind, text[code.start : code.end]) for code in codes] == [
        ("code", "```json"),
        ("key", '"cart.title"'),
        ("key", '"cart.items"'),
        ("code", "{{count}}"),
        ("code", "```"),
    ]


def test_keys_on_one_line_are_found_and_quotations_are_none() -> None:
    text = '{"title": "Basket, {name}", "count": 3, "list": ["a", "b"], "last": "Yes", "no": {"deep": ""}}'
    assert [code.text for code in codes_in(text) if code.kind == "key"] == [
        *("title", "count", "list", "last", "no", "deep"),
    ]
    assert codes_in('He said, "stop": nobody did. "Yes", "no", "perhaps".') == []


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("{name} has %d of %d", "%d hat {name}", ["%d"]),
        ("{name}", "{Name}", ["{name}"]),
        ("{name}", " ", []),
        ("none", "{name}", []),
        ('  "cart.pay": "Pay now",', '  "warenkorb.pay": "Jetzt zahlen",', ["cart.pay"]),
        ('{"title": "Basket", "body": "Full"}', '{"title": "Korb"}', ["body"]),
        ("<p>One.</p>", "Eins.", []),
        ("```json\n{", "{", []),
    ],
)
def test_what_an_output_lost_is_listed_once(source: str, output: str, expected: list[str]) -> None:
    assert lost_codes(source, output) == expected


def test_paragraph_marks_are_no_part_of_what_is_read() -> None:
    assert without_markup("<p>One <b>two</b>.</p>\n") == "One <b>two</b>.\n"


def test_the_page_hides_what_the_server_takes_for_markup() -> None:
    script = Path(BASE_DIR, "frontend/src/workbench/markup.ts").read_text(encoding="utf-8")
    found = re.search(r"MARKUP = /(.+)/gi;", script)
    assert found is not None
    assert found[1].replace("\\/", "/") == MARKUP.pattern
