"""Texts in CSV cells, so that no spreadsheet runs one as a formula, and every text comes back as it was.

A text that begins like a formula gets an apostrophe in front, and so does one that would look as if it had got one.
The empty text is a lone apostrophe where an empty cell means that there is no text.
"""

import re

# = + - @ with their full-width forms, and the characters a spreadsheet skips before it looks for them
_RISKY = re.compile(r"'*(?:[=+\-@\t\r\n＝＋－＠]|$)")


def make_safe(text: str) -> str:
    return f"'{text}" if _RISKY.match(text) else text


def restore(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _RISKY.match(cell) else cell


def safe_name(name: str) -> str:
    """A name cannot be missing, so that an empty one may stay an empty cell."""
    return make_safe(name) if name else name


def safe_text(text: str | None) -> str:
    return "" if text is None else make_safe(text)


def restored_text(cell: str) -> str | None:
    return None if cell == "" else restore(cell)
