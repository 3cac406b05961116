"""What is wrong with a file: gathered whole, kept to a bound, and said with place and remedy."""

from dataclasses import dataclass, field

KEPT = 1_000
EXCERPT = 80


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
        said = f"{place}: {self.message}" if place else self.message
        return said + (f" ({self.value})" if self.value else "")


@dataclass
class Problems:
    """Collects problems, and counts the lines they stand in. A fatal one cannot be mended by leaving rows out."""

    kept: list[Problem] = field(default_factory=list)
    count: int = 0
    fatal: int = 0
    lines: int = 0
    notes: list[str] = field(default_factory=list)
    _last: tuple[str, int | None] = ("", None)

    def add(
        self, file: str, line: int | None, column: str, message: str, value: str = "", *, is_fatal: bool = False
    ) -> None:
        self.count += 1
        self.fatal += is_fatal
        if line is not None and (file, line) != self._last:
            self.lines += 1
            self._last = (file, line)
        if len(self.kept) < KEPT:
            self.kept.append(Problem(file, line, column, message, excerpt(value)))

    def note(self, text: str) -> None:
        if text not in self.notes and len(self.notes) < KEPT:
            self.notes.append(text)


class UnreadableFileError(Exception):
    """Reading cannot go on; the reason is among the problems already."""


def excerpt(value: str, length: int = EXCERPT) -> str:
    """A short, printable piece of a value; bytes that were no text are shown as such."""
    shown = value.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    shown = "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in shown)
    return shown if len(shown) <= length else f"{shown[: length - 1]}…"
