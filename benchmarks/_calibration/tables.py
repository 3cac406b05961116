"""The tables of docs/statistics.md: each figure in percent with its Monte-Carlo interval."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from metrics.calibration.outcomes import (
    CAMPAIGN_RATE,
    COVERAGES,
    DECIDING,
    INCOMPLETE,
    NO_COUNTS,
    RATE,
    RECIPE_NAMES,
    Counts,
)
from metrics.calibration.worlds import DESIGNS, WORLDS
from metrics.recipes import RECIPES

Cells = Mapping[tuple[str, str, str], Counts]  # by world, design and recipe
WORLD_NAMES = {"esa": "Noise of ESA", "da": "Noise of DA by a crowd", "mqm": "Noise of MQM"}
COVERAGE_NAMES = {
    "mean": "mean, these annotators",
    "mean_any_annotators": "mean, any such annotators",
    "difference": "difference",
}


def calibration_tables(parts: Iterable[Mapping[str, Any]]) -> str:
    """One a world, with the recipes that were tried: rates, then coverage of intervals."""
    cells = _added_up(parts)
    return "\n\n".join(_of_world(cells, world) for world in WORLDS if any(key[0] == world for key in cells))


def _added_up(parts: Iterable[Mapping[str, Any]]) -> Cells:
    cells: dict[tuple[str, str, str], Counts] = defaultdict(lambda: NO_COUNTS)
    for part in parts:
        counts = Counts(part["campaigns"], part["sums"], part["squares"])
        cells[part["world"], part["design"], part["recipe"]] += counts
    return cells


def cells_of_page(parts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the page Results says of a recipe: each figure with its interval, as `metrics/analyses/calibrated.py` reads.

    Means are those for the population that the page names, differences those of the mixed model, which pairs have.
    """
    cells = _added_up(parts)
    rows = []
    for (world, design, recipe), counts in sorted(cells.items()):
        if recipe not in DECIDING:
            continue
        mean = "mean_any_annotators" if recipe == INCOMPLETE else "mean"
        model = cells.get((world, design, INCOMPLETE), NO_COUNTS)
        figures = {
            "rate": _rounded(counts, RATE),
            "mean": _rounded(counts, mean),
            "difference": _rounded(model, "difference"),
        }
        names = {"noise": world, "design": design, "recipe": recipe}
        rows.append({**names, "campaigns": counts.campaigns, "figures": figures})
    return rows


def _rounded(counts: Counts, figure: str) -> list[float]:
    interval = counts.interval(figure)
    return [round(one, 4) for one in (counts.share(figure), interval.low, interval.high)]


def _of_world(cells: Cells, world: str) -> str:
    recipes = [name for name in RECIPE_NAMES if any((world, design, name) in cells for design in DESIGNS)]
    lines = [f"**{WORLD_NAMES[world]}**", "", f"| recipe | {' | '.join(DESIGNS)} |", f"|---|{'---|' * len(DESIGNS)}"]
    for name in recipes:
        row = [_rates(cells.get((world, design, name), NO_COUNTS)) for design in DESIGNS]
        lines.append(f"| `{name}` {_campaigns(cells, world, name)} | {' | '.join(row)} |")
    shown: list[str] = []
    for name in recipes:
        is_like_another = name not in ("assay-raw", "incomplete")  # their intervals are the same bootstrap
        if is_like_another:
            continue
        for figure in COVERAGES:
            row = [_percent(cells.get((world, design, name), NO_COUNTS), figure) for design in DESIGNS]
            shown.append(f"| `{name}`, {COVERAGE_NAMES[figure]} | {' | '.join(row)} |")
    head = [f"| coverage of 95 % | {' | '.join(DESIGNS)} |", f"|---|{'---|' * len(DESIGNS)}"]
    return "\n".join([*lines, "", *head, *shown])


def _campaigns(cells: Cells, world: str, name: str) -> str:
    numbers = [cells[world, design, name].campaigns for design in DESIGNS if (world, design, name) in cells]
    some = f"{min(numbers):,}" if min(numbers) == max(numbers) else f"{min(numbers):,} to {max(numbers):,}"
    is_one_sided = name in RECIPES and RECIPES[name].one_sided
    return f"({some} campaigns{', one-sided: 10 nominal' if is_one_sided else ''})"


def _rates(counts: Counts) -> str:
    if not counts.campaigns:
        return "–"
    return f"{_percent(counts, RATE)}; {_percent(counts, CAMPAIGN_RATE)}"


def _percent(counts: Counts, figure: str) -> str:
    """With the ends of the interval, as 5.1 (4.8–5.4)."""
    if not counts.campaigns:
        return "–"
    interval = counts.interval(figure)
    return f"{100 * counts.share(figure):.1f} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"
