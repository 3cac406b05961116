"""The language of a text, by py3langid; nothing is said of short texts."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from annotation.beside.inline_codes import codes_in, without_markup

LEAST_SURE = 0.9  # of the language that was found
MOST_LEFT = 0.05  # of the expected one
LEAST_LETTERS = 25
LEAST_CHARACTERS = 10  # of scripts in which a character is a syllable or a word
MOST_READ = 1_000  # characters: more make it slower, and no surer

# Variants of one language, or ones that are told apart by few words only: none of them is "another language" of another
_ALIKE = (
    ("zh", "wuu", "yue"),
    ("ar", "ary", "arz"),
    ("no", "nb", "nn", "da"),
    ("hr", "bs", "sr", "sh"),
    ("id", "ms", "jv"),
    ("en", "pcm"),
    ("fa", "prs", "tg"),
    ("tl", "fil"),
    ("ku", "kmr", "ckb", "sdh"),
    ("qu", "quz"),
    ("uz", "uzs", "uzn"),
    ("lv", "lvs", "ltg"),
    ("gn", "gug"),
)
_OTHER_NAMES = {"nb": "no", "sh": "sr", "fil": "tl", "prs": "fa", "iw": "he", "in": "id", "kmr": "ku", "lvs": "lv"}
_NOTHING = frozenset({"zxx", "la"})  # "no linguistic content", and Latin, which lists of names look like
_WITHOUT_WORDS = re.compile(r"https?://\S+|www\.\S+|\S+@\S+|[@#]\w+")
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")


@dataclass(frozen=True)
class ToldLanguage:
    """`probability` of `name`, and of the language that was expected."""

    name: str
    probability: float
    expected: float


def base_language(tag: str) -> str:
    """Of "pt-BR" and "zh_Hant_TW" the first part, as the identifier calls it."""
    base = re.split(r"[-_]", tag.strip().lower())[0]
    return _OTHER_NAMES.get(base, base)


def are_alike(first: str, second: str) -> bool:
    return first == second or any(first in group and second in group for group in _ALIKE)


def words_of(text: str) -> str:
    """Without what has no language: addresses, names of accounts, placeholders, tags."""
    plain = _WITHOUT_WORDS.sub(" ", without_markup(text))
    for code in reversed(codes_in(plain)):
        plain = f"{plain[: code.start]} {plain[code.end :]}"
    return plain


def is_long_enough(words: str) -> bool:
    """Whether a language can be told."""
    dense = len(_DENSE.findall(words))
    return dense >= LEAST_CHARACTERS or sum(map(str.isalpha, words)) >= LEAST_LETTERS


def knows_language(tag: str) -> bool:
    base = base_language(tag)
    return any(are_alike(base, label) for label in _identifier().labels)


def other_language(text: str, expected: str) -> ToldLanguage | None:
    """The language of a text if it is surely not the expected one; None also where nothing can be told."""
    words = words_of(text)
    if not is_long_enough(words):
        return None
    ranked = _identifier().rank(words[:MOST_READ])
    name, probability = ranked[0]
    base = base_language(expected)
    if name in _NOTHING or are_alike(name, base):
        return None
    left = sum(share for label, share in ranked if are_alike(label, base))
    if probability < LEAST_SURE or left > MOST_LEFT:
        return None
    return ToldLanguage(name, probability, left)


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 - its model takes half a second to load

    # the function of the package gives no probabilities
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
