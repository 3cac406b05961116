"""Inline codes: placeholders, tags and keys of JSON, which a translation must keep. And markup that nobody reads."""

import re
from collections import Counter
from dataclasses import dataclass

KEY, CODE = "key", "code"

# paragraphs of WMT's general task; the pattern is also in frontend/src/workbench/markup.ts
MARKUP = re.compile(r"</?p(?:\s[^<>]*)?>", re.IGNORECASE)
_FIRST_OF_CODES = re.compile(r'[{%<"`]')
# at the start of a line, of an object, or behind a value: JSON may be on one line
_KEY = r'(?:^|\{|(?:[\d"\]}]|true|false|null),)[^\S\n]*"(?P<key>(?:[^"\\\n]|\\.)*)"\s*:'
_CODES = (
    r"\{\{[^{}\n]{1,80}\}\}",  # {{count}}
    r"\$?\{[\w.$#:-]{1,60}\}",  # {name} ${name} {0}
    r"%\([\w.-]{1,60}\)[sdifr]",  # %(name)s
    r"(?<![\w%])%(?:\d+\$)?[-+0#]*\d*(?:\.\d+)?[sdifuxXeEgGc@](?![^\W\d_])",  # %s %1$d %.2f, and not 100%sure
    r"</?(?!p[\s/>])[A-Za-z][\w:-]*(?:\s+[\w:-]+(?:\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>]+))?)*\s*/?>",  # <x/>
    r"^```\w*$",  # the fence of a block
)
_ALL = re.compile("|".join((_KEY, *(f"(?:{code})" for code in _CODES))), re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class InlineCode:
    """Half-open, in code points of the text; a key's range includes its quotes."""

    kind: str
    start: int
    end: int
    text: str


def codes_in(text: str) -> list[InlineCode]:
    """In the order of the text. Of a key `text` is its name."""
    if not _FIRST_OF_CODES.search(text):
        return []
    codes = []
    for found in _ALL.finditer(text):
        if found["key"] is None:
            codes.append(InlineCode(CODE, found.start(), found.end(), found[0]))
        else:
            start, end = found.span("key")
            codes.append(InlineCode(KEY, start - 1, end + 1, found["key"]))
    return codes


def lost_codes(source: str, output: str) -> list[str]:
    """Codes of the source that an output has less often, each once; none of an empty output."""
    if not output.strip():
        return []
    wanted = [code.text for code in codes_in(source) if not code.text.startswith("```")]
    left = Counter(wanted)
    left.subtract(code.text for code in codes_in(output))
    return [text for text in dict.fromkeys(wanted) if left[text] > 0]


def without_markup(text: str) -> str:
    """As people read it."""
    return MARKUP.sub("", text)
