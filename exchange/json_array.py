"""A JSON list, object by object: memory holds one of them, however long the file is."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaigns.reading.problems import text_error
from campaigns.reading.table_rows import LONGEST_ROW
from exchange.json_values import JSONError, read_json
from exchange.reading import Line, SourceFile

_BLOCK = 1 << 16
_SIGNS = re.compile(r'["\\{}]')


def objects_of_list(file: SourceFile) -> Iterator[tuple[Line, Mapping[str, Any]]]:
    """Each object of a list, or the only one of a file, with its number from 1 as the line of its problems."""
    number = 0
    for number, text in enumerate(_texts(file), start=1):
        line = file.line(number)
        try:
            value = read_json(text) if (error := text_error(text)) is None else None
        except JSONError as wrong:
            file.refuse(_("This JSON cannot be stored: %(reason)s.") % {"reason": wrong.reason}, number)
        if error is not None:
            line.refuse("", error)
        elif isinstance(value, dict):
            yield line, value
    if not number:
        file.refuse(_("The file has no JSON objects. It must be a list of them."))


def _texts(file: SourceFile) -> Iterator[str]:
    """The text of each outermost object; what is between them may only be the list and its commas."""
    scanner = _Scanner()
    with file.open_text(newline=None) as stream:
        while block := stream.read(_BLOCK):
            yield from scanner.objects(block)
            if len(scanner.pending) > LONGEST_ROW:
                message = _("An object is too long to be read: more than %(count)d characters.")
                file.refuse(message % {"count": LONGEST_ROW})
    if scanner.depth or scanner.in_text:
        message = _("The JSON ends in the middle of an object. Export or copy the file again.")
        file.refuse(message, scanner.count + 1)


class _Scanner:
    """Finds where objects end, by brackets and quotation marks alone; `read_json` sees whether they are valid."""

    def __init__(self) -> None:
        self.pending = ""
        self.depth = self.count = 0
        self.in_text = False
        self._at, self._start = 0, -1

    def objects(self, block: str) -> Iterator[str]:
        self.pending += block
        while match := _SIGNS.search(self.pending, self._at):
            self._at = match.end()
            if match[0] == "\\" and self.in_text:
                if self._at == len(self.pending):
                    self._at -= 1  # what it stands before is in the next block
                    break
                self._at += 1
            elif match[0] == '"':
                self.in_text = not self.in_text
            elif not self.in_text and self._closes(match):
                self.count += 1
                yield self.pending[self._start : self._at]
                self.pending, self._at, self._start = self.pending[self._at :], 0, -1
        else:
            self._at = len(self.pending)
        if self._start < 0:
            self.pending, self._at = self.pending[self._at :], 0

    def _closes(self, match: re.Match[str]) -> bool:
        """Whether an outermost object ends here."""
        if match[0] == "{":
            self._start = match.start() if self.depth == 0 else self._start
            self.depth += 1
        elif match[0] == "}" and self.depth:
            self.depth -= 1
            return self.depth == 0
        return False
