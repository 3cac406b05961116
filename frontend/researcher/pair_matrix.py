"""How far each two annotators agree, as a square of shaded cells, each leading to what they disagree on."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from metrics.analyses.shared_ratings import FewShared, PairAgreement, SharedPairs
from metrics.coefficient_names import CORRELATIONS
from metrics.results.tables import Text

SHADES = (0.1, 0.25, 0.4, 0.5, 0.65)  # from here on the next stronger blue
COEFFICIENTS: Mapping[str, Text] = {
    "kappa_quadratic": gettext_lazy("Quadratic-weighted kappa"),
    "kendall_b": CORRELATIONS["kendall_b"],
}


@dataclass(frozen=True)
class PairCell:
    """`value` is None where the two share too little; `n` is how much they share."""

    other: str
    value: float | None
    n: int
    address: str

    @property
    def shade(self) -> int:
        return 0 if self.value is None else bisect_right(SHADES, self.value)


@dataclass(frozen=True)
class PairMatrix:
    """`rows` are names and cells; None for annotators without shared items, and for an annotator's own place."""

    title: str
    coefficient: Text
    names: Sequence[str]
    rows: Sequence[tuple[str, Sequence[PairCell | None]]]
    n_all: int

    @property
    def is_cut_short(self) -> bool:
        return len(self.names) < self.n_all


def matrix_of(
    entry: SharedPairs, *, title: str, people: Mapping[str, str], address: Callable[[str, str], str]
) -> PairMatrix | None:
    """With many annotators those who share most; None where nobody shares items."""
    pairs: list[PairAgreement | FewShared] = [*entry.pairs, *entry.few_shared]
    if not pairs:
        return None
    chosen = entry.shown
    coefficient = coefficient_of(entry.pairs)
    cells = {}
    for pair in pairs:
        first, second = pair.annotators
        if first in chosen and second in chosen:
            value = getattr(pair, coefficient, None)
            for own, other in ((first, second), (second, first)):
                shown = value if isinstance(value, float) else None
                cells[own, other] = PairCell(people.get(other, other), shown, pair.n, address(first, second))
    return PairMatrix(
        title=title,
        coefficient=COEFFICIENTS[coefficient] if entry.pairs else "",
        names=[people.get(name, name) for name in chosen],
        rows=[(people.get(name, name), [cells.get((name, other)) for other in chosen]) for name in chosen],
        n_all=len(entry.shared) if entry.sharing is None else entry.sharing,
    )


def coefficient_of(pairs: Sequence[PairAgreement]) -> str:
    """The fitting statistic: kappa that weighs distances, or the order alone where a scale has no end."""
    return "kappa_quadratic" if any(isinstance(pair.kappa_quadratic, float) for pair in pairs) else "kendall_b"
