"""WER: the words one would have to change."""

from typing import Any, ClassVar

import pytest

from metrics.automatic.wer import Wer
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract
from tests.metrics.automatic.test_bleu import NSA


class TestWer(MetricContract):
    name = "wer"
    other_options: ClassVar[dict[str, Any]] = {"lowercase": True}


def test_the_textbooks_example_changes_three_of_ten_words() -> None:
    result = Wer().score([NSA[0]], [NSA[1]])
    assert result.parts == {"edits": 3, "reference_words": 10}
    assert result.value == pytest.approx(0.30)


def test_the_nearest_reference_counts() -> None:
    assert Wer().score(["a b c"], [["x y z w", "a b d"]]).value == pytest.approx(1 / 3)


@pytest.mark.real_data
def test_the_oracles_values() -> None:
    # jiwer splits at the plain blank alone, and has 7 for seven words against none
    assert oracles.difference(Wer(), "wer-jiwer", "wer", without=("xx023", "xx040", "en055")) < 1e-12
