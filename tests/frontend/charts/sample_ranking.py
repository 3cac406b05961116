"""Rankings of a few systems, as charts take them."""

from itertools import combinations

from annotation.protocols.base import Measure
from frontend.charts.figure import Figure
from metrics.analyses.ranked_systems import PairTest, RankedSystem
from metrics.analyses.ranking import RankedMeasures
from metrics.results.values import Ends, Missing, Number

SCORE = Measure("score", "Score", "points", 0, 100, higher_is_better=True)
PENALTY = Measure("score", "Penalty", "points", 0, float("inf"), higher_is_better=False)
NOTHING = Missing("open_scale")


def rows_of(figure: Figure) -> list[list[str]]:
    assert figure.table is not None
    return [[cell.text for cell in row.cells] for row in figure.table.rows]


def system(
    name: str, mean: Number, histogram: tuple[int, ...] | Missing = NOTHING, ends: Ends = NOTHING
) -> RankedSystem:
    return RankedSystem(name, "score", 3, 3, mean, NOTHING, NOTHING, NOTHING, (1, 1), 1, 0, 0, histogram, ends)


def ranked(*systems: RankedSystem, wins: frozenset[tuple[str, str]] = frozenset()) -> RankedMeasures:
    """Each pair differs by its means, give or take one."""
    tests = []
    for one, other in combinations(systems, 2):
        if isinstance(one.mean, Missing) or isinstance(other.mean, Missing):
            continue
        gap, is_win = one.mean - other.mean, (one.system, other.system) in wins
        pair = one.system, other.system
        tests.append(PairTest(*pair, "score", 0.01, 0.02, 0.6, 9, is_win, gap, (gap - 1, gap + 1)))
    return RankedMeasures(systems=systems, tests=tuple(tests), ordered_by={}, without_z=(), notes=())
