"""Mended documents of WMT's general task: the boundaries move, the words stay, every error is named at once."""

import json

import pytest

from exchange.formats.genmt_mending import Mended, UnfitPartsError, divided, moved, read_mended
from exchange.formats.genmt_report import GenmtChoices
from tests.exchange.formats.test_wmt_genmt import Look, look, problems, report_of
from tests.genmt_files import document, output

assert look  # a fixture

TEXT = "<p>Eins. Zwei.</p>\n<p>Drei.</p>"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["<p>Eins.", "Zwei.</p> <p>Drei.</p>"], ["<p>Eins. ", "Zwei.</p>\n<p>Drei.</p>"]),
        (["", TEXT.replace("\n", "\r\n"), ""], ["", TEXT, ""]),
        (["<p>Ei", "ns. Zwei.</p><p>", "", "Drei.</p>"], ["<p>Ei", "ns. Zwei.</p>\n<p>", "", "Drei.</p>"]),
    ],
)
def test_the_parts_are_the_text_with_its_own_blanks(parts: list[str], expected: list[str]) -> None:
    assert list(divided(TEXT, parts, len(parts))) == expected
    assert "".join(expected) == TEXT


def test_blanks_before_the_first_word_go_with_it() -> None:
    assert divided("  Eins.", ["", "Eins."], 2) == ("", "  Eins.")


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (["<p>Eins.</p>\n<p>Drei.</p>", ""], "Missing: “Zwei.”."),
        (["<p>Eins. Zwei! Neu.</p>", "<p>Drei.</p>"], "order. Added: “! Neu”."),
        (["", ""], "Missing: “<p>Eins. Zwei.</p> <p>Drei.</p>”."),
        ([TEXT], "Parts: 1. Segments of the document: 2."),
    ],
)
def test_words_that_are_missing_or_added_are_named(parts: list[str], sentence: str) -> None:
    with pytest.raises(UnfitPartsError) as refused:
        divided(TEXT, parts, 2)
    assert sentence in str(refused.value).replace("\\n", " ")


def test_a_sign_without_blanks_is_named_alone() -> None:
    with pytest.raises(UnfitPartsError, match=r"Missing: “雨”\. Added: “雪”\."):
        divided("今日は雨です。", ["今日は", "雪です。"], 2)


def test_a_sentence_is_moved_over_a_boundary() -> None:
    parts = ["<p>Eins.", "Zwei.</p><p>Drei.</p>"]
    assert moved(TEXT, parts, 0, "down") == ["", TEXT]
    assert moved(TEXT, ["<p>Eins. Zwei.</p>", "<p>Drei.</p>"], 0, "down")[0] == "<p>Eins. "
    assert moved(TEXT, ["", TEXT], 0, "up") == ["<p>Eins. ", "Zwei.</p>\n<p>Drei.</p>"]
    assert moved(TEXT, [TEXT, ""], 0, "up") == [TEXT, ""]
    assert moved(TEXT, ["Nur.", "Neu. Und."], 0, "up") == ["Nur. Neu. ", "Und."]
    assert moved(TEXT, [TEXT, ""], 1, "down") == [TEXT, ""]


def test_a_list_says_everything_that_is_wrong_with_it() -> None:
    right = {"system": "Rook", "document": "a", "parts": ["", "x"], "sources": ["ignored"]}
    mended, wrong = read_mended(json.dumps([right, {"system": "Rook"}, {**right, "parts": [1]}, right]))
    assert mended[0] == Mended("Rook", "a", ("", "x"))
    assert [sentence[:9] for sentence in wrong] == ["Object 2:", "Object 3:", "Rook, a o"]
    for content in ("{", "{}", "1", "[" * 100_000):
        assert len(read_mended(content)[1]) == 1


def test_mended_documents_take_the_place_of_the_proposal(look: Look) -> None:
    whole = "<p>Eins. Und. Zwei.</p>"
    mended = (Mended("Heron", "a", ("<p>Eins.", "Und. Zwei.</p>")), Mended("Heron", "b", ("", whole)))
    inspection = look([document("a"), document("b"), document("c")], *(output(n, whole) for n in "abc"), mended=mended)
    assert problems(inspection) == []
    first, second, third = inspection.preview
    assert [each.translations["Heron"] for each in (first, second, third)] == ["<p>Eins. ", "Und. Zwei.</p>", ""]
    report = report_of(inspection)
    assert [each.how for each in report.realigned] == ["mended", "mended", "split"]
    assert report.unconfirmed == 1
    assert [sentence[:9] for sentence in report.realigned_sentences()][1:] == ["Heron, c:"]
    assert report.stored()["realigned"][0]["how"] == "mended"
    assert "Of these, mended by hand: 2." in inspection.problems.notes


def test_mended_documents_that_do_not_fit_are_errors_or_left_out(look: Look) -> None:
    mended = (
        Mended("Heron", "a", ("Eins.", "Drei.")),
        Mended("Heron", "b", ("<p>Eins.</p>",)),
        Mended("Wren", "a", ("", "")),
    )
    inspection = look([document("a"), document("b")], output("a"), output("b"), mended=mended)
    first, second, third = problems(inspection)
    assert "Heron, a: The parts must have" in first
    assert "Heron, b: Parts: 1. Segments of the document: 2." in second
    assert "Wren, a: No output" in third
    assert not inspection.can_skip
    lenient = look([document("a"), document("b")], output("a"), output("b"), mended=mended, drops_unfit=True)
    assert problems(lenient) == []
    assert report_of(lenient).realigned == []
    assert any("left out: Heron a, Heron b, Wren a." in note for note in lenient.problems.notes)


def test_another_division_is_another_test_set() -> None:
    chosen = [GenmtChoices(mended=(Mended("Rook", "a", parts),)).chosen() for parts in (("x", ""), ("", "x"))]
    assert len({*chosen, GenmtChoices().chosen()}) == 3
