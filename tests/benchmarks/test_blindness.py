"""The adversary that looks for control items: it finds what is given away, and, in a small campaign, little else."""

import random

import numpy as np
import pytest

from benchmarks._blindness.adversary import area_under_curve, look_for_controls
from benchmarks._blindness.campaigns import watched_campaigns
from benchmarks._blindness.served_items import ServedItem
from tests.cast import Cast


def test_the_area_is_the_share_of_pairs_in_order() -> None:
    suspicion = np.array([0.9, 0.4, 0.4, 0.1])
    assert area_under_curve(suspicion, np.array([True, True, False, False])) == 0.875
    assert area_under_curve(suspicion, np.array([False, False, True, True])) == 0.125
    assert area_under_curve(suspicion, np.array([True, False, True, False]), np.array([1.0, 1.0, 0.0, 1.0])) == 1.0


def test_what_is_given_away_is_found_and_nothing_is_found_in_chance() -> None:
    rng = np.random.default_rng(5)

    def campaign(number: int, *, leak: float) -> list[ServedItem]:
        kinds = np.where(rng.random(300) < 0.2, "repeat", "regular")
        seen = rng.random((300, 2)) + leak * (kinds == "repeat")[:, None]
        return [
            ServedItem({"one": float(one), "other": float(other)}, str(kind), (number, place // 30))
            for place, (kind, (one, other)) in enumerate(zip(kinds, seen, strict=True))
        ]

    told = look_for_controls([campaign(number, leak=0.5) for number in range(10)], seed=1)
    blind = look_for_controls([campaign(number, leak=0.0) for number in range(10)], seed=1)
    assert told.low > 0.8
    assert not told.is_blind
    assert blind.low < 0.5 < blind.high


@pytest.mark.django_db
def test_in_small_campaigns_hardly_anything_is_found(cast: Cast) -> None:
    """Seeded but for the ids; the whole measurement is ./assay bench blindness."""
    rng = random.Random(20261122)
    found = look_for_controls(watched_campaigns("direct_assessment", rng, campaigns=5, documents=16), seed=1)
    assert found.controls > 200
    assert found.area < 0.65
