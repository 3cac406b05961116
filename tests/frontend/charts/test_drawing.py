"""Marks as a page and as a file have them."""

from xml.etree import ElementTree

import pytest

from frontend.charts.drawing import Box, Curve, Dot, Drawing, Line, Words

NAME = 'A <b>&</b> "x" of many more letters'
MARKS = (
    Line(0, 0, 50, 0, "ci weak"),
    Dot(50, 10, "hum", about=NAME),
    Box(25, 5, 50, 10, "k1"),
    Curve([(0, 0), (100, 20)], "rl hu"),
    Words(0, 10, NAME, "lab", "end", -10, is_name=True),
)
DRAWING = Drawing(NAME, 100, MARKS)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - drawn by ourselves


def test_a_page_has_classes_and_percent_and_a_file_colours_and_numbers() -> None:
    page, file = DRAWING.for_page(), DRAWING.for_file("Title")
    assert '<line class="ci weak" x1="0.00%"' in page
    assert "class=" not in file
    assert "%" not in file
    assert "var(" not in file
    assert file.count('stroke="#6b7280"') == 1, "weak"


def test_every_text_is_escaped_and_said_in_full() -> None:
    page, file = parsed(DRAWING.for_page()), parsed(DRAWING.for_file(NAME))
    assert page.attrib["aria-label"] == NAME
    [words] = page.iter("text")
    assert words.text == "A <b>&<…etters"
    assert [title.text for title in words] == [NAME]
    assert [each.text for each in file.iter("{http://www.w3.org/2000/svg}text")] == [NAME]
    assert [each.text for each in file.iter("{http://www.w3.org/2000/svg}title")] == [NAME, NAME]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Lan-BridgeMT", "Lan-BridgeMT"),
        ("NLLB_MBR_BLEU", "NLLB_…BLEU"),
        ("機械翻訳システム第一", "機械翻訳…ム第一"),
        ("", ""),
    ],
)
def test_a_name_that_has_no_room_keeps_its_ends(name: str, shown: str) -> None:
    [words] = parsed(Drawing("", 10, [Words(0, 0, name, is_name=True)]).for_page()).iter("text")
    assert (words.text or "") == shown


def test_the_plot_of_a_file_lies_between_its_gutters() -> None:
    full = parsed(Drawing("", 10, [Box(0, 0, 100, 5, "k1")]).for_file(""))
    wide = parsed(Drawing("", 10, [Box(0, 0, 100, 5, "k1")], left="", has_numbers=False).for_file(""))
    assert [(box.attrib["x"], box.attrib["width"]) for box in (full[-1], wide[-1])] == [
        ("170.0", "460.0"),
        ("14.0", "692.0"),
    ]
