"""The line of the results page that filters judgments, with what else the page's address has to keep."""

from dataclasses import dataclass

from django.http import QueryDict
from django.utils.http import urlencode

from frontend.run_pages import PageRuns
from metrics.filters import FIELDS, OF_ERRORS
from metrics.recipes import WHERE


@dataclass(frozen=True)
class FilterLine:
    """`entered` is what the reader typed where it `is_wrong`; `others` are the page's other choices."""

    entered: str
    is_wrong: bool
    others: list[tuple[str, str]]
    fields: list[str]

    @property
    def query_without(self) -> str:
        return urlencode(self.others)


def filter_line(runs: PageRuns, query: QueryDict, drawing: list[tuple[str, str]]) -> FilterLine:
    """Fields of errors are offered where errors are marked."""
    shown = runs.recipe.where
    chosen = [(name, value) for name, value in QueryDict(runs.query).items() if name != WHERE]
    has_errors = "penalty" in runs.measures
    return FilterLine(
        entered=shown or query.get(WHERE, ""),
        is_wrong=bool(query.get(WHERE, "").strip()) and not shown,
        others=[(name, str(value)) for name, value in chosen] + drawing,
        fields=[*(name for name in FIELDS if has_errors or name not in OF_ERRORS), *runs.answered],
    )
