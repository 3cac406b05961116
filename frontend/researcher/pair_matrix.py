"""How far each two annotators agree, as a square of shaded cells, each leading to what they disagree on."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontend.researcher.agreement_words import COEFFICIENTS, Words
from metrics.analyses.run_kind import sharing, who_share_most

SHADES = (0.1, 0.25, 0.4, 0.5, 0.65)  # from here on the next stronger blue


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
    """`rows` hold name and cells; None is where nothing is shared, or the annotator's own place."""

    measure: str
    title: str
    coefficient: Words
    names: Sequence[str]
    rows: Sequence[tuple[str, Sequence[PairCell | None]]]
    n_all: int

    @property
    def is_cut_short(self) -> bool:
        return len(self.names) < self.n_all


def matrix_of(
    entry: Mapping[str, Any],
    *,
    measure: str,
    title: str,
    people: Mapping[str, str],
    address: Callable[[str, str], str],
) -> PairMatrix | None:
    """`entry` has `pairs` and `few_shared`. With many annotators those who share most; None where nobody shares."""
    pairs = entry["pairs"]
    shared = sharing(entry)
    if not shared:
        return None
    chosen = who_share_most(shared)
    coefficient = coefficient_of(pairs)
    cells = {}
    for pair in _among(chosen, entry):
        first, second = pair["annotators"]
        for own, other in ((first, second), (second, first)):
            link = address(first, second)
            cells[own, other] = PairCell(people.get(other, other), pair.get(coefficient), pair["n"], link)
    return PairMatrix(
        measure=measure,
        title=title,
        coefficient=COEFFICIENTS[coefficient] if pairs else "",
        names=[people.get(name, name) for name in chosen],
        rows=[(people.get(name, name), [cells.get((name, other)) for other in chosen]) for name in chosen],
        n_all=entry.get("sharing", len(shared)),
    )


def _among(names: Sequence[str], entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Of many annotators most pairs have no cell."""
    shown = set(names)
    return [pair for pair in (*entry["pairs"], *entry.get("few_shared", [])) if shown.issuperset(pair["annotators"])]


def coefficient_of(pairs: Sequence[Mapping[str, Any]]) -> str:
    """What fits: kappa that knows how far apart two points are, or the order alone where a scale has no end."""
    return "kappa_quadratic" if any(pair["kappa_quadratic"] is not None for pair in pairs) else "kendall_b"
