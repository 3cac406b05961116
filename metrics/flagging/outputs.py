"""The flags of a segment's outputs: what each has that an organiser should look at, beside its source and the others.

A flag says "look here", not "this is wrong": numbers are written out, short outputs may be good ones.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from statistics import median

from annotation.beside.inline_codes import codes_in, lost_codes, without_markup
from metrics.flagging.languages import ToldLanguage, are_alike, base_language, is_long_enough, words_of
from metrics.flagging.numbers import different_numbers

VERSION = 1  # raised when the same texts get other flags

OTHER_LANGUAGE, UNTRANSLATED, COPIED = "other_language", "untranslated", "copied"
NUMBERS, CODES, EMPTY, CUT = "numbers", "codes", "empty", "cut"
FLAGS = (EMPTY, OTHER_LANGUAGE, UNTRANSLATED, COPIED, CUT, NUMBERS, CODES)

NEARLY_EQUAL = 0.9  # of the words, in their order
LEAST_COPIED = 120  # letters; two systems often write the same short sentence
LEAST_COPIED_DENSE = 45  # where a character is a syllable or a word
SHORT = 0.5  # of the length that is expected
LEAST_EXPECTED = 60  # letters: "Yes, of course." may be "Ja."
LEAST_EXPECTED_DENSE = 25
LEAST_OTHERS = 2  # outputs whose median is the expected length
MOST_LISTED = 20  # numbers, codes or systems of one flag

_DENSE_LANGUAGES = frozenset({"ja", "zh", "ko", "th", "lo", "km", "my", "yue", "wuu"})
_WITHOUT_FULL_STOP = frozenset({"th", "lo", "km", "my"})
_ENDS = frozenset(".!?…。！？．؟۔।॥։။」』")  # quotes end Japanese sentences without a full stop
_AFTER_THE_END = re.compile(r"[\s\"'”“„’‘»«›‹)\]}）】*_~]+$")
_NOT_A_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class SegmentTexts:
    """A source and its outputs, by the keys of their systems; a source may be unknown."""

    source: str | None
    outputs: Mapping[int, str]


@dataclass(frozen=True)
class Flag:
    """What exactly it is. `share` is a probability, a similarity or a part of the expected length, from 0 to 1."""

    name: str
    expected: str = ""
    found: str = ""
    share: float | None = None
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    systems: tuple[int, ...] = ()


@dataclass(frozen=True)
class FlagRules:
    """What depends on the languages. `told` says which other language a text is in; None where it cannot be told."""

    source_language: str
    target_language: str
    told: Callable[[str], ToldLanguage | None] | None
    usual_length: float = 1.0  # of an output, in lengths of its source
    _is_dense: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_is_dense", base_language(self.target_language) in _DENSE_LANGUAGES)

    @property
    def least_copied(self) -> int:
        return LEAST_COPIED_DENSE if self._is_dense else LEAST_COPIED

    @property
    def least_expected(self) -> int:
        return LEAST_EXPECTED_DENSE if self._is_dense else LEAST_EXPECTED

    @property
    def is_translated(self) -> bool:
        """Not from one variant of a language into another."""
        return not are_alike(base_language(self.source_language), base_language(self.target_language))

    @property
    def ends_with_a_mark(self) -> bool:
        return base_language(self.target_language) not in _WITHOUT_FULL_STOP


def usual_length(lengths: Iterable[tuple[int, int]]) -> float:
    """The median length of an output, in lengths of its source; 1 without any. Takes the length of each and its own."""
    ratios = [output / source for source, output in lengths if source and output]
    return median(ratios) if ratios else 1.0


def flags_of(segment: SegmentTexts, rules: FlagRules) -> Iterator[tuple[int, Flag]]:
    """Each with the key of its system. An empty output has no other flag."""
    whole = {key: text for key, text in segment.outputs.items() if without_markup(text).strip()}
    if segment.source is None or without_markup(segment.source).strip():
        yield from ((key, Flag(EMPTY)) for key in segment.outputs if key not in whole)
    untranslated = _untranslated(segment.source, whole, rules)
    yield from untranslated.items()
    yield from _in_other_language(whole, rules, untranslated)
    yield from _copied(whole, rules)
    yield from _cut(segment.source, whole, rules)
    if segment.source is not None:
        for key, text in whole.items():
            yield from ((key, flag) for flag in _different_parts(segment.source, text))


def _untranslated(source: str | None, outputs: Mapping[int, str], rules: FlagRules) -> dict[int, Flag]:
    """None where most systems leave the text as it is: a list of names, for example."""
    if source is None or not rules.is_translated or not is_long_enough(words_of(source)):
        return {}
    words = _words(words_of(source))
    alike = {key: share for key, text in outputs.items() if (share := _similarity(words, text)) >= NEARLY_EQUAL}
    if len(outputs) > LEAST_OTHERS and 2 * len(alike) > len(outputs):
        return {}
    return {key: Flag(UNTRANSLATED, share=share) for key, share in alike.items()}


def _similarity(words: Sequence[str], text: str) -> float:
    own = _words(words_of(text))
    matcher = SequenceMatcher(None, words, own, autojunk=False)
    if not words or matcher.real_quick_ratio() < NEARLY_EQUAL or matcher.quick_ratio() < NEARLY_EQUAL:
        return 0.0
    return matcher.ratio()


def _words(text: str) -> list[str]:
    """In scripts without spaces, characters."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    pieces = [piece for piece in _NOT_A_WORD.split(normal) if piece]
    return [part for piece in pieces for part in ([piece] if piece[0] < "\u0e00" else piece)]


def _in_other_language(
    outputs: Mapping[int, str], rules: FlagRules, untranslated: Mapping[int, Flag]
) -> Iterator[tuple[int, Flag]]:
    """What is untranslated is in the language of its source anyway."""
    if rules.told is None:
        return
    for key, text in outputs.items():
        told = None if key in untranslated else rules.told(text)
        if told is not None:
            yield key, Flag(OTHER_LANGUAGE, rules.target_language, told.name, told.probability)


def _copied(outputs: Mapping[int, str], rules: FlagRules) -> Iterator[tuple[int, Flag]]:
    same: dict[str, list[int]] = defaultdict(list)
    for key, text in outputs.items():
        plain = " ".join(without_markup(text).split())
        if sum(map(str.isalnum, plain)) >= rules.least_copied:
            same[plain].append(key)
    for keys in same.values():
        for key in keys if len(keys) > 1 else ():
            yield key, Flag(COPIED, systems=tuple(other for other in keys if other != key)[:MOST_LISTED])


def _cut(source: str | None, outputs: Mapping[int, str], rules: FlagRules) -> Iterator[tuple[int, Flag]]:
    """Much shorter, or without an end where source and most of the others have one."""
    lengths = {key: len(text.strip()) for key, text in outputs.items()}
    ended = {key for key, text in outputs.items() if has_end(text)}
    wants_end = rules.ends_with_a_mark and source is not None and has_end(source) and 2 * len(ended) > len(outputs)
    for key, length in lengths.items():
        others = [other for name, other in lengths.items() if name != key]
        expected = _expected_length(source, others, rules)
        share = min(length / expected, 1.0) if expected else 1.0
        if share < SHORT and expected >= rules.least_expected:
            yield key, Flag(CUT, found="short", share=share)
        elif wants_end and key not in ended and expected >= rules.least_expected:
            yield key, Flag(CUT, found="end", share=share)


def _expected_length(source: str | None, others: Sequence[int], rules: FlagRules) -> float:
    if len(others) >= LEAST_OTHERS:
        return float(median(others))
    return len(source.strip()) * rules.usual_length if source else 0.0


def has_end(text: str) -> bool:
    """Whether a sentence ends there: a full stop or the like, maybe before quotes and brackets."""
    plain = _AFTER_THE_END.sub("", without_markup(text))
    return plain[-1:] in _ENDS


def _different_parts(source: str, output: str) -> Iterator[Flag]:
    missing, added = different_numbers(source, output)
    if missing or added:
        yield Flag(NUMBERS, missing=missing[:MOST_LISTED], added=added[:MOST_LISTED])
    missing, added = tuple(lost_codes(source, output)), tuple(_added_codes(source, output))
    if missing or added:
        yield Flag(CODES, missing=missing[:MOST_LISTED], added=added[:MOST_LISTED])


def _added_codes(source: str, output: str) -> list[str]:
    """Of kinds that the source has at all: one that an output has more often."""
    return lost_codes(output, source) if codes_in(output) else []
