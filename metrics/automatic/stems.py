"""Words cut back to stems by the algorithms of Snowball, so that "approves" and "approved" can meet."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import version

import snowballstemmer

NO_STEMS = "none"
_CACHED_WORDS = 100_000
# By language tag. Porter's algorithms for English and Dutch are chosen by name.
ALGORITHMS: Mapping[str, str] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
KNOWN = frozenset(snowballstemmer.algorithms())


def stemmer(algorithm: str) -> Callable[[str], str]:
    """What stems words in small letters, remembering them. Not for several threads at once.

    >>> [stemmer("porter")(word) for word in ("approves", "approved", "ferries", "is")]
    ['approv', 'approv', 'ferri', 'is']
    >>> stemmer("german")("häfen") == stemmer("german")("hafen")
    True
    """
    stem: Callable[[str], str] = snowballstemmer.stemmer(algorithm).stemWord
    if algorithm == "porter":
        # As in Porter's own program, which METEOR and nltk follow; the paper's rules alone make "i" of "is".
        return lru_cache(_CACHED_WORDS)(lambda word: stem(word) if len(word) > 2 else word)
    return lru_cache(_CACHED_WORDS)(stem)


def signed(algorithm: str) -> str:
    """The algorithm as a signature has it."""
    return algorithm if algorithm == NO_STEMS else f"{algorithm}-{version('snowballstemmer')}"
