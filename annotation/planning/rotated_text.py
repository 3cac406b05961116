"""Rotated text: an output in which some tokens have changed places, which whoever reads it gives a lower score."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from annotation.planning.text_units import character_ranges, has_spaced_words, word_ranges

ROTATED_WORDS, ROTATED_CHARACTERS = 5, 10
DRAWS = 200

_MARKUP = r"</?[A-Za-z][^<>]*>|<!--.*?-->"
_FENCE = r"^[ \t]*(?:```|~~~)[^\n]*$"
_STAYS = re.compile(  # a word that has any of these in it
    r"\w+://|\bwww\.\S|\S@\S+\.\w|(?:^|(?<=[\s(\[\"'“「（]))@\w"
)
_ADDRESS = re.compile(r"(?:\w+://|\bwww\.)[!-~]+|[\w.+-]*@[\w.-]+", re.ASCII)
_CUTS = re.compile(f"{_MARKUP}|{_FENCE}", re.MULTILINE | re.DOTALL)
_BRACKETS = frozenset("{}[]")

Range = tuple[int, int]
_Ranges = Callable[[str], list[Range]]


def tokens_moved(language: str) -> int:
    """How many tokens change places: words, or characters where words are not spaced."""
    return ROTATED_WORDS if has_spaced_words(language) else ROTATED_CHARACTERS


def movable_tokens(text: str, language: str) -> list[Range]:
    """The words (or characters) that may move, as half-open ranges.

    White space, runs of `{}[]` standing alone, code fences, addresses, handles and markup stay where they are.
    """
    if has_spaced_words(language):
        words = [word for piece in _between(text, _CUTS) for word in _in_piece(text, piece, word_ranges)]
        return [word for word in words if not _STAYS.search(text[slice(*word)]) and not _is_bracket(text, word)]
    pieces = [rest for piece in _between(text, _CUTS) for rest in _in_piece(text, piece, _outside_addresses)]
    marks = [mark for piece in pieces for mark in _in_piece(text, piece, character_ranges)]
    return [mark for mark in marks if not _is_bracket(text, mark)]


def rotate(text: str, rng: random.Random, *, language: str) -> str | None:
    """The text with its tokens rotated: of so many distinct places each gets the next one's token, so all change.

    5 words, or 10 characters in Chinese, Japanese, Thai and what else is written without spaces. None where the text
    has not more than twice as many movable tokens, or where they are so much alike that nothing would show.

    Source: the organisers' attention checks of the Conference on Machine Translation, 2026.

    >>> rotate("one two three four five six seven eight nine ten eleven", random.Random(3), language="en")
    'one two four eight five six seven nine ten three eleven'
    """
    tokens, moved = movable_tokens(text, language), tokens_moved(language)
    if len(tokens) <= 2 * moved:
        return None
    for _ in range(DRAWS):
        places = sorted(rng.sample(tokens, moved))
        words = [text[start:end] for start, end in places]
        if all(one != other for one, other in pairwise([*words, words[0]])):
            return _with(text, places, [*words[1:], words[0]])
    return None


def _with(text: str, places: Sequence[Range], words: Sequence[str]) -> str:
    parts, end = [], 0
    for (start, after), word in zip(places, words, strict=True):
        parts += [text[end:start], word]
        end = after
    return "".join([*parts, text[end:]])


def _between(text: str, pattern: re.Pattern[str]) -> Iterator[Range]:
    end = 0
    for match in pattern.finditer(text):
        yield end, match.start()
        end = match.end()
    yield end, len(text)


def _in_piece(text: str, piece: Range, ranges: _Ranges) -> list[Range]:
    start, end = piece
    return [(start + first, start + last) for first, last in ranges(text[start:end])]


def _outside_addresses(text: str) -> list[Range]:
    return list(_between(text, _ADDRESS))


def _is_bracket(text: str, token: Range) -> bool:
    return _BRACKETS.issuperset(text[slice(*token)])
