"""An organiser's Markdown as safe HTML."""

from html.parser import HTMLParser

import pytest

from campaigns.guideline_text import render_markdown


def _elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    elements: list[tuple[str, dict[str, str | None]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            elements.append((tag, dict(attrs)))

    Reader().feed(html)
    return elements


def test_structure_comes_through() -> None:
    html = render_markdown("# Meaning\n\nA **slap** in the\nface.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    assert "<h2>Meaning</h2>" in html
    assert "<strong>slap</strong>" in html
    assert "<li>two</li>" in html
    assert "<td>2</td>" in html


@pytest.mark.parametrize("level", [1, 2, 3])
def test_headings_stay_below_the_pages_own(level: int) -> None:
    assert f"<h{level + 1}>Word</h{level + 1}>" in render_markdown(f"{'#' * level} Word")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](data:text/html,x)",
        "![a](https://elsewhere.example/pixel.png)",
        '<p style="position:fixed">x</p>',
        "<iframe src=//elsewhere.example></iframe>",
        "[a](https://x.example/\" onclick='x')",
    ],
)
def test_nothing_runs_and_nothing_is_fetched(text: str) -> None:
    for tag, attributes in _elements(render_markdown(text)):
        assert tag in ("p", "a")
        assert set(attributes) <= {"href", "title", "rel"}
        assert str(attributes.get("href", "https:")).startswith("https:")


def test_links_lead_out_without_a_trace() -> None:
    html = render_markdown("[the rules](https://rules.example/)")
    assert 'href="https://rules.example/"' in html
    assert "noreferrer" in html


def test_nothing_is_nothing() -> None:
    assert render_markdown("") == ""
