"""The errors in a file: all problems, up to a limit, each with its place and what to do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import ngettext

MOST_LISTED = 1_000
EXCERPT = 80
COLUMN = 200
SENTENCE = 4_000
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NOT_UTF_8 = re.compile("[\udc80-\udcff]+")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]")
_LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Problem:
    """`line` is the physical line (None: the file as a whole); `column` the name of the column, key or attribute."""

    file: str
    line: int | None
    column: str
    message: str
    value: str = ""

    def __str__(self) -> str:
        line = "" if self.line is None else f"line {self.line}"
        place = ", ".join(part for part in (self.file, line, self.column) if part)
        sentence = f"{place}: {self.message}" if place else self.message
        return sentence + (f" ({self.value})" if self.value else "")


@dataclass
class Problems:
    """Collects problems and counts their lines. A fatal one cannot be solved by skipping rows.

    `pairs` are the language pairs of a file that has several.
    """

    listed: list[Problem] = field(default_factory=list)
    count: int = 0
    fatal: int = 0
    lines: int = 0
    notes: list[str] = field(default_factory=list)
    pairs: list[str] = field(default_factory=list)
    _last: tuple[str, int | None] = ("", None)

    def add(
        self, file: str, line: int | None, column: str, message: str, value: str = "", *, is_fatal: bool = False
    ) -> None:
        self.count += 1
        self.fatal += is_fatal
        if line is not None and (file, line) != self._last:
            self.lines += 1
            self._last = (file, line)
        if len(self.listed) < MOST_LISTED:
            place = (storable(file), line, storable(column, COLUMN))
            self.listed.append(Problem(*place, storable(message), excerpt(value)))

    def add_all(self, others: "Problems") -> None:
        for each in others.listed:
            self.add(each.file, each.line, each.column, each.message, each.value)

    @property
    def in_order(self) -> list[Problem]:
        return sorted(self.listed, key=lambda problem: (problem.file, problem.line or 0))

    def sentences(self) -> Iterator[str]:
        """Everything that is wrong, by file and line."""
        yield from map(str, self.in_order)
        if hidden := self.count - len(self.listed):
            message = ngettext("… and %(count)d more problem.", "… and %(count)d more problems.", hidden)
            yield message % {"count": hidden}

    def note(self, text: str) -> None:
        text = storable(text)
        if len(self.notes) < MOST_LISTED and text not in self.notes:
            self.notes.append(text)


class UnreadableFileError(Exception):
    """Reading cannot go on; the reason is among the problems already."""


def storable(text: str, length: int = SENTENCE) -> str:
    """A message with names from a file, in a form that can be stored with the findings."""
    shown = _UNSTORABLE.sub(lambda match: _printable(match[0]), text[: length + 1])
    return shown if len(shown) <= length else f"{shown[: length - 1]}…"


def excerpt(value: str, length: int = EXCERPT) -> str:
    """A short, printable piece of a value; bytes that were no text are shown as such."""
    shown = "".join(map(_printable, value[: length + 1]))
    return shown if len(shown) <= length else f"{shown[: length - 1]}…"


def _printable(sign: str) -> str:
    if sign.isprintable():
        return sign
    code = ord(sign)
    return f"\\x{code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code:02x}"


def text_error(text: str) -> str | None:
    """The error in a text, or None."""
    bad = _NOT_UTF_8.search(text)
    if bad:
        at = len(text[: bad.start()].encode("utf-8", "surrogatepass")) + 1
        return f"Not UTF-8 at byte {at} of this value. Save the file as UTF-8."
    if _LONE.search(text):
        return "Half of a character (a lone surrogate). Correct the text."
    control = _CONTROLS.search(text)
    if control:
        return f"Control character U+{ord(control.group()):04X} at character {control.start() + 1}. Remove it."
    return None
