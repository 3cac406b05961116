"""The rules of attention checks: what an answer must be like to pass. Pure; only the server knows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from annotation.protocols.expected_marks import ExpectedMark

Cells = Mapping[tuple[int, str], Mapping[str, Any]]  # answers by row, from 0, and by system


@dataclass(frozen=True, kw_only=True)
class CheckRule:
    """What is expected of the answer on one output; what is None or empty is not asked.

    `row` counts the segments of the document from 0. `score` is the lowest and the highest right one; the score must be
    `above` (strictly) that of another system in the same row; all of `marks` must be there.
    """

    row: int
    system: str
    score: tuple[float, float] | None = None
    above: str = ""
    marks: tuple[ExpectedMark, ...] = ()

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        score = record.get("score")
        return cls(
            row=record["row"],
            system=record["system"],
            score=None if score is None else (score[0], score[1]),
            above=record.get("above", ""),
            marks=tuple(map(ExpectedMark.from_json, record.get("marks", ()))),
        )

    def as_json(self) -> dict[str, Any]:
        written: dict[str, Any] = {"row": self.row, "system": self.system}
        if self.score is not None:
            written["score"] = [*self.score]
        if self.above:
            written["above"] = self.above
        return written | ({"marks": [mark.as_json() for mark in self.marks]} if self.marks else {})

    def is_met(self, cells: Cells) -> bool:
        """An output that was not judged meets nothing."""
        values = cells.get((self.row, self.system))
        if values is None:
            return False
        score = _score(values)
        if self.score is not None and not (score is not None and self.score[0] <= score <= self.score[1]):
            return False
        if self.above and not self._is_above(score, cells):
            return False
        return all(mark.is_in(values) for mark in self.marks)

    def _is_above(self, score: float | None, cells: Cells) -> bool:
        other = _score(cells.get((self.row, self.above), {}))
        return score is not None and other is not None and score > other


def _score(values: Mapping[str, Any]) -> float | None:
    score = values.get("score")
    return score if isinstance(score, int | float) and not isinstance(score, bool) else None


def unmet(rules: Sequence[CheckRule], cells: Cells) -> list[int]:
    """The rules that the answers do not meet, by their place; empty where the check is passed."""
    return [place for place, rule in enumerate(rules) if not rule.is_met(cells)]
