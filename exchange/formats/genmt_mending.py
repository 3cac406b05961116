"""Realigned documents mended by hand: the parts of an output, with boundaries somebody moved and words that stayed."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any

from django.utils.translation import gettext as _

from campaigns.reading.problems import excerpt
from exchange.formats.paragraph_alignment import sentences

UP, DOWN = "up", "down"
NAMED_WORDS = 5  # in a sentence about missing or added words
WORDS_SHOWN = 80  # characters of each
MOST_COMPARED = 3_000  # words on either side; of more, all between the first and the last difference are named
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\w+|[^\w\s]")
_KEYS = ("system", "document", "parts")


class UnfitPartsError(Exception):
    """A sentence: these parts are not a division of this text."""


@dataclass(frozen=True)
class Mended:
    """One part for each segment of the document, which may be empty; `system` may be a reference's name."""

    system: str
    document: str
    parts: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"system": self.system, "document": self.document, "parts": list(self.parts)}


def divided(text: str, parts: Sequence[str], segments: int) -> tuple[str, ...]:
    """The text, cut where the parts end: joined, the result is the text with its own blanks.

    Blanks in the parts do not count; those at a boundary stay with the part before it. Raises UnfitPartsError if the
    number of parts is not `segments`, or if words are missing or added.

    >>> divided("Eins. Zwei.  Drei.", ["Eins.", "", "Zwei.Drei."], 3)
    ('Eins. ', '', 'Zwei.  Drei.')
    """
    if len(parts) != segments:
        message = _("Parts: %(parts)d. Segments of the document: %(segments)d. Give one part for each segment.")
        raise UnfitPartsError(message % {"parts": len(parts), "segments": segments})
    signs = ["".join(part.split()) for part in parts]
    if "".join(signs) != "".join(text.split()):
        raise UnfitPartsError(_changed_words(text, " ".join(parts)))
    starts = [place for place, sign in enumerate(text) if not sign.isspace()]
    ends = [starts[count] if count < len(starts) else len(text) for count in accumulate(map(len, signs))]
    begins = next((index for index, sign in enumerate(signs) if sign), 0)
    ends[:begins] = [0] * begins  # blanks before the first word belong to its part
    return tuple(text[start:end] for start, end in zip([0, *ends], ends, strict=False))


def _changed_words(text: str, typed: str) -> str:
    missing, added = _differences(text, typed)
    sentences = [_("The parts must have the words of the text, no more and no fewer, in its order.")]
    for words, message in ((missing, _("Missing: %(words)s.")), (added, _("Added: %(words)s."))):
        if words:
            shown = [excerpt(" ".join(each.split()), WORDS_SHOWN) for each in words[:NAMED_WORDS]]
            named = ", ".join(f"“{each}”" for each in shown)
            sentences.append(message % {"words": named + (" …" if len(words) > NAMED_WORDS else "")})
    return " ".join(sentences)


def _differences(text: str, typed: str) -> tuple[list[str], list[str]]:
    """What only the text has, and what only the typed parts have, each run of words as one."""
    old, new = list(_WORD.finditer(text)), list(_WORD.finditer(typed))
    first = _common([word[0] for word in old], [word[0] for word in new])
    last = _common([word[0] for word in reversed(old[first:])], [word[0] for word in reversed(new[first:])])
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if max(len(old), len(new)) > MOST_COMPARED:
        spans = [(0, len(old), 0, len(new))]
    else:
        matcher = SequenceMatcher(None, [word[0] for word in old], [word[0] for word in new], autojunk=False)
        spans = [span for tag, *span in matcher.get_opcodes() if tag != "equal"]  # type: ignore[misc]
    missing = [text[old[start].start() : old[end - 1].end()] for start, end, _new, _end in spans if end > start]
    added = [typed[new[start].start() : new[end - 1].end()] for _old, _end, start, end in spans if end > start]
    return missing, added


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words both begin with."""
    shorter = min(len(first), len(second))
    return next((place for place in range(shorter) if first[place] != second[place]), shorter)


def moved(text: str, parts: Sequence[str], boundary: int, direction: str) -> list[str]:
    """With the boundary behind that part (from 0) moved by a sentence, as far as there is one.

    UP: the first sentence of the part behind it joins the part before it; DOWN: the last one before it goes behind it.

    >>> moved("Eins. Zwei. Drei.", ["Eins. Zwei. ", "Drei."], 0, "down")
    ['Eins. ', 'Zwei. Drei.']
    """
    try:
        changed = list(divided(text, parts, len(parts)))
    except UnfitPartsError:
        changed = list(parts)
    if not 0 <= boundary < len(changed) - 1:
        return changed
    above, below = changed[boundary : boundary + 2]
    if direction == UP:
        first, *rest = sentences(below)
        changed[boundary : boundary + 2] = [_joined(above, first), "".join(rest)]
    else:
        *rest, last = sentences(above)
        changed[boundary : boundary + 2] = ["".join(rest), _joined(last, below)]
    return changed


def _joined(first: str, second: str) -> str:
    is_apart = not first or not second or first[-1].isspace() or second[0].isspace()
    return f"{first}{'' if is_apart else ' '}{second}"


def read_mended(content: str) -> tuple[list[Mended], list[str]]:
    """A JSON list of {system, document, parts}, and a sentence for each thing that is wrong with it.

    Other keys, such as the sources beside which the parts were written, are ignored.
    """
    try:
        listed = json.loads(content)
    except (ValueError, RecursionError):
        return [], [_("This is not JSON. Write a list of objects with system, document and parts.")]
    if not isinstance(listed, list):
        return [], [_("This must be a list of objects with system, document and parts.")]
    mended: list[Mended] = []
    wrong: list[str] = []
    for number, each in enumerate(listed, start=1):
        if _is_mended(each):
            mended.append(Mended(each["system"].strip(), each["document"].strip(), tuple(each["parts"])))
        else:
            message = _("Object %(number)d: give system and document, both texts, and parts, a list of texts.")
            wrong.append(message % {"number": number})
    return mended, [*wrong, *doubled_sentences(mended)]


def _is_mended(value: object) -> bool:
    if not isinstance(value, dict) or not all(key in value for key in _KEYS):
        return False
    parts = value["parts"]
    names = (value["system"], value["document"])
    return (
        all(isinstance(name, str) and name.strip() for name in names)
        and isinstance(parts, list)
        and all(isinstance(part, str) for part in parts)
    )


def doubled_sentences(mended: Iterable[Mended]) -> Iterator[str]:
    seen: set[tuple[str, str]] = set()
    for each in mended:
        if (each.system, each.document) in seen:
            message = _("%(system)s, %(document)s occurs twice. Keep one of the two.")
            yield message % {"system": each.system, "document": each.document}
        seen.add((each.system, each.document))
