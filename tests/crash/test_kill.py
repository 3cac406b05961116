"""kill -9 of everything that serves, in the middle of the work: what was acknowledged is there, once."""

import random
from pathlib import Path

import pytest

from tests.crash.campaign import Plan, annotators_of, open_campaign
from tests.crash.killing import kill_again_and_again
from tests.crash.sites import Site

pytestmark = pytest.mark.servers
KILLS = 3  # a hundred: ./assay bench crash
PLAN = Plan(outputs=400, redundancy=8, items_per_assignment=20, annotators=8)


@pytest.mark.drawn(2)
def test_whatever_was_acknowledged_survives_every_kill_and_no_start_needs_a_repair(
    site: Site, tmp_path: Path, seed: int
) -> None:
    annotators = annotators_of(site, open_campaign(site, tmp_path, PLAN), seed=seed)
    site.start()
    figures = kill_again_and_again(site, annotators, times=KILLS, rng=random.Random(seed))
    assert figures.wrong == [], f"seed {seed}"
    assert (figures.times, figures.lost, figures.doubled) == (KILLS, 0, 0)
    assert figures.acknowledged > 10 * KILLS
    assert figures.unanswered > 0, "no kill hit a judgment on its way"
    assert site.database.damage() == []
