"""The segments of a document of WMT's general task: paragraphs, values of fenced JSON, or the whole text. Lossless."""

import re
from collections.abc import Iterable, Iterator

from exchange.formats.paragraph_alignment import has_words

AUTO, BLANK_LINES, WHOLE = "auto", "blank-lines", "none"
SPLITS = (AUTO, BLANK_LINES, WHOLE)
PARAGRAPHS, JSON_VALUES = "paragraphs", "json-values"
FENCE = "```json"

_NEWLINES = r"(?:[ \t]*[\r\n])*"
_PARAGRAPH_END = re.compile(rf"</p>{_NEWLINES}")
_BLANK_LINE = re.compile(r"\n(?:[ \t\r]*\n)+")
# a string that does not end takes the whole rest, so that the text is read once
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)
_KEY = re.compile(r"\s*:")
_VALUE_END = re.compile(rf"(?:\s*,)?{_NEWLINES}")


def way_to_split(source: str) -> str:
    """How a document is divided if nobody chose: by how its source begins."""
    begin = source[:200].lstrip()
    if begin.startswith("<p>"):
        return PARAGRAPHS
    return JSON_VALUES if begin.startswith(FENCE) else WHOLE


def split_text(text: str, way: str) -> list[str]:
    """A source or a translation of it, `way` being that of the source. Newlines go with the segment before them."""
    ends = {PARAGRAPHS: _paragraph_ends, JSON_VALUES: _value_ends, BLANK_LINES: _blank_line_ends}.get(way)
    return _divided(text, ends(text)) if ends else [text]


def _divided(text: str, ends: Iterable[int]) -> list[str]:
    """Up to each end; a rest without letter or digit joins the last segment."""
    parts, start = [], 0
    for end in ends:
        parts.append(text[start:end])
        start = end
    rest = text[start:]
    if rest and parts and not has_words(rest):
        parts[-1] += rest
    elif rest or not parts:
        parts.append(rest)
    return parts


def _paragraph_ends(text: str) -> Iterator[int]:
    return (match.end() for match in _PARAGRAPH_END.finditer(text))


def _blank_line_ends(text: str) -> Iterator[int]:
    begin = len(text) - len(text.lstrip())  # blank lines before the first word belong to it
    return (match.end() for match in _BLANK_LINE.finditer(text, begin))


def _value_ends(text: str) -> Iterator[int]:
    """A key goes with its value, a comma and what follows on its line with the value before them."""
    fence = text.find(FENCE)
    for match in _STRING.finditer(text, max(fence, 0)):
        if not _KEY.match(text, match.end()):
            behind = _VALUE_END.match(text, match.end())
            yield behind.end() if behind else match.end()
