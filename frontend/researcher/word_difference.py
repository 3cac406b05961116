"""Which words of one text another has not, and which came in their place: the workbench's rule, on the server. Pure."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from annotation.text_units import character_ranges, has_spaced_words, word_ranges

SAME, REMOVED, INSERTED = "same", "removed", "inserted"
LARGEST = 4_000_000


@dataclass(frozen=True)
class Piece:
    kind: str
    text: str


def difference(before: str, after: str, language: str) -> list[Piece]:
    """In the order of reading, what is removed before what took its place. Very long texts differ as a whole."""
    old, young = _parts(before, language), _parts(after, language)
    if len(old) * len(young) > LARGEST:
        return [Piece(REMOVED, before), Piece(INSERTED, after)]
    pieces: list[Piece] = []
    for step, start, end, low, high in SequenceMatcher(None, old, young, autojunk=False).get_opcodes():
        if step == "equal":
            pieces.append(Piece(SAME, "".join(young[low:high])))
            continue
        pieces += [Piece(REMOVED, "".join(old[start:end]))] if end > start else []
        pieces += [Piece(INSERTED, "".join(young[low:high]))] if high > low else []
    return pieces


def _parts(text: str, language: str) -> list[str]:
    """Words and the spaces between them; letters, where words are not spaced."""
    ranges = word_ranges(text) if has_spaced_words(language) else character_ranges(text)
    parts, done = [], 0
    for start, end in ranges:
        parts += [text[done:start]] if start > done else []
        parts.append(text[start:end])
        done = end
    return [*parts, text[done:]] if done < len(text) else parts
