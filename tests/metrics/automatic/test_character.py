"""CharacTER: words shifted, characters edited."""

import pytest

from metrics.automatic.character import Character
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract


class TestCharacter(MetricContract):
    name = "character"


def test_a_shift_costs_the_mean_length_of_what_it_moves() -> None:
    # "on the mat" is further right than before: (2 + 3 + 3) / 3 by 22 characters
    result = Character().score(["on the mat sat the cat"], ["the cat sat on the mat"])
    assert result.value == pytest.approx(8 / 3 / 22)


def test_it_is_divided_by_the_translation_and_never_above_one() -> None:
    assert Character().score(["ab", "a b"], ["ad", "wholly different"]).segments.tolist() == [0.5, 1.0]


@pytest.mark.real_data
def test_the_oracles_values() -> None:
    both_empty = ("en056",)  # 1 by the authors' program, 0 by ours
    assert oracles.difference(Character(), "character-cer", "words") < 1e-12
    assert oracles.difference(Character(), "character-cer", "authors.words", without=both_empty) < 1e-12
