"""Which words of one text another has not, and which came in their place: the workbench's rule, on the server. Pure."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from annotation.planning.text_units import character_ranges, has_spaced_words, word_ranges

SAME, REMOVED, INSERTED = "same", "removed", "inserted"
LARGEST = 4_000_000


@dataclass(frozen=True)
class Piece:
    kind: str
    text: str


def difference(before: str, after: str, language: str) -> list[Piece]:
    """In the order of reading, what is removed before what took its place. Very long texts differ as a whole."""
    old, young = _words(before, language), _words(after, language)
    if len(old) * len(young) > LARGEST:
        return [Piece(REMOVED, before), Piece(INSERTED, after)]
    pieces: list[Piece] = []
    matcher = SequenceMatcher(None, [word for _space, word in old], [word for _space, word in young], autojunk=False)
    for step, start, end, low, high in matcher.get_opcodes():
        if step == "equal":
            pieces.append(Piece(SAME, "".join(space + word for space, word in young[low:high])))
            continue
        for kind, words in ((REMOVED, old[start:end]), (INSERTED, young[low:high])):
            between = " " if has_spaced_words(language) and pieces and pieces[-1].kind == REMOVED else ""
            pieces += _marked(kind, words, between)
    return pieces


def _marked(kind: str, words: list[tuple[str, str]], between: str) -> list[Piece]:
    """The space before what differs is no part of it; `between` stands in where the text has none."""
    if not words:
        return []
    (space, first), *rest = words
    text = first + "".join(gap + word for gap, word in rest)
    before = space or between
    return [*([Piece(SAME, before)] if before else []), Piece(kind, text)]


def _words(text: str, language: str) -> list[tuple[str, str]]:
    """Words, or letters where words are not spaced, each with the space before it."""
    ranges = word_ranges(text) if has_spaced_words(language) else character_ranges(text)
    words, done = [], 0
    for start, end in ranges:
        words.append((text[done:start], text[start:end]))
        done = end
    return words
