"""HTML from elsewhere as text or Markdown: what is written in it, and nothing that runs or styles a page."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

_DROPPED = ("script", "style")
_BLOCKS = frozenset({"p", "div", "section", "ul", "ol", "table", "tr", "blockquote", "pre", "hr"})
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
_SPECIAL = re.compile(r"([\\`*_\[\]<>#])")


@dataclass(frozen=True)
class CleanedText:
    """`dropped` counts the scripts and styles that were in it."""

    text: str
    dropped: int


def text_of_html(html: str) -> CleanedText:
    return _cleaned(html, is_markdown=False)


def markdown_of_html(html: str) -> CleanedText:
    return _cleaned(html, is_markdown=True)


def _cleaned(html: str, *, is_markdown: bool) -> CleanedText:
    reader = _Reader(is_markdown=is_markdown)
    reader.feed(html)
    reader.close()
    lines = [line.rstrip() for line in "".join(reader.parts).split("\n")]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return CleanedText(text, reader.dropped)


class _Reader(HTMLParser):
    def __init__(self, *, is_markdown: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.is_markdown = is_markdown
        self.parts: list[str] = []
        self.dropped = 0
        self._inside = 0  # elements that are dropped
        self._lists: list[str] = []
        self._in_code = False  # where nothing is escaped

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the parser's own
        if tag in _DROPPED:
            self.dropped += 1
            self._inside += 1
        elif tag in ("ul", "ol"):
            self._lists.append("1." if tag == "ol" else "-")
            self.parts.append("" if len(self._lists) > 1 else "\n")
        elif tag == "li":
            self.parts.append(f"\n{'   ' * (len(self._lists) - 1)}{self._lists[-1] if self._lists else '-'} ")
        elif tag == "br":
            self.parts.append("\n" if not self._lists else " ")
        elif re.fullmatch("h[1-6]", tag):
            self.parts.append(f"\n\n{'#' * min(int(tag[1]) + 1, 4)} " if self.is_markdown else "\n\n")
        elif tag in _BLOCKS:
            self.parts.append("\n\n" if not self._lists else " ")
        else:
            self._mark(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._inside = max(self._inside - 1, 0)
        elif tag in ("ul", "ol"):
            self._lists = self._lists[:-1]
            self.parts.append("" if self._lists else "\n\n")
        elif tag in _BLOCKS or re.fullmatch("h[1-6]", tag):
            self.parts.append("\n\n" if not self._lists else " ")
        else:
            self._mark(tag)

    def handle_data(self, data: str) -> None:
        if self._inside:
            return
        text = re.sub(r"\s+", " ", data)
        if self.parts and self.parts[-1].endswith(("\n", " ")):
            text = text.lstrip(" ")
        is_escaped = self.is_markdown and not self._in_code
        self.parts.append(
            _SPECIAL.sub(r"\\\1", text) if is_escaped else text.replace("`", "'") if self._in_code else text
        )

    def _mark(self, tag: str) -> None:
        if self.is_markdown and tag in _MARKS:
            self.parts.append(_MARKS[tag])
            self._in_code = not self._in_code if tag == "code" else self._in_code
