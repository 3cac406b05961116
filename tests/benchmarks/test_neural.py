"""What the benchmark of neural metrics says of published scores is what was computed of them elsewhere."""

import pytest

from benchmarks import neural
from benchmarks._neural.wmt23 import read
from tests.metrics.neural.light_model_files import expected


@pytest.mark.real_data
@pytest.mark.parametrize("title", ["BLEURT-20", "COMET", "MetricX-23"])
def test_correlations_of_published_scores_are_the_expected_ones(title: str) -> None:
    stored = expected()["correlation_beside"][f"published {title}"]
    texts = read()
    found = neural._correlations(texts.published[title], texts)
    assert found == pytest.approx([stored[key] for key in neural.KEYS], abs=neural.TOLERANCE)


def test_a_light_metric_that_counts_of_strings_beat_is_named() -> None:
    good: dict[str, tuple[float, ...]] = dict.fromkeys(neural.TITLES, (0.1,) * 5)
    assert "bertscore does not beat chrf over segments" in neural._beaten(good)
    assert neural._beaten(good | {"bertscore": (0.2,) * 5, "yisi_1": (0.3,) * 5}) == []
