"""Words in both texts, whatever their order."""

from typing import Any, ClassVar

import pytest

from metrics.automatic.unigram_f import UnigramF
from tests.metrics.automatic.contract import MetricContract


class TestUnigramF(MetricContract):
    name = "unigram_f"
    other_options: ClassVar[dict[str, Any]] = {"lowercase": True}


def test_the_textbooks_example() -> None:
    parts = (
        UnigramF()
        .score(
            ["Israeli officials responsibility of airport safety"],
            ["Israeli officials are responsible for airport security"],
        )
        .parts
    )
    assert (parts["matches"], parts["words"], parts["reference_words"]) == (3, 6, 7)
    assert parts["precision"] == pytest.approx(0.50)
    assert parts["recall"] == pytest.approx(0.43, abs=0.005)
    assert parts["f"] == pytest.approx(0.46, abs=0.005)


def test_a_word_counts_as_often_as_in_the_rarer_text() -> None:
    result = UnigramF().score(["the the the the the the the"], ["the cat is on the mat"])
    assert result.parts["matches"] == 2
    assert result.value == pytest.approx(0.3076923076923077)  # worked out by hand, row 4 of the matchings of MMS
