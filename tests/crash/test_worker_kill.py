"""kill -9 of the worker in the middle of its runs, while others judge: the runs are performed, and judging goes on."""

import os
import signal
from pathlib import Path

import pytest

from tests.config.embedded_runs import EmbeddedRuns
from tests.crash.annotator import at_work
from tests.crash.audit import audit
from tests.crash.campaign import Plan, annotators_of, open_campaign
from tests.crash.ledger import Books
from tests.crash.sites import served_on_sqlite
from tests.processes import FAST_RUNS

pytestmark = pytest.mark.servers
KILLS = 2
PLAN = Plan(outputs=400, redundancy=4, items_per_assignment=20, annotators=4)


def test_judging_does_not_notice_that_the_worker_is_killed_and_every_run_is_performed_once(
    tmp_path: Path, seed: int
) -> None:
    site = served_on_sqlite(tmp_path)
    site.environment |= FAST_RUNS
    all_runs = [EmbeddedRuns(tmp_path / "data", tmp_path / f"diary{number}.jsonl") for number in range(KILLS)]
    annotators = annotators_of(site, open_campaign(site, tmp_path, PLAN), seed=seed, patience=5)
    site.start()
    try:
        with at_work(annotators):
            queued = [(runs, _killed_in_the_middle(runs)) for runs in all_runs]
            rows = [(runs.wait_for_status(run, "done")["attempts"], runs.ends(run)) for runs, run in queued]
    finally:
        site.kill()
    assert rows == [(2, 1)] * KILLS

    books = Books([annotator.ledger for annotator in annotators])
    assert (books.surprises, books.waiting) == ([], set()), f"seed {seed}"
    refusals = {refusal for annotator in annotators for refusal in annotator.program.refusals}
    assert refusals <= {0}, f"seed {seed}: a connection that was idle may be gone; no answer may be an error"
    assert audit(site.database, books).wrong == {}, f"seed {seed}"


def _killed_in_the_middle(runs: EmbeddedRuns) -> int:
    run = runs.queue(steps=20, pause=0.01, held_at=5)
    os.kill(runs.wait_for_step(run, 5)["process"], signal.SIGKILL)
    runs.let_go()
    return run
