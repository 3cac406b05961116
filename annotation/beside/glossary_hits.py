"""Terms of a glossary in texts: whole words, in any case; in scripts without spaces wherever the characters stand."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from campaigns.actions.text_guidance import GlossaryTerm

Range = tuple[int, int]

# scripts without spaces, and Hangul, where particles follow a noun without one
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_TURKISH = ("tr", "az")


@dataclass(frozen=True)
class OutputHits:
    """Ranges in one output; a `forbidden` one within a longer required translation is none."""

    required: tuple[Range, ...]
    forbidden: tuple[Range, ...]


@dataclass(frozen=True)
class TermHits:
    """A term in a source, and what became of it in each output; ranges are half-open, in code points."""

    term: GlossaryTerm
    source: tuple[Range, ...]
    outputs: tuple[OutputHits, ...]


def glossary_hits(
    terms: tuple[GlossaryTerm, ...],
    source: str,
    outputs: Sequence[str],
    *,
    source_language: str = "",
    target_language: str = "",
) -> list[TermHits]:
    """The terms that the source has, in the order of the text. A term within a longer one counts, too."""
    finder = _finder(tuple(term.term for term in terms), source_language)
    in_source = finder.ranges(source)
    hit = sorted(in_source, key=lambda text: (in_source[text][0][0], -len(text)))
    by_text = {finder.folded(term.term): term for term in terms}
    found = [(by_text[text], tuple(in_source[text])) for text in hit]
    wanted = tuple(text for term, _ranges in found for text in (*term.required, *term.forbidden))
    target = _finder(wanted, target_language)
    in_outputs = [target.ranges(output) for output in outputs]
    return [
        TermHits(term, ranges, tuple(_output_hits(term, target, each) for each in in_outputs)) for term, ranges in found
    ]


def _output_hits(term: GlossaryTerm, target: "_Finder", ranges: dict[str, list[Range]]) -> OutputHits:
    required = _ranges_of(term.required, target, ranges)
    forbidden = _ranges_of(term.forbidden, target, ranges)
    own = [one for one in forbidden if not any(_is_within(one, other) for other in required)]
    return OutputHits(tuple(required), tuple(own))


def _ranges_of(texts: Iterable[str], target: "_Finder", ranges: dict[str, list[Range]]) -> list[Range]:
    return sorted({each for text in texts for each in ranges.get(target.folded(text), ())})


def _is_within(one: Range, other: Range) -> bool:
    return other[0] <= one[0] and one[1] <= other[1] and one != other


@lru_cache(maxsize=64)
def _finder(texts: tuple[str, ...], language: str) -> "_Finder":
    return _Finder(texts, language)


class _Finder:
    """Texts by their first two characters: reading a text takes no longer for a large glossary."""

    def __init__(self, texts: tuple[str, ...], language: str) -> None:
        self.is_turkish = language.partition("-")[0].lower() in _TURKISH
        self.by_head: dict[str, list[str]] = defaultdict(list)
        for text in dict.fromkeys(filter(None, map(self.folded, texts))):
            self.by_head[text[:2]].append(text)
        first = "".join(re.escape(each) for each in {head[0] for head in self.by_head})
        self.first = re.compile(f"[{first}]") if first else None

    def folded(self, text: str) -> str:
        return self._in_one_case(text.strip())

    def _in_one_case(self, text: str) -> str:
        """Character by character: places stay the same."""
        if self.is_turkish:
            text = text.replace("I", "ı").replace("İ", "i")
        lower = text.lower()
        if len(lower) != len(text):
            lower = "".join(each.lower() if len(each.lower()) == 1 else each for each in text)
        return lower.replace("ς", "σ")

    def ranges(self, text: str) -> dict[str, list[Range]]:
        """Of each text that occurs, where it does."""
        found: dict[str, list[Range]] = defaultdict(list)
        if self.first is None:
            return found
        text = self._in_one_case(text)
        for place in self.first.finditer(text):
            start = place.start()
            if not _is_edge(text, start):
                continue
            for head in {text[start : start + 2], text[start]}:
                for each in self.by_head.get(head, ()):
                    end = start + len(each)
                    if text.startswith(each, start) and _is_edge(text, end):
                        found[each].append((start, end))
        return found


def _is_edge(text: str, place: int) -> bool:
    """Whether a word can begin or end here: not between two letters of a script with spaces."""
    if place in (0, len(text)):
        return True
    before, after = text[place - 1], text[place]
    if _UNSPACED.match(before) or _UNSPACED.match(after):
        return not unicodedata.category(after).startswith("M")
    return not (_is_of_word(before) and _is_of_word(after))


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")
