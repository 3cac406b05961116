"""Results as text for a terminal, also where there is little to say."""

from dataclasses import replace
from typing import Any

import numpy as np

from exchange.tables.terminal import as_text
from metrics.analyses import Evidence, analyse_evidence
from metrics.recipes import Recipe, recipe_for
from tests.metrics.analyses.sample_tables import Rows, simulated


def said(evidence: Evidence, *names: str) -> str:
    result: dict[str, Any] = {"name": "Harbour", "judgments": 3, "signature": "signed"}
    return as_text(result | {"analyses": analyse_evidence(evidence, names)})


def quick(protocol: str, **more: Any) -> Recipe:
    return replace(recipe_for(protocol), interval_resamples=20, resamples=20, **more)


def test_preferences_that_nobody_shares_are_said_without_a_number() -> None:
    rows = Rows().add("ana", "x", "s0", 1).add("ana", "y", "s0", 2)
    table = rows.table("rank", judgments=["j", "j"], higher_is_better=False)
    table = replace(table, is_relative=True, is_own=np.ones(2, dtype=np.bool_))
    assert "preferences: inter κ - (0 of 0)" in said(Evidence((table,), quick("ranking")), "agreement")


def test_an_exclusion_is_said_before_and_after() -> None:
    table = simulated({"best": 12.0, "poor": -14.0}).table()
    recipe = quick("direct_assessment", without=("annotator0",))
    evidence = Evidence((table,), recipe, excluded=frozenset({"annotator0"}), standing=frozenset())
    text = said(evidence, "exclusion")
    assert "without annotator0" in text
    assert "best" in text
    assert "alpha" in text
