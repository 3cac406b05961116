"""ROUGE: words, pairs of words, the longest common subsequence, in every script."""

from typing import Any

import pytest

from metrics.automatic import METRICS
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract


class TestRouge1(MetricContract):
    name = "rouge_1"


class TestRouge2(MetricContract):
    name = "rouge_2"


class TestRougeL(MetricContract):
    name = "rouge_l"


def test_papers_example_of_the_longest_common_subsequence() -> None:
    reference = "police killed the gunman"
    score = METRICS["rouge_l"]().score(["police kill the gunman", "the gunman kill police"], [reference] * 2)
    assert score.segments.tolist() == [0.75, 0.5]  # Lin 2004, section 3.1
    assert METRICS["rouge_2"]().score(["police kill the gunman"], [reference]).value == pytest.approx(1 / 3)


@pytest.mark.parametrize("text", ["Паром опоздал на час.", "霧が深い。", "बंदरगाह में कोहरा है।", "تأخرت العبارة"])
def test_texts_of_other_scripts_are_not_empty(text: str) -> None:
    for name in ("rouge_1", "rouge_2", "rouge_l"):
        assert METRICS[name]().score([text], [text]).value == 1


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "column"), [("rouge_1", "rouge1"), ("rouge_2", "rouge2"), ("rouge_l", "rougeL")])
@pytest.mark.parametrize("suffix", ["", ".two-references"])
def test_the_oracles_values_of_plain_ascii(name: str, column: str, suffix: str) -> None:
    metric: Any = METRICS[name]()
    assert oracles.difference(metric, f"rouge-rouge_score{suffix}", f"{column}.nostem.f") < 1e-12


@pytest.mark.real_data
def test_precision_and_recall_are_the_oracles_too() -> None:
    expected = {part: oracles.values("rouge-rouge_score", f"rougeL.nostem.{part}") for part in "prf"}
    pairs = [oracles.pairs()[key] for key in expected["p"]]
    counted = METRICS["rouge_l"]().statistics([each.hypothesis for each in pairs], [each.reference for each in pairs])
    for place, part in enumerate("prf"):
        assert counted[:, place].tolist() == pytest.approx(list(expected[part].values()), abs=1e-12)
