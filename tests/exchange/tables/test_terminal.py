"""Results as text for a terminal, also with few results."""

from dataclasses import replace
from typing import Any

import numpy as np

from exchange.tables.terminal import as_text
from metrics.analyses.evidence import Evidence
from metrics.analyses.post_editing import PostEditedSystem, PostEditing
from metrics.recipes import Recipe, recipe_for
from metrics.results.codec import to_json
from tests.metrics.analyses.as_json import analyse_evidence
from tests.metrics.analyses.sample_tables import Rows, simulated


def printed(evidence: Evidence, *names: str) -> str:
    result: dict[str, Any] = {"name": "Harbour", "judgments": 3, "signature": "signed"}
    return as_text(result | {"analyses": analyse_evidence(evidence, names)})


def quick(protocol: str, **more: Any) -> Recipe:
    return replace(recipe_for(protocol), interval_resamples=20, resamples=20, **more)


def test_preferences_that_nobody_shares_are_printed_without_a_number() -> None:
    rows = Rows().add("ana", "x", "s0", 1).add("ana", "y", "s0", 2)
    table = rows.table("rank", judgments=["j", "j"], higher_is_better=False)
    table = replace(table, is_relative=True, is_own=np.ones(2, dtype=np.bool_))
    lines = printed(Evidence((table,), quick("ranking")), "agreement").split("\n")
    assert [line.split()[:5] for line in lines if "inter" in line] == [["rank", "inter", "-", "-", "0"]]
    assert "n/a: nothing was judged by two annotators" in "".join(lines)


def test_an_exclusion_is_printed_before_and_after() -> None:
    table = simulated({"best": 12.0, "poor": -14.0}).table()
    recipe = quick("direct_assessment", without=("annotator0",))
    evidence = Evidence((table,), recipe, excluded=frozenset({"annotator0"}))
    text = printed(evidence, "exclusion")
    assert "without annotator0" in text
    assert "best" in text
    assert "alpha" in text


def test_post_editing_is_printed_in_the_units_of_its_names() -> None:
    one = PostEditedSystem("Heron", 0.25, 0.25, 0.2, 600.0, (500.0, 700.0), 7200.0, 0.0, 1200.0, 0.5, 9)
    result: dict[str, Any] = {"name": "Harbour", "judgments": 9, "signature": "signed"}
    head, row = (
        as_text(result | {"analyses": {"post_editing": to_json(PostEditing((one,)))}}).split("\n\n")[1].split("\n")
    )
    cells = dict(zip(head.split(), row.split(), strict=True))
    assert (cells["seconds"], cells["words_per_hour"], cells["hter"]) == ("7200.0", "600", "0.250")
