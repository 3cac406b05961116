"""A part of a page that a benchmark writes, between two comments; the rest of the page is people's."""

from itertools import chain
from pathlib import Path
from textwrap import wrap

WIDTH = 120


class PageError(Exception):
    """The page lacks the place that was to be written; what is said names both."""


def write_part(path: Path, part: str, text: str) -> None:
    path.write_text(with_part(path.read_text(encoding="utf-8"), part, text, page=path.name), encoding="utf-8")


def with_part(page_text: str, part: str, text: str, *, page: str = "the page") -> str:
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    before, _, rest = page_text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_end or begin in after or end in after:
        raise PageError(f"{page} must have one line {begin!r} and, after it, one line {end!r}.")
    return f"{before}{begin}\n\n{_wrapped(text.strip())}\n\n{end}{after}"


def _wrapped(text: str) -> str:
    """As prose of the docs is; a row of a table is one line."""
    lines = (
        [line]
        if line.startswith("|") or len(line) <= WIDTH
        else wrap(line, WIDTH, subsequent_indent="  " if line.startswith("- ") else "", break_long_words=False)
        for line in text.split("\n")
    )
    return "\n".join(chain.from_iterable(lines))
