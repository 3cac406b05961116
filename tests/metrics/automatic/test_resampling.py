"""Resamples are sacreBLEU's: the same draw, the same coins, the same p."""

from collections.abc import Sequence

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.significance import PairedTest, Result

from metrics.automatic import METRICS
from metrics.automatic.resampling import Draw, interval_of, randomised_p, shares_and_p
from tests.metrics.automatic.mixed_scripts import mixed_pairs

FIRST, REFERENCES = mixed_pairs(120, seed=21)
SECOND = [text if at % 4 else REFERENCES[at][0] for at, text in enumerate(FIRST)]
THEIRS = {"bleu": BLEU, "chrf": CHRF}


@pytest.mark.parametrize("name", THEIRS)
def test_p_values_are_those_of_sacrebleu(name: str) -> None:
    metric = METRICS[name]()
    first, second = (metric.statistics(texts, REFERENCES) for texts in (FIRST, SECOND))
    draw = Draw(len(FIRST), resamples=200)
    first_theirs, second_theirs = by_sacrebleu(name, "bs")
    drawn = [metric.values(draw.sums(counts)) for counts in (first, second)]
    assert shares_and_p(metric, first, second, drawn[0], drawn[1]).p == pytest.approx(second_theirs.p_value)
    swapped = [draw.sums_of_swapped(counts) for counts in (first, second)]
    randomised = randomised_p(metric, first, second, swapped[0], swapped[1])
    assert randomised == pytest.approx(by_sacrebleu(name, "ar")[1].p_value)
    assert drawn[0].mean() == pytest.approx(first_theirs.mean, abs=1e-4)  # it sums in half our digits
    low, high = interval_of(drawn[0])
    assert (high - low) / 2 == pytest.approx(first_theirs.ci, abs=1e-4)


def by_sacrebleu(name: str, kind: str) -> list[Result]:
    """What sacreBLEU says of both, the first being the baseline."""
    named: list[tuple[str, Sequence[str]]] = [("first", FIRST), ("second", SECOND)]
    streams = [[texts[0] for texts in REFERENCES]]
    test = PairedTest(named, {name: THEIRS[name]()}, streams, test_type=kind, n_samples=200)
    columns = test()[1]
    return [
        result
        for column, cells in columns.items()
        if column != "System"
        for result in cells
        if isinstance(result, Result)
    ]


def test_the_share_is_how_often_the_first_is_better_whatever_better_is() -> None:
    for name, better in (("bleu", SECOND), ("ter", SECOND)):
        metric = METRICS[name]()
        counts = [metric.statistics(texts[:40], REFERENCES[:40]) for texts in (better, FIRST)]
        draw = Draw(40, resamples=100)
        drawn = [metric.values(draw.sums(each)) for each in counts]
        assert shares_and_p(metric, counts[0], counts[1], drawn[0], drawn[1]).share > 0.9


def test_equal_systems_do_not_differ() -> None:
    metric = METRICS["bleu"]()
    counts = metric.statistics(FIRST, REFERENCES)
    draw = Draw(len(FIRST), resamples=50)
    drawn, swapped = metric.values(draw.sums(counts)), draw.sums_of_swapped(counts)
    result = shares_and_p(metric, counts, counts, drawn, drawn)
    assert (result.difference, result.share) == (0, 0)
    assert randomised_p(metric, counts, counts, swapped, swapped) == pytest.approx(1 / 51)


def test_the_ends_are_what_is_left_without_a_fortieth_on_each_side() -> None:
    assert interval_of(np.arange(40.0)[::-1]) == (1, 38)
    assert interval_of(np.arange(39.0)) == (0, 38)
