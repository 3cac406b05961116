"""Expected marks: where an error is, as ranges for its start and its end, and whether an answer has marked it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class ExpectedMark:
    """`start` and `end` are the lowest and highest right places, in code points of the text shown, ends half-open.

    An empty `severity` fits any. With a `tag` the error has no place: the tag must be given, and the ranges are void.
    """

    start: tuple[int, int] = (0, 0)
    end: tuple[int, int] = (0, 0)
    severity: str = ""
    tag: str = ""

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        return cls(
            _bounds(record.get("start", 0)), _bounds(record.get("end", 0)), record.get("severity", "") or "",
            record.get("tag", "") or "",
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        about = {"severity": self.severity} if self.severity else {}
        return {"tag": self.tag, **about} if self.tag else {"start": [*self.start], "end": [*self.end], **about}

    def is_in(self, values: Mapping[str, Any]) -> bool:
        """Whether the answer for one text, as a protocol of marks and tags has checked it, contains it."""
        if self.tag:
            return any(each.get("tag") == self.tag and self._fits(each) for each in _list(values, "tags"))
        return any(
            each.get("side", "target") == "target"
            and self.start[0] <= each["start"] <= self.start[1]
            and self.end[0] <= each["end"] <= self.end[1]
            and self._fits(each)
            for each in _list(values, "spans")
        )

    def _fits(self, marked: Mapping[str, Any]) -> bool:
        return not self.severity or marked.get("severity") == self.severity


def _bounds(value: Any) -> tuple[int, int]:
    """A number stands for itself alone."""
    low, high = value if isinstance(value, Sequence) else (value, value)
    return int(low), int(high)


def _list(values: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    listed = values.get(name)
    return listed if isinstance(listed, (list, tuple)) else ()
