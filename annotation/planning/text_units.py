"""The units a text is read in: words, or characters as readers see them where words are not spaced."""

import re
from functools import cache
from itertools import groupby
from unicodedata import category

WRITTEN_WITHOUT_SPACES = frozenset(
    ("zh", "cmn", "yue", "wuu", "nan", "hak", "lzh", "ja", "th", "km", "lo", "my", "bo", "dz")
)

JOINERS = (  # the next character belongs to these
    "\u200d\u1039\u17d2"  # zero width joiner, Myanmar virama, Khmer coeng
    "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d"  # Indic viramas that form conjuncts
)
EXTENDING = (
    "\u200c"  # zero width non-joiner
    "\u0e33\u0eb3"  # Thai and Lao AM: letters by category, never apart from their consonant
    "\u1160-\u11ff\ud7b0-\ud7fb"  # vowels and finals of decomposed Hangul
    "\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"  # skin tones and the tags of regional flags
)
PRECEDING = (
    "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"  # Arabic number signs and the like
    "\u1100-\u115f\ua960-\ua97c"  # initials of decomposed Hangul
)
FLAG_LETTERS = "\U0001f1e6-\U0001f1ff"
MARK_BLOCKS = (range(0x300, 0x20000), range(0xE0100, 0xE01F0))


def has_spaced_words(language: str) -> bool:
    """Whether a language (a BCP 47 tag) is written with spaces between words."""
    tags = re.split("[-_]", language.lower())
    return tags[0] not in WRITTEN_WITHOUT_SPACES or "latn" in tags[1:]


def word_ranges(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of the runs without space; a space with a combining mark belongs to its word."""
    return [match.span() for match in _patterns()[0].finditer(text)]


def character_ranges(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of the grapheme clusters that are not space.

    Close to Unicode Standard Annex 29 and, where it differs, coarser: what follows a joiner is never cut off.
    """
    return [match.span() for match in _patterns()[1].finditer(text)]


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    extends = f"[{_marks()}{EXTENDING}{JOINERS}]"
    before, flag = f"[{PRECEDING}]*", f"[{FLAG_LETTERS}]{{2}}"
    joined = rf"[{JOINERS}]{extends}*{before}(?:{flag}|\S)"
    cluster = f"{before}(?:{joined}|{flag}|.)(?:{joined}|{extends})*"
    is_no_space = rf"(?!\s(?!{extends}))"
    word = re.compile(rf"(?:{is_no_space}{cluster})+", re.DOTALL)
    return word, re.compile(rf"{is_no_space}(?!\u200b){cluster}", re.DOTALL)


def _marks() -> str:
    """All combining marks as the inside of a character class."""
    codes = [code for codes in MARK_BLOCKS for code in codes if category(chr(code)).startswith("M")]
    runs = [[code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0])]
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)
