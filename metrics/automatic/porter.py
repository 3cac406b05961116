"""English words cut back to stems (Porter 1980), so that "approves" and "approved" can meet."""

from functools import lru_cache
from itertools import pairwise

_VOWELS = frozenset("aeiou")
_SECOND = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
)  # fmt: skip
_THIRD = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
_FOURTH = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


@lru_cache(100_000)
def stem(word: str) -> str:
    """The stem of a word in small letters; other words than English ones come back as the rules happen to leave them.

    >>> [stem(word) for word in ("approves", "approved", "ferries", "hopping", "relational", "sky")]
    ['approv', 'approv', 'ferri', 'hop', 'relat', 'sky']
    """
    if len(word) <= 2:
        return word
    for step in (_plurals, _past, _final_y, _second, _third, _fourth, _final_e):
        word = step(word)
    return word


def _is_consonant(word: str, at: int) -> bool:
    if word[at] == "y":
        return at == 0 or not _is_consonant(word, at - 1)
    return word[at] not in _VOWELS


def _measure(part: str) -> int:
    """How often a consonant follows a vowel."""
    kinds = [_is_consonant(part, at) for at in range(len(part))]
    return sum(1 for before, after in pairwise(kinds) if after and not before)


def _has_vowel(part: str) -> bool:
    return any(not _is_consonant(part, at) for at in range(len(part)))


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant, of which the last is not w, x or y."""
    if len(word) < 3:
        return False
    kinds = [_is_consonant(word, len(word) - back) for back in (3, 2, 1)]
    return kinds == [True, False, True] and word[-1] not in "wxy"


def _plurals(word: str) -> str:
    for ending, instead in (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")):
        if word.endswith(ending):
            return word.removesuffix(ending) + instead
    return word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        part = word.removesuffix(ending)
        if part != word and _has_vowel(part):
            return _mended(part)
    return word


def _mended(part: str) -> str:
    if part.endswith(("at", "bl", "iz")):
        return part + "e"
    if _ends_double(part) and part[-1] not in "lsz":
        return part[:-1]
    return part + "e" if _measure(part) == 1 and _ends_short(part) else part


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _has_vowel(word[:-1]) else word


def _second(word: str) -> str:
    return _replaced(word, _SECOND)


def _third(word: str) -> str:
    return _replaced(word, _THIRD)


def _replaced(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    """By the longest ending that fits, if anything like a word is before it."""
    fitting = [rule for rule in rules if word.endswith(rule[0])]
    if not fitting:
        return word
    ending, instead = max(fitting, key=lambda rule: len(rule[0]))
    part = word.removesuffix(ending)
    return part + instead if _measure(part) > 0 else word


def _fourth(word: str) -> str:
    fitting = [ending for ending in _FOURTH if word.endswith(ending)]
    if not fitting:
        return word
    ending = max(fitting, key=len)
    part = word.removesuffix(ending)
    if _measure(part) <= 1 or (ending == "ion" and not part.endswith(("s", "t"))):
        return word
    return part


def _final_e(word: str) -> str:
    if word.endswith("e"):
        part = word[:-1]
        if _measure(part) > 1 or (_measure(part) == 1 and not _ends_short(part)):
            word = part
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
