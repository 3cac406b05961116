"""Every statistic is explained twice: in its docstring for who calls it, in docs/statistics.md for who reads it."""

import inspect
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
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
# Plumbing of the statistics, no statistic.
NOT_STATISTICS = {"arrays", "resampling"}


def functions_of(module: ModuleType) -> dict[str, Callable[..., Any]]:
    home = module.__name__
    return {
        name: function
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if not name.startswith("_") and function.__module__.startswith(home)
    }


MODULES = [
    import_module(f"metrics.statistics.{found.name}")
    for found in iter_modules(statistics.__path__)
    if found.name not in NOT_STATISTICS
]
FUNCTIONS = {name: function for module in MODULES for name, function in functions_of(module).items()}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_docstring_has_its_sections_in_order(name: str) -> None:
    text = inspect.getdoc(FUNCTIONS[name]) or ""
    places = [text.find(f"\n{section}\n") for section in SECTIONS]
    assert -1 not in places, f"missing: {[s for s, at in zip(SECTIONS, places, strict=True) if at < 0]}"
    assert places == sorted(places)
    assert ">>> " in text[places[-1] :]


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_statistic_has_its_heading(name: str) -> None:
    assert name in HEADINGS


@pytest.mark.parametrize("name", [*sorted(FUNCTIONS), *(f"Recipe {name}" for name in sorted(RECIPES))])
def test_a_section_says_where_it_comes_from_and_when_not_to_use_it(name: str) -> None:
    text = " ".join(SECTION_OF[name].split())
    assert "Source:" in text
    assert re.search(r"[.:;?] (?:Not|Do not) ", text), "a sentence that begins with Not"
    assert len(text.split()) >= FEWEST_WORDS


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
