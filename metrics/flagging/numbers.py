"""Numbers of a source that an output lacks, and those that it adds, however each language writes them."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from annotation.beside.inline_codes import codes_in, without_markup

WRITTEN_OUT = 12  # numbers up to here are written in letters as often as in digits
_HOURS = 12

_NUMBER = re.compile(r"\d+(?:[.,٫٬'’]\d+|[ \u00a0\u202f]\d{3}(?!\d))*")
_ADDRESS = re.compile(r"https?://\S+|www\.\S+|\S+@\S+\.\S+|(?<!\w)[@#]\w+")
_POWERS = {"千": 3, "万": 4, "萬": 4, "億": 8, "亿": 8, "兆": 12, "만": 4, "억": 8, "조": 12, "천": 3}
_SCALES = re.compile(
    r"\s*(?:k\b|m\b|bn\b|tsd|tys|tis\b|тыс|thousand|tausend|mill?|mio|mrd|mln|mld|mds|bill?|trill?|million|милл?|млн|млрд"
    r"|мил|hundred|hundert|lakh|crore|लाख|करोड़|हज़ार|ألف|مليون|مليار|ملايين|百|千|万|萬|億|亿|兆|만|억|조|천|백)",
    re.IGNORECASE,
)
_SEVERAL_SCALES = re.compile(f"\\d+[{''.join(_POWERS)}]\\d+[{''.join(_POWERS)}]?(?:\\d+[{''.join(_POWERS)}]?)*")
_IN_WORDS = re.compile("[〇零一二三四五六七八九十百千万億亿兆两兩]+")
_DIGITS = {each: place for place, each in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_TENS = {"十": 10, "百": 100, "千": 1_000}
_MYRIADS = {"万": 10_000, "億": 10**8, "亿": 10**8, "兆": 10**12}


@dataclass(frozen=True)
class Number:
    """`text` as it is written; `digits` without separators; a scale is "million" or 万 after it."""

    text: str
    digits: str
    groups: tuple[str, ...]
    has_scale: bool

    @property
    def loose(self) -> str:
        """1,500,000 and 1.5 million have the same."""
        return self.digits.rstrip("0")

    @property
    def is_written_out(self) -> bool:
        return len(self.groups) == 1 and int(self.digits) <= WRITTEN_OUT


class Numbers:
    """Those of one text, with all they may be compared by."""

    def __init__(self, text: str) -> None:
        self.text = _plain(text)
        self.all = [_number(each, self.text) for each in _NUMBER.finditer(self.text)]

    @cached_property
    def keys(self) -> frozenset[str]:
        keys = {each.digits for each in self.all} | {group for each in self.all for group in each.groups}
        keys |= {each.groups[0] for each in self.all if set("".join(each.groups[1:])) <= {"0"}}  # 2.0 is 2
        keys |= {
            one.digits + other.groups[0] for one, other in zip(self.all, self.all[1:], strict=False)
        }  # 10.30 beside 10:30
        return frozenset(keys | self._in_words)

    @cached_property
    def _in_words(self) -> set[str]:
        return {str(_value(each)) for each in _IN_WORDS.findall(self.text)}

    @cached_property
    def loose_of_all(self) -> frozenset[str]:
        return frozenset(each.loose for each in self.all)

    @cached_property
    def loose_of_scaled(self) -> frozenset[str]:
        return frozenset(each.loose for each in self.all if each.has_scale)

    def has(self, number: Number) -> bool:
        if number.digits in self.keys or set(number.groups) <= self.keys:
            return True
        if set("".join(number.groups[1:])) <= {"0"} and number.groups[0] in self.keys:
            return True
        return number.loose in (self.loose_of_all if number.has_scale else self.loose_of_scaled)


def different_numbers(source: str, output: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Missing and added ones as they are written, each once. Small whole numbers may be written in letters."""
    wanted, existing = numbers_of(source), Numbers(output)
    missing = [each.text for each in wanted.all if not each.is_written_out and not existing.has(each)]
    added = [each.text for each in existing.all if not _is_expected(each, wanted)]
    return tuple(dict.fromkeys(missing)), tuple(dict.fromkeys(added))


def _is_expected(number: Number, source: Numbers) -> bool:
    if number.is_written_out or source.has(number):
        return True
    value = int(number.digits)
    return _HOURS < value <= 2 * _HOURS and str(value - _HOURS) in source.keys  # 3 p.m. is 15


@lru_cache(maxsize=4_096)
def numbers_of(source: str) -> Numbers:
    return Numbers(source)


def _plain(text: str) -> str:
    """Without addresses and codes; every script's digits as 0 to 9."""
    plain = without_markup(text)
    for code in reversed(codes_in(plain)):
        plain = f"{plain[: code.start]} {plain[code.end :]}"
    plain = _ADDRESS.sub(" ", plain)
    if plain.isascii():
        return plain
    return _SEVERAL_SCALES.sub(_sum, re.sub(r"\d", lambda found: str(int(found[0])), plain))


def _sum(found: "re.Match[str]") -> str:
    """1億2000万 is one number."""
    parts = re.findall(r"(\d+)(\D?)", found[0])
    return str(sum(int(digits) * 10 ** _POWERS.get(power, 0) for digits, power in parts))


def _number(found: "re.Match[str]", text: str) -> Number:
    groups = tuple(group.lstrip("0") or "0" for group in re.findall(r"\d+", found[0]))
    digits = "".join(re.findall(r"\d+", found[0])).lstrip("0") or "0"
    return Number(found[0], digits, groups, _SCALES.match(text, found.end()) is not None)


def _value(written: str) -> int:
    """Of a number in Chinese characters; of a row of digits, as years are written, what they say."""
    if not set(written) & ({*_TENS, *_MYRIADS}):
        return int("".join(str(_DIGITS[each]) for each in written))
    total = section = digit = 0
    for each in written:
        if each in _DIGITS:
            digit = _DIGITS[each]
        elif each in _TENS:
            section += (digit or 1) * _TENS[each]
            digit = 0
        else:
            total += ((section + digit) or 1) * _MYRIADS[each]
            section = digit = 0
    return total + section + digit
