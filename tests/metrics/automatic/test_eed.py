"""EED: a distance that may jump."""

from typing import Any, ClassVar

import pytest

from metrics.automatic.eed import Eed
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract


class TestEed(MetricContract):
    name = "eed"
    other_options: ClassVar[dict[str, Any]] = {
        "alpha": 1.0,
        "rho": 0.1,
        "deletion": 0.5,
        "insertion": 0.5,
        "preparation": "ja",
    }


def test_another_preparation_is_refused() -> None:
    with pytest.raises(ValueError, match="en or ja"):
        Eed(preparation="de")


@pytest.mark.real_data
def test_the_oracles_values() -> None:
    assert oracles.difference(Eed(), "eed", "torchmetrics.en") < 1e-12
    assert oracles.values("eed", "authors-python.en") == oracles.values("eed", "torchmetrics.en")
    assert oracles.difference(Eed(), "eed.two-references", "torchmetrics.en") < 1e-12
    assert oracles.difference(Eed(preparation="ja"), "eed", "torchmetrics.ja") < 1e-12
