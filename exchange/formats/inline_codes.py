"""Inline codes of translation tools as they stand in our texts, and back: `<x id="1"/>`, `<ph id="2">{name}</ph>`.

A code keeps its element, its identifier and what it stands for in the original file; how a tool displays it is lost.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr, unescape

from exchange.formats.xml_stream import Element

PAIRS = ("g", "pc")
SINGLE = ("x", "bx", "ex", "bpt", "ept", "ph", "it", "ut", "sc", "ec", "cp")
_ATTRIBUTES = ("id", "rid", "i", "x", "pos", "startRef", "isolated", "hex")
_NAMES = "|".join(SINGLE)
_VALUES = r"""((?: [A-Za-z]{1,8}="[^"<>]{0,200}")*) ?"""
_CODE = re.compile(rf"<({_NAMES}){_VALUES}(?:/>|>(.*?)</\1>)|<(g|pc){_VALUES}>|</(g|pc)>", re.DOTALL)
_VALUE = re.compile(r' ([A-Za-z]{1,8})="([^"<>]{0,200})"')


@dataclass(frozen=True)
class Code:
    """A code of a text, from `start` to `end`; `mate` is the place in the list of the other half of a pair."""

    name: str
    attributes: dict[str, str]
    content: str
    start: int
    end: int
    is_end: bool = False

    @property
    def key(self) -> str:
        """What it shares with the other half."""
        own = self.attributes
        return own.get("rid") or own.get("startRef") or own.get("i") or own.get("id") or ""


def as_text(element: Element) -> str:
    """What is in a source or target, with its codes as placeholders."""
    return "".join(child if isinstance(child, str) else _placeholder(child) for child in element.children)


def has_code(text: str) -> bool:
    return _CODE.search(text) is not None


def literal_codes(element: Element) -> bool:
    """Whether a text has in plain letters what is read as a code."""
    return any(has_code(child) if isinstance(child, str) else literal_codes(child) for child in element.children)


def codes_in(text: str) -> Iterator[Code]:
    """Codes that can be written: both halves of `g` and `pc` are there, in each other and not across."""
    found = [_code(match) for match in _CODE.finditer(text)]
    matched: set[int] = set()
    opened: list[int] = []
    for place, code in enumerate(found):
        if code.name not in PAIRS:
            matched.add(place)
        elif not code.is_end:
            opened.append(place)
        elif any(found[earlier].name == code.name for earlier in opened):
            while found[opened[-1]].name != code.name:
                opened.pop()
            matched |= {place, opened.pop()}
    return (code for place, code in enumerate(found) if place in matched)


def _code(match: re.Match[str]) -> Code:
    single, values, content, pair, pair_values, closing = match.groups()
    attributes = {name: unescape(value, {"&quot;": '"'}) for name, value in _VALUE.findall(values or pair_values or "")}
    return Code(single or pair or closing, attributes, content or "", *match.span(), is_end=bool(closing))


def _placeholder(element: Element) -> str:
    values = {name: element.attributes[name] for name in _ATTRIBUTES if element.attributes.get(name)}
    if values.get("rid") == values.get("id"):
        values.pop("rid", None)
    tag = "".join([element.name, *(f" {name}={_quoted(value)}" for name, value in values.items())])
    if element.name in PAIRS:
        return f"<{tag}>{as_text(element)}</{element.name}>"
    if element.name in SINGLE:
        content = element.text()
        return f"<{tag}>{content}</{element.name}>" if content else f"<{tag}/>"
    return "" if ":" in element.name else as_text(element)  # marks of terms and the like: their text alone


def _quoted(value: str) -> str:
    return quoteattr(value.replace('"', "”")[:200]) if '"' in value else f'"{escape(value[:200])}"'
