"""JSON lists, object by object: memory holds one of them, however long the file is."""

import re
from collections.abc import Iterator, Mapping
from io import StringIO
from itertools import islice
from typing import Any, TextIO

from django.utils.translation import gettext as _

from campaigns.reading.problems import text_error
from campaigns.reading.table_rows import LONGEST_ROW
from exchange.json_values import DEEPEST, JSONError, json_error, read_json
from exchange.reading import Line, SourceFile

_BLOCK = 1 << 16
_SIGNS = re.compile(r'[{}]|"(?:[^"\\]++|\\.)*+("?)', re.DOTALL)  # a whole text, or as much of it as there is


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


def lengths_of_lists(file: SourceFile) -> dict[str, int] | None:
    """How many objects each list of an object has, `{"a": [{}, {}]}`: {"a": 2}.

    None for anything else, and for what is wrong at any place: `objects_in_list` needs not look again.
    """
    outside = StringIO()
    scanner = _Scanner(level=2, outside=outside)
    with file.open_text(newline=None) as stream:
        while block := stream.read(_BLOCK):
            is_right = all(map(_is_right, scanner.objects(block)))
            if not is_right or max(len(scanner.pending), outside.tell()) > LONGEST_ROW:
                return None
    return None if scanner.depth or scanner.in_text else _lengths(outside.getvalue(), scanner.count)


def _is_right(text: str) -> bool:
    return _why_wrong(text) is None


def _why_wrong(text: str) -> str | None:
    """Why it cannot be stored, two levels below the top; None if it can."""
    if (error := text_error(text)) is not None:
        return error.rstrip(".")
    try:
        value = read_json(text)
    except JSONError as wrong:
        return wrong.reason
    is_deep = text.count("[") + text.count("{") > DEEPEST - 2
    return json_error(value, DEEPEST - 2) if is_deep else None


def first_wrong_object(file: SourceFile) -> tuple[int, str] | None:
    """Of all lists of an object, the first of their objects that cannot be read: its number from 1, and why."""
    scanner = _Scanner(level=2)
    with file.open_text(newline=None) as stream:
        while block := stream.read(_BLOCK):
            for text in scanner.objects(block):
                if reason := _why_wrong(text):
                    return scanner.count, reason
            if len(scanner.pending) > LONGEST_ROW:
                return scanner.count + 1, _("more than %(count)d characters") % {"count": LONGEST_ROW}
    return (scanner.count + 1, _("the file ends before it does")) if scanner.depth or scanner.in_text else None


def _lengths(outside: str, count: int) -> dict[str, int] | None:
    """`outside` has a `null` for each object; any other in a list was one in the file."""
    try:
        lists = read_json(outside) if text_error(outside) is None else None
    except JSONError:
        return None
    if not isinstance(lists, dict) or not all(isinstance(each, list) for each in lists.values()):
        return None
    is_right = all(one is None for each in lists.values() for one in each)
    lengths = {name: len(each) for name, each in lists.items()}
    return lengths if is_right and sum(lengths.values()) == count else None


def objects_in_list(file: SourceFile, lengths: Mapping[str, int], name: str) -> Iterator[dict[str, Any]]:
    """Those of one of the lists, whose lengths are known."""
    before = sum(lengths[each] for each in list(lengths)[: list(lengths).index(name)])
    scanner = _Scanner(level=2)
    with file.open_text(newline=None) as stream:
        blocks = iter(lambda: stream.read(_BLOCK), "")
        texts = (text for block in blocks for text in scanner.objects(block))
        yield from map(read_json, islice(texts, before, before + lengths[name]))


class _Scanner:
    """Finds where objects end, by brackets and quotation marks alone; `read_json` sees whether they are valid.

    Objects of level 1 are in none, those of level 2 in one. `outside` gets what is around them, with `null` for each.
    """

    def __init__(self, level: int = 1, outside: TextIO | None = None) -> None:
        self.level, self.outside = level, outside
        self.pending = ""
        self.depth = self.count = 0
        self.in_text = False
        self._at, self._start = 0, -1

    def objects(self, block: str) -> Iterator[str]:
        self.pending += block
        self.in_text = False
        left = 0  # what is before it is done with; cut off once, for a block may have ten thousand objects
        while match := _SIGNS.search(self.pending, self._at):
            if match[1] == "":
                self._at, self.in_text = match.start(), True  # the rest of the text is in the next block
                break
            self._at = match.end()
            if self._closes(match):
                self.count += 1
                self._leave(left, self._start, "null")
                yield self.pending[self._start : self._at]
                left, self._start = self._at, -1
        else:
            self._at = len(self.pending)
        if self._start < 0:
            self._leave(left, self._at)
            left = self._at
        else:
            self._start -= left
        self.pending, self._at = self.pending[left:], self._at - left

    def _leave(self, begin: int, end: int, instead: str = "") -> None:
        if self.outside is not None:
            self.outside.write(self.pending[begin:end] + instead)

    def _closes(self, match: re.Match[str]) -> bool:
        """Whether an object of the level ends here."""
        if match[0] == "{":
            self.depth += 1
            self._start = match.start() if self.depth == self.level else self._start
        elif match[0] == "}" and self.depth:
            self.depth -= 1
            return self.depth == self.level - 1
        return False
