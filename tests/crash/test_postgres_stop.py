"""PostgreSQL goes away under load and comes back: no judgment is lost, and nothing need be restarted."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.campaign import Plan, annotators_of, open_campaign
from tests.crash.outage import PATIENCE, stop_again_and_again
from tests.crash.sites import Site, gunicorn_on_postgres
from tests.plugins.postgres import PostgresServer

pytestmark = pytest.mark.servers
STOPS = 3
PLAN = Plan(outputs=400, redundancy=8, items_per_assignment=20, annotators=8)
DURABLE = ("fsync", "synchronous_commit", "full_page_writes")


@pytest.fixture
def site(tmp_path: Path, postgres: PostgresServer) -> Iterator[Site]:
    made = gunicorn_on_postgres(tmp_path, postgres)
    yield made
    made.kill()


def test_judging_goes_on_by_itself_when_postgresql_was_stopped_at_once_and_is_back(
    site: Site, postgres: PostgresServer, tmp_path: Path, seed: int
) -> None:
    annotators = annotators_of(site, open_campaign(site, tmp_path, PLAN), seed=seed, patience=PATIENCE)
    assert [site.database.rows(f"SHOW {setting}") for setting in DURABLE] == [[("on",)]] * 3
    site.start()
    before = site.processes()
    figures = stop_again_and_again(postgres, site.database, annotators, times=STOPS, rng=random.Random(seed))
    assert figures.wrong == [], f"seed {seed}"
    assert (figures.times, figures.lost, figures.doubled) == (STOPS, 0, 0)
    assert figures.acknowledged > 10 * STOPS
    refusals = {refusal for annotator in annotators for refusal in annotator.program.refusals}
    assert refusals == {503}, f"seed {seed}"
    assert site.processes() == before
