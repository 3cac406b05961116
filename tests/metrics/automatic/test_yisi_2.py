"""YiSi-2: translations against their sources, on real texts by the real model."""

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from metrics.automatic.yisi_2 import Yisi2
from tests.metrics.automatic.encoded_contract import EncodedContract
from tests.metrics.automatic.test_yisi_1 import OPTIONS
from tests.metrics.neural.light_model_files import expected, models_folder, wmt23

SETTINGS: dict[str, dict[str, Any]] = {
    "yisi_2": {},
    "yisi_2 ngram_size=3": {"ngram_size": 3},
    "yisi_2 weights=uniform": {"weights": "uniform"},
}


class TestYisi2(EncodedContract):
    name = "yisi_2"
    other_options: ClassVar[dict[str, Any]] = {**EncodedContract.other_options, **OPTIONS}
    not_learning: ClassVar[dict[str, Any]] = {"weights": "uniform"}

    def test_the_signature_names_the_number_of_references_and_a_version(self) -> None:
        """It has none, whatever it is compared with."""
        assert {self.metric.signature(count) for count in (1, 2, None)} == {self.metric.signature(0)}
        assert self.metric.signature(1).startswith("nrefs:0|")
        assert "version:" in self.metric.signature(1)


@pytest.mark.drawn(3)
@pytest.mark.real_data
@pytest.mark.parametrize("setting", SETTINGS)
def test_segments_and_systems_have_the_expected_values(setting: str, encoded_systems: Sequence[str]) -> None:
    case = expected()
    stored, means, tolerance = case["segments"], case["systems_mean"], case["tolerance"]["scores"]
    texts = wmt23(*encoded_systems)
    metric = Yisi2(models_folder=models_folder(), **SETTINGS[setting])
    for system in encoded_systems:
        scores = metric.score(texts.systems[system], texts.sources)
        assert scores.segments[:8] == pytest.approx(stored["values"][setting][system], abs=tolerance)
        assert scores.value == pytest.approx(means[setting][system], abs=tolerance)


def test_a_translation_is_nearer_to_its_source_than_another_text() -> None:
    source = ["Die Fähre fährt mittags ab."] * 2
    metric = Yisi2(models_folder=models_folder(), weights="uniform")
    own, other = metric.score(["The ferry leaves at noon.", "The committee rejected the budget."], source).segments
    assert own > other + 0.1
