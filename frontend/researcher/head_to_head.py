"""How often each system is better than each other one, as cells of a square."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from frontend.researcher.sorting import Sorted, SortKey, column_keys, nothing_asked
from metrics.analyses.ranking import PairTest
from metrics.results.codec import to_json
from metrics.results.values import Missing

Row = tuple[str, "list[PairCell | None]"]


@dataclass(frozen=True)
class PairCell:
    """How often the row's system is better than the column's, in percent; `shade` is the design's scale of -2 to +2."""

    other: str
    percent: int | None
    shade: str
    is_significant: bool


@dataclass(frozen=True)
class HeadToHead:
    """`tests` of one measure as the analysis `ranking` gives them; `names` in rank order."""

    names: Sequence[str]
    tests: Sequence[PairTest]
    query: QueryDict = field(default_factory=nothing_asked)

    COLUMNS = ("first", "second", "measure", "share", "shared", "p", "p_corrected", "first_beats_second")

    def __bool__(self) -> bool:
        return any(not isinstance(test.share, Missing) for test in self.tests)

    @property
    def rows(self) -> list[Row]:
        tests = {(test.first, test.second): test for test in self.tests}
        return [(row, [_cell(row, other, tests) for other in self.names]) for row in self.names]

    @cached_property
    def sorted(self) -> Sorted[Row]:
        """By how often each is better than one of them; columns stay in rank order."""
        keys: dict[str, SortKey[Row]] = {"system": SortKey(_("System"), lambda row: row[0].casefold())}
        keys |= column_keys(self.names, _percent)
        return Sorted(self.rows, keys, self.query, table="pairs")

    def csv_rows(self) -> Iterator[list[Any]]:
        for test in self.tests:
            share, p, corrected = (to_json(number) for number in (test.share, test.p, test.p_corrected))
            yield [test.first, test.second, test.measure, share, test.shared, p, corrected, test.is_win]


def _percent(row: Row, place: int) -> int | None:
    cell = row[1][place]
    return None if cell is None else cell.percent


def _cell(row: str, other: str, tests: Mapping[tuple[str, str], PairTest]) -> PairCell | None:
    if row == other:
        return None
    test, turned = tests.get((row, other)), False
    if test is None:
        test, turned = tests.get((other, row)), True
    if test is None or isinstance(test.share, Missing):
        return PairCell(other, None, "0", is_significant=False)
    share = 1 - test.share if turned else test.share
    return PairCell(other, round(100 * share), _shade(share), is_significant=test.is_win)


def _shade(share: float) -> str:
    distance = abs(share - 0.5)
    if distance < 0.03:
        return "0"
    sign = "+" if share > 0.5 else "-"
    return f"{sign}{2 if distance >= 0.12 else 1}"
