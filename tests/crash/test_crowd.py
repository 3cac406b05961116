"""Sixteen annotators at once over HTTP: every output gets exactly the judgments that were asked for."""

from pathlib import Path
from uuid import UUID

import pytest

from tests.crash.audit import STORED, audit
from tests.crash.campaign import Plan, annotators_of, open_campaign
from tests.crash.crowd import Crowd
from tests.crash.ledger import Books
from tests.crash.sites import Site

pytestmark = pytest.mark.servers
ANNOTATORS, REDUNDANCY = 16, 3
LEAVING = {"static": 0, "pool": 5}
OUTPUTS = {"static": 100, "pool": 280}
REGULAR = """
    SELECT score.translation_id, COUNT(*), COUNT(DISTINCT judgment.annotator_id) FROM annotation_score score
    JOIN annotation_judgment judgment ON judgment.id = score.judgment_id
    WHERE judgment.is_current AND NOT judgment.surplus GROUP BY score.translation_id"""
UNFINISHED = "SELECT status, COUNT(*) FROM annotation_assignment WHERE status NOT IN ('done', 'closed') GROUP BY status"


@pytest.mark.drawn(2)  # one planning on both sites
@pytest.mark.parametrize("planning", ["static", "pool"])
def test_sixteen_annotators_judge_every_output_three_times_and_nothing_is_lost_or_doubled(
    site: Site, tmp_path: Path, seed: int, planning: str
) -> None:
    plan = Plan(OUTPUTS[planning], REDUNDANCY, items_per_assignment=10, annotators=ANNOTATORS, planning=planning)
    annotators = annotators_of(site, open_campaign(site, tmp_path, plan), seed=seed, patience=5)
    site.start()
    crowd = Crowd(site.database, annotators, leaving=LEAVING[planning])
    books = Books(crowd.judge_everything())

    assert (books.surprises, books.waiting) == ([], set()), f"seed {seed}"
    refusals = {refusal for annotator in annotators for refusal in annotator.program.refusals}
    assert refusals <= {0}, f"seed {seed}: a connection that was idle may be gone; no answer may be an error"
    findings = audit(site.database, books)
    assert findings.wrong == {}, f"seed {seed}"
    assert findings.stored == books.acknowledged

    assert site.database.rows(UNFINISHED) == []
    judged = site.database.rows(REGULAR)
    assert len(judged) == OUTPUTS[planning]
    assert {(times, annotators) for _output, times, annotators in judged} == {(REDUNDANCY, REDUNDANCY)}, f"seed {seed}"
    _assert_surplus_is_accounted_for(site, books, planning)


def _assert_surplus_is_accounted_for(site: Site, books: Books, planning: str) -> None:
    """All of it came late, and all that came when others had the item is surplus."""
    surplus = {str(UUID(str(row[0]))) for row in site.database.rows(f"{STORED} WHERE judgment.surplus")}
    late = {client_id for client_id, sent in books.judgments.items() if sent.is_late}
    too_late = {client_id for client_id, sent in books.judgments.items() if sent.is_too_late}
    assert too_late <= surplus <= late
    assert bool(too_late) == bool(LEAVING[planning]), "nobody came too late"
    first = [sent for sent in books.judgments.values() if sent.body["base_revision"] == 0]
    assert len(first) == OUTPUTS[planning] * REDUNDANCY + len(surplus)
