"""HTML becomes text: structure stays, and nothing that could run."""

import pytest

from campaigns.guideline_text import render_markdown
from exchange.formats.html_text import markdown_of_html, text_of_html


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<ul><li>One</li><li>Two <b>bold</b></li></ul>", "- One\n- Two bold"),
        ("<div class='white-box'>Keep @milo_k and #tags</div>", "Keep @milo_k and #tags"),
        ("a &lt;b&gt; c", "a <b> c"),
        ("<script>alert(1)</script>Text<style>p{}</style>", "Text"),
        ("<script>never closed", ""),
        ("a<br>b", "a\nb"),
        ("<ul>\n <li>One <ul> <li>Inner</li></ul></li><li>Two</li></ul>", "- One\n   - Inner\n- Two"),
    ],
)
def test_structure_stays_as_text(html: str, text: str) -> None:
    assert text_of_html(html).text == text


def test_scripts_and_styles_are_counted() -> None:
    assert text_of_html("<script>1</script><STYLE>2</STYLE><p onclick='x()'>p</p>").dropped == 2


def test_markdown_shows_the_same_words_and_runs_nothing() -> None:
    html = (
        "<h2>Scale</h2><ol><li><strong>Minor:</strong> a *star*, <code>[MISSING]</code></li></ol>"
        "<a href='javascript:x()'>here</a> &lt;script&gt;alert(1)&lt;/script&gt;"
    )
    shown = render_markdown(markdown_of_html(html).text)
    assert "<strong>Minor:</strong> a *star*, <code>[MISSING]</code>" in shown
    assert "<h4>Scale</h4>" in shown or "<h3>Scale</h3>" in shown
    assert "<script" not in shown
    assert "href" not in shown
