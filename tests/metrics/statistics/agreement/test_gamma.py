"""Gamma: alignments by hand and by trying all, and sixteen texts of WMT23 with the values of pygamma-agreement."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from metrics.statistics.agreement.gamma import Item, Unit, alignment_disorder, gamma_agreement
from tests.metrics.real_campaigns import expected_of

RNG = np.random.default_rng


def some(rng: np.random.Generator, most: int = 3) -> list[list[Unit]]:
    return [
        [
            (float(start), float(start + length), "xy"[kind])
            for start, length, kind in rng.integers((0, 1, 0), (30, 9, 2), size=(rng.integers(0, most), 3)).tolist()
        ]
        for _annotator in range(3)
    ]


def test_small_cases_by_hand() -> None:
    same: list[Unit] = [(0, 4, "x"), (9, 12, "y")]
    assert alignment_disorder([same, same]).value == 0
    assert alignment_disorder([[(0, 4, "x")], []]).value == 2, "one unit, half a unit an annotator"
    assert alignment_disorder([[(0, 4, "x")], [(0, 4, "y")]]).value == 1
    assert alignment_disorder([[(0, 4, "x")], [(2, 6, "x")]]).value == pytest.approx((4 / 8) ** 2)
    assert alignment_disorder([[(0, 4, "x"), (0, 4, "x")], [(0, 4, "x")]]).value == 0, "a unit counts once"


def test_the_alignment_is_the_best_of_all() -> None:
    rng = RNG(4)
    for _round in range(60):
        item = some(rng)
        if any(item):
            flat = [(owner, unit) for owner, own in enumerate(item) for unit in set(own)]
            best = min(_costs(flat)) / (len(flat) / 3)
            assert alignment_disorder(item).value == pytest.approx(best)


def _costs(flat: list[tuple[int, Unit]]) -> Iterator[float]:
    """Of every alignment: the first unit with all choices of others, and then the rest."""
    if not flat:
        yield 0.0
        return
    first, *rest = flat
    for size in range(3):
        for chosen in itertools.combinations(range(len(rest)), size):
            group = [first, *(rest[place] for place in chosen)]
            if len({owner for owner, _unit in group}) == len(group):
                left = [one for place, one in enumerate(rest) if place not in chosen]
                pairs = [_apart(one[1], other[1]) for one, other in itertools.combinations(group, 2)]
                cost = (sum(pairs) + 3 - len(pairs)) / 3
                yield from (cost + more for more in _costs(left))


def _apart(one: Unit, other: Unit) -> float:
    moved = abs(one[0] - other[0]) + abs(one[1] - other[1])
    return (moved / (one[1] - one[0] + other[1] - other[0])) ** 2 + (one[2] != other[2])


def test_over_eight_units_of_an_annotator_it_is_greedy_and_says_so() -> None:
    many: list[Unit] = [(9.0 * place, 9.0 * place + 5, "x") for place in range(9)]
    assert alignment_disorder([many[:8], many[:8]]).is_exact
    greedy = alignment_disorder([many, many])
    assert (greedy.value, greedy.is_exact) == (0, False)
    assert gamma_agreement([[many, many]], samples=5, rng=RNG(1)).greedy == 1


def test_same_marks_give_1_and_marks_at_random_about_0() -> None:
    rng = RNG(5)
    items: list[Item] = [some(rng, 4) for _item in range(60)]
    chance = gamma_agreement(items, samples=20, resamples=200, rng=RNG(6))
    assert abs(chance.value) < 0.15
    assert chance.interval.low < chance.value < chance.interval.high
    same: list[Item] = [[item[0]] * 3 for item in items]
    assert gamma_agreement(same, samples=5, rng=RNG(7)).value == 1
    assert chance.value == gamma_agreement(items, samples=20, resamples=200, rng=RNG(6)).value


def test_what_does_not_exist_says_why() -> None:
    assert gamma_agreement([], rng=RNG(1)).reason == "no_overlap"
    assert gamma_agreement([[[(0, 4, "x")]]], rng=RNG(1)).reason == "no_overlap"
    nothing = gamma_agreement([[[], []]], rng=RNG(1))
    assert (nothing.reason, nothing.items, np.isnan(nothing.value)) == ("nothing_marked", 0, True)
    assert gamma_agreement([[[(0, 4, "x")]] * 2] * 3, resamples=100, rng=RNG(1)).reason == "no_variation"
    with pytest.raises(ValueError, match="without length"):
        alignment_disorder([[(3, 3, "x")], []])


@pytest.mark.real_data
def test_texts_of_three_raters() -> None:
    """What is sampled differs by chance: 0.05, and more where disorder exceeds what is expected."""
    golden: list[dict[str, Any]] = expected_of("statistics2")["gamma"]["items"]
    items: list[Item] = [[[tuple(unit) for unit in own] for own in one["units"].values()] for one in golden]
    result = gamma_agreement(items, samples=300, rng=RNG(1))
    assert result.greedy == 0
    for one, observed, expected in zip(golden, result.observed_of, result.expected_of, strict=True):
        assert observed == pytest.approx(one["observed_disorder"], abs=1e-6)
        assert 1 - observed / expected == pytest.approx(one["gamma"], abs=0.05 * max(1, (1 - one["gamma"]) ** 2))
