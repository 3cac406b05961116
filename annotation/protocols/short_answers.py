"""When two short answers are the same: the rule by which typed answers are graded (docs/protocols.md, gisting)."""

import unicodedata


def normal_form(text: str) -> str:
    """What is left of an answer when the way it was typed is put aside; empty when that is all there was.

    Compatibility forms, letter case, invisible signs and the script of digits make no difference, nor do white space
    and punctuation at the ends. Accents and word order do.

    >>> normal_form(" “100  Metres.” ") == normal_form("١٠٠ metres")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    seen = "".join(_digit(sign) for sign in folded if unicodedata.category(sign) != "Cf")
    words = " ".join(seen.split())
    first, last = 0, len(words)
    while first < last and _is_edge(words[first]):
        first += 1
    while last > first and _is_edge(words[last - 1]):
        last -= 1
    return words[first:last]


def _digit(sign: str) -> str:
    value = unicodedata.decimal(sign, None)
    return sign if value is None else str(value)


def _is_edge(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign).startswith("P")
