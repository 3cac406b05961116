"""Every statistic is explained twice: in its docstring for who calls it, in docs/statistics.md for who reads it."""

import inspect
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest

from metrics import statistics
from metrics.analyses import ANALYSES
from metrics.recipes import OPTIONS, RECIPES

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "statistics.md").read_text()
HEADINGS = set(re.findall(r"^#+ (.+)$", PAGE, flags=re.MULTILINE))
SECTION_OF = dict(re.findall(r"^### (.+)\n((?:(?!^##).*\n)*)", PAGE, flags=re.MULTILINE))
FEWEST_WORDS = 20
SECTIONS = ("Shape:", "Unit and range:", "Missing data:", "Degenerate input:", "Method:", "Source:", "Example:")
# Parts of statistics, not statistics themselves; every other public function of the package is one.
NOT_STATISTICS = {"arrays", "resampling", "agreement.outcome", "mixed.blocks", "mixed.design", "ordinal.fit"}
NO_STATISTIC = {
    "ordered_alike",
    "outcome_pairs",
    "rated_cells",
    "pairs_within",
    "square_counts",
    "counts_by_group",
    "plain_label",
    "p_of_flips",
    "critical_t",
}
# Where a statistic's tests know a number that somebody else computed or published.
FOREIGN = re.compile(r"reference_values|real_campaigns|real_ratings|expected_of|scipy|sklearn|sacrebleu")
# Those that need no such number, and why.
FOLLOWS = {
    "annotator_imbalance": "equal to the spread of drawn severities",
    "active_seconds": "a sum, added by hand in its example",
    "coefficients_of_rows": "equal to pearson, spearman and kendall row by row",
    "compare_accuracies": "equal to swapping the outcomes of two metrics alone",
    "places_over_pairs": "a mean of shares, by hand in its example",
    "significance_groups": "cut by hand from a table of p",
    "relabelled": "equal to the mixed model of each exchange, and to least squares with the whole covariance",
    "stability_curve": "equal to drawing each part by itself",
    "words_per_hour": "a ratio of two sums, by hand in its example",
}


def statistics_of(module: ModuleType) -> dict[str, Callable[..., Any]]:
    return {
        name: function
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if not name.startswith("_") and name not in NO_STATISTIC and function.__module__ == module.__name__
    }


MODULES = [
    import_module(module_info.name)
    for module_info in walk_packages(statistics.__path__, "metrics.statistics.")
    if module_info.name.removeprefix("metrics.statistics.") not in NOT_STATISTICS
]
FUNCTIONS = {name: function for module in MODULES for name, function in statistics_of(module).items()}
TESTS = [path.read_text() for path in Path(__file__).parents[1].rglob("test_*.py") if path != Path(__file__)]


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_docstring_has_its_sections_in_order(name: str) -> None:
    text = inspect.getdoc(FUNCTIONS[name]) or ""
    places = [text.find(f"\n{section}") for section in SECTIONS]
    missing = [section for section, place in zip(SECTIONS, places, strict=True) if place < 0]
    assert not missing, f"The docstring of {name} lacks {', '.join(missing)}"
    assert places == sorted(places), f"The sections of {name} stand in another order than {', '.join(SECTIONS)}"
    assert ">>> " in text[places[-1] :], f"The example of {name} has no line that runs (>>>)"


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_statistic_has_types(name: str) -> None:
    signature = inspect.signature(FUNCTIONS[name])
    parts = {
        **{part.name: part.annotation for part in signature.parameters.values()},
        "its result": signature.return_annotation,
    }
    untyped = [part for part, annotation in parts.items() if annotation is inspect.Signature.empty]
    assert not untyped, f"{name} has no type for {', '.join(untyped)}"


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_statistic_is_compared_with_a_number_of_somebody_else(name: str) -> None:
    known = any(re.search(rf"\b{name}\b", text) and FOREIGN.search(text) for text in TESTS)
    assert known or name in FOLLOWS, (
        f"No test of {name} knows a number that we did not compute: put one with its source into reference_values.py, "
        "or say in FOLLOWS why there is none"
    )
    assert not (known and name in FOLLOWS), f"{name} has such a number now: take it out of FOLLOWS"


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_statistic_has_its_heading(name: str) -> None:
    assert name in HEADINGS, f"docs/statistics.md has no heading ### {name}"


@pytest.mark.parametrize("name", [*sorted(FUNCTIONS), *(f"Recipe {name}" for name in sorted(RECIPES))])
def test_a_section_says_where_it_comes_from_and_when_not_to_use_it(name: str) -> None:
    text = " ".join(SECTION_OF.get(name, "").split())
    assert text, f"docs/statistics.md has no text under a heading ### {name}"
    assert "Source:" in text, f"the section {name} of docs/statistics.md names no Source:"
    is_limited = re.search(r"[.:;?] (?:Not|Do not) ", text)
    assert is_limited, f"the section {name} of docs/statistics.md has no sentence that begins with Not or Do not"
    assert len(text.split()) >= FEWEST_WORDS, f"the section {name} of docs/statistics.md has under {FEWEST_WORDS} words"


@pytest.mark.parametrize("name", sorted(ANALYSES))
def test_an_analysis_has_its_heading(name: str) -> None:
    assert name in HEADINGS


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_a_recipe_has_its_heading(name: str) -> None:
    assert f"Recipe {name}" in HEADINGS


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_an_option_is_named(name: str) -> None:
    assert f"`--{name.replace('_', '-')}" in PAGE


def test_links_within_the_page_lead_somewhere() -> None:
    anchors = {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in HEADINGS}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors
