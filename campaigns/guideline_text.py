"""Markdown of an organiser as HTML that is safe to show."""

import nh3
from markdown_it import MarkdownIt

# No raw HTML comes in, and only text structure goes out: guidelines cannot contain script or style.
_MARKDOWN = MarkdownIt("commonmark", {"html": False, "breaks": False}).enable("table")
_TAGS = {
    *("p", "br", "hr", "h2", "h3", "h4", "ul", "ol", "li", "blockquote", "pre", "code"),
    *("em", "strong", "a", "table", "thead", "tbody", "tr", "th", "td"),
}
_HEADINGS = (("h3", "h4"), ("h2", "h3"), ("h1", "h2"))  # the page's own title is the only h1


def render_markdown(text: str) -> str:
    html = _MARKDOWN.render(text)
    for level, lower in _HEADINGS:
        html = html.replace(f"<{level}>", f"<{lower}>").replace(f"</{level}>", f"</{lower}>")
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href", "title"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
