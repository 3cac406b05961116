"""The ranking says which difference it could have shown, where it shows none."""

from dataclasses import replace

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.recipes import RECIPES
from tests.metrics.analyses.as_json import ranking
from tests.metrics.analyses.sample_tables import Rows, simulated

RAW = replace(RECIPES["assay"], normalisation="none")


def test_where_nothing_differs_the_ranking_says_what_could_have_shown() -> None:
    """Thrice the scatter would have shown only thrice the difference; where something differs nothing is said."""
    rng = np.random.default_rng(5)
    noise = rng.normal(size=(2, 40))

    def detectable(scatter: float) -> float:
        rows = Rows()
        for document in range(40):
            for at in range(2):
                value = 50 + scatter * noise[at, document]
                rows.add("ana", f"s{at}", f"seg{document}", value, document=f"d{document}")
        return float(ranking(Evidence((rows.table(),), RAW))["detectable"]["score"])

    error = float(np.std(noise[0] - noise[1], ddof=1)) / 40**0.5
    assert detectable(1.0) == pytest.approx(2.874 * error, rel=0.02), "t of 39: 2.023 + 0.851"
    assert detectable(3.0) == pytest.approx(3 * detectable(1.0))
    assert "detectable" not in ranking(Evidence((simulated({"best": 12.0, "poor": -14.0}).table(),), RAW))
