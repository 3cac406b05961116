"""Expected marks: where an error is, as ranges for its start and its end, and whether an answer has marked it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

OMISSION = "missing"  # the tag that an empty mark, between two characters, stands for
_WORDS = ("severity", "tag", "category", "note")


@dataclass(frozen=True)
class ExpectedMark:
    """`start` and `end` are the lowest and highest right places, in code points of the text shown, ends half-open.

    An empty `severity` fits any; so does an empty `category`, and a category fits those below it. With a `tag` the
    error has no place: the tag must be given (or an omission be marked, anywhere), and the ranges are void. `note` is
    for who is told about it.
    """

    start: tuple[int, int] = (0, 0)
    end: tuple[int, int] = (0, 0)
    severity: str = ""
    tag: str = ""
    category: str = ""
    note: str = ""

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        words = {name: record.get(name, "") or "" for name in _WORDS}
        return cls(_bounds(record.get("start", 0)), _bounds(record.get("end", 0)), **words)

    def as_json(self) -> dict[str, Any]:
        about = {name: word for name in _WORDS if (word := getattr(self, name))}
        return about if self.tag else {"start": [*self.start], "end": [*self.end], **about}

    def is_in(self, values: Mapping[str, Any]) -> bool:
        """Whether the answer for one text, as a protocol of marks and tags has checked it, contains it."""
        return any(self.is_placed(each) and self.fits(each) for each in marks_in(values))

    def is_placed(self, marked: Mapping[str, Any]) -> bool:
        """Whether a mark, or a tag, is where it should be."""
        if self.tag or "tag" in marked:
            is_omission = "tag" not in marked and marked["start"] == marked["end"]
            return self.tag == (OMISSION if is_omission else marked.get("tag"))
        start, end = marked["start"], marked["end"]
        return bool(self.start[0] <= start <= self.start[1] and self.end[0] <= end <= self.end[1])

    def touches(self, marked: Mapping[str, Any]) -> bool:
        """Whether a mark has at least a part of what should be marked."""
        if self.tag or "tag" in marked:
            return False
        return bool(marked["start"] < self.end[1] and self.start[0] < marked["end"])

    def fits(self, marked: Mapping[str, Any]) -> bool:
        """Whether severity and category are right."""
        category = marked.get("category") or ""
        is_category = not self.category or f"{category}/".startswith(f"{self.category}/")
        return is_category and (not self.severity or marked.get("severity") == self.severity)


def marks_in(values: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The marks in a translation, and its tags; marks in the source are not asked about."""
    spans = [each for each in _list(values, "spans") if each.get("side", "target") == "target"]
    return [*spans, *_list(values, "tags")]


def _bounds(value: Any) -> tuple[int, int]:
    """A number stands for itself alone."""
    low, high = value if isinstance(value, Sequence) else (value, value)
    return int(low), int(high)


def _list(values: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    listed = values.get(name)
    return listed if isinstance(listed, (list, tuple)) else ()
